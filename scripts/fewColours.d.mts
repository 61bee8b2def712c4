import type { FewColours, Picture } from './apng.mjs';

export function withFewColours(picture: Picture, most?: number): FewColours;
