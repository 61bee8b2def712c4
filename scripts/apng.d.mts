/** Rows of red, green and blue, from the top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

export function readPng(bytes: Buffer): Picture;
export function writeApng(frames: readonly { readonly picture: Picture; readonly shownMs: number }[]): Buffer;
