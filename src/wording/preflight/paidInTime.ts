import { t } from '../translate.js';

/** A run that costs no money: minutes are its price. */
export interface PaidInTime {
  /** As earlier runs came to; undefined where none tells. */
  readonly tokensPerSecond: number | undefined;
  /** The lowest cap in minutes that holds it. */
  readonly capMinutes: number | undefined;
}

interface TimedSize {
  /** Undefined where nobody knows the price, which a cap in minutes does not hold. */
  readonly usd: object | undefined;
  readonly paidInTime?: PaidInTime | undefined;
  readonly minutes: { readonly measured: boolean };
}

interface ToldIn {
  readonly face: Face;
  /** Whether the size stands above it in one line, which says already that nobody knows how long it takes. */
  readonly lined: boolean;
}

type Face = 'editor' | 'terminal';

/**
 * How fast the server is as far as anybody knows, and when the run ends at the latest; nothing where money is the price.
 * A dialog has a button for a cap, a terminal a flag.
 */
export function timeLines({ usd, paidInTime, minutes }: TimedSize, { face, lined }: ToldIn): readonly string[] {
  if (paidInTime === undefined) return [];
  const { tokensPerSecond, capMinutes } = paidInTime;
  const isSaid = lined && capMinutes === undefined && !minutes.measured;
  const unknown = isSaid ? [] : [t('How long it takes is known after its first calls, and said then.')];
  const pace =
    tokensPerSecond === undefined
      ? unknown
      : [t('Earlier runs came to about {0} tokens a second.', rateText(tokensPerSecond))];
  const cap = capMinutes === undefined ? noCap(face) : t('No call is begun after {0} min.', capMinutes);
  const unpriced = usd === undefined && face === 'terminal' ? [minutesAreNoYes] : [];
  return [
    ...pace,
    cap,
    ...unpriced,
    t('It can be left at any time: what was answered is kept, and it goes on from there.'),
  ];
}

/** `--yes` is asked for all the same where nobody is there. */
const minutesAreNoYes =
  'Where nobody is there to agree, a cap in minutes is enough only once the price is known: “whetstone price <model> free” says that it costs nothing.';

function noCap(face: Face): string {
  return face === 'editor'
    ? t('No cap in minutes is set: “Set a Cap” ends it in time.')
    : t('No cap in minutes is set: --cap run.minutes=60 ends it in time.');
}

/** What the first calls of a run tell of the whole of it. */
interface ToldPace {
  readonly minutes: number;
  readonly answered: number;
  readonly tokensPerSecond: number;
}

/** `At this pace the run takes about 40 min: 5 calls were answered, at about 12 tokens a second.` */
export function paceSentence({ minutes, answered, tokensPerSecond }: ToldPace): string {
  const rate = rateText(tokensPerSecond);
  if (minutes < 1)
    return t(
      'At this pace the run takes less than a minute: {0} calls were answered, at about {1} tokens a second.',
      answered,
      rate,
    );
  const text = 'At this pace the run takes about {0}: {1} calls were answered, at about {2} tokens a second.';
  return t(text, timeText(minutes), answered, rate);
}

export function timeText(minutes: number): string {
  if (minutes < 1) return t('less than a minute');
  return minutes < 120 ? t('{0} min', Math.ceil(minutes)) : t('{0} h', Math.ceil(minutes / 60));
}

/** Where there are few of them, parts count. */
function rateText(tokensPerSecond: number): string {
  return tokensPerSecond < 10 ? String(Number(tokensPerSecond.toFixed(1))) : String(Math.round(tokensPerSecond));
}
