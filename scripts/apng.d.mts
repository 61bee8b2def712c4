/** Rows of red, green and blue, from the top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

/** Colours as 0xRRGGBB, and for each pixel which of them it has. */
export interface FewColours {
  readonly width: number;
  readonly height: number;
  readonly colours: readonly number[];
  readonly indices: Buffer;
}

export function readPng(bytes: Buffer): Picture;
export function writeApng(frames: readonly { readonly picture: Picture; readonly shownMs: number }[]): Buffer;
export function writeIndexedPng(picture: FewColours): Buffer;
