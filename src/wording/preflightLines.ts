import { grouped, usdText } from './amounts.js';
import { t } from './translate.js';

interface Range {
  readonly low: number;
  readonly high: number;
}

/** What a run would take. */
interface RunSize {
  readonly calls: Range;
  readonly tokens: Range;
  readonly usd: Range | undefined;
  /** `measured`: told from earlier runs on the same target; a guess otherwise. */
  readonly minutes: Range & { readonly measured: boolean };
  readonly givesUp: GiveUp;
}

/** When the model's server is given up. */
interface GiveUp {
  readonly minutes: number;
  readonly failures: number;
  readonly failingMinutes: number;
}

/** The most that a run may take, the least that it takes if it proposes something, and how long it lasts. */
export function sizeLines({ calls, tokens, usd, minutes, givesUp }: RunSize): readonly string[] {
  const amounts = (end: keyof Range): readonly string[] => [
    grouped(calls[end]),
    grouped(tokens[end]),
    usdText(usd?.[end], t),
  ];
  const text = 'At most {0} calls, {1} tokens, {2}; with a proposal at least {3} calls, {4} tokens, {5}.';
  return [t(text, ...amounts('high'), ...amounts('low')), minutesLine(minutes), giveUpLine(givesUp)];
}

/** Who gets what is asked; nobody where nothing leaves VS Code. */
export function serverLines(servers: readonly string[]): readonly string[] {
  return servers.length === 0 ? [] : [t('Requests go to {0}.', servers.join(', '))];
}

/** What bounds a run, or a night, whose server is dead. */
export function giveUpLine({ minutes, failures, failingMinutes }: GiveUp): string {
  const text =
    'Ends by itself once the server gives no answer for {0} minutes, or for {1} minutes in which {2} calls fail; what was answered is kept.';
  return t(text, minutes, failingMinutes, failures);
}

function minutesLine({ low, high, measured }: RunSize['minutes']): string {
  const source = measured ? t('As earlier runs went.') : t('By a guess: no earlier run on this model tells.');
  if (high < 1) return `${t('Less than a minute.')} ${source}`;
  const minutes =
    low < 1
      ? t('Up to {0} minutes.', Math.ceil(high))
      : t('About {0} to {1} minutes.', Math.floor(low), Math.ceil(high));
  return `${minutes} ${source}`;
}
