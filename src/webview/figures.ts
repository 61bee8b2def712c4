import { usdFigure } from '../usdFigure.js';

/** `58 %`, or a dash where nothing was measured. */
export function score(value: number | null | undefined): string {
  return value === undefined || value === null ? '–' : `${Math.round(value * 100)} %`;
}

/** "+18" or "−2", in points of 100. */
export function points(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded < 0) return `−${-rounded}`;
  return rounded > 0 ? `+${rounded}` : String(rounded);
}

/** "0.02 USD"; a dash where the price is not known. */
export function money(usd: number | undefined): string {
  return usd === undefined ? '–' : `${usdFigure(usd)} USD`;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** What the gate found, or how a run without a verdict ended. */
export function verdictNamed(
  words: { readonly verdicts: Readonly<Record<string, string>>; readonly named: Readonly<Record<string, string>> },
  kind: string,
): string {
  return words.verdicts[kind] ?? named(words, kind);
}

/** A state or a stage in the person's words. */
export function named(words: { readonly named: Readonly<Record<string, string>> }, name: string): string {
  return words.named[name] ?? name;
}

/** Puts figures into a sentence with places `{0}`, `{1}`. */
export function filledIn(sentence: string, ...values: readonly (string | number)[]): string {
  return sentence.replaceAll(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
}
