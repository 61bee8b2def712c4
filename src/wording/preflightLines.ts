import { grouped, usdText } from './amounts.js';
import { timeText, type PaidInTime } from './preflight/paidInTime.js';
import { t, type Say } from './translate.js';
import { usdFigure } from '../usdFigure.js';
import type { SpendCaps } from '../ports/spend.js';

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
  readonly usual: {
    readonly calls: number;
    readonly tokens: number;
    readonly usd: number | undefined;
    readonly minutes: number;
  };
  readonly givesUp: GiveUp;
  /** Whether a cap in calls holds repeats too: then they come on top of nothing. */
  readonly repeatsHeld: boolean;
  /** Undefined where nobody answers by hand. */
  readonly byHand?: { readonly wholly: boolean } | undefined;
  /** Whose plan calls are taken from. */
  readonly plan?: string | undefined;
  /** Where it costs no money, and its minutes are what is looked at. */
  readonly paidInTime?: PaidInTime | undefined;
}

/** When the model's server is given up. */
interface GiveUp {
  readonly minutes: number;
  readonly failures: number;
  readonly failingMinutes: number;
  /** Of servers of the person's own, where others are asked beside them. */
  readonly ownMinutes?: number | undefined;
}

/** A stage of a run that asks a model, with its calls. */
export interface StageCalls {
  readonly stage:
    | 'rollout'
    | 'front'
    | 'reflect'
    | 'select'
    | 'rewrite'
    | 'edit-budget'
    | 'reminders'
    | 'slow-update'
    | 'meta-skill'
    | 'attribute'
    | 'certify'
    | 'sealed';
  readonly usual: number;
  readonly most: number;
}

/** What each stage takes of a run's calls; nothing where no stage is told. */
export function stageLines({ stages }: { readonly stages: readonly StageCalls[] }): readonly string[] {
  if (stages.length === 0) return [];
  const parts = stages.map(({ stage, usual, most }) => {
    return stageName(stage, betweenText(grouped(Math.min(usual, most)), grouped(most)));
  });
  return [t('Of these calls: {0}.', parts.join('; '))];
}

function stageName(stage: StageCalls['stage'], calls: string): string {
  switch (stage) {
    case 'rollout':
      return t('attempts at training tasks {0}', calls);
    case 'front':
      return t('attempts at training tasks, which also choose among candidates, {0}', calls);
    case 'reflect':
      return t('reflection {0}', calls);
    case 'select':
      return t('the choice among candidates on held-out tasks {0}', calls);
    case 'attribute':
      return t('what each edit is worth {0}', calls);
    case 'certify':
      return t('the proof on held-out tasks {0}', calls);
    case 'sealed':
      return t('sealed tasks {0}', calls);
    case 'rewrite':
      return t('rewriting the skill {0}', calls);
    case 'edit-budget':
      return t('deciding how many edits a step takes {0}', calls);
    case 'reminders':
      return t('joining reminders {0}', calls);
    case 'slow-update':
      return t('the slow update {0}', calls);
    case 'meta-skill':
      return t('the optimizer’s notes {0}', calls);
  }
}

/** What a run usually takes, the most that it may, what comes on top, and how long it lasts where no person is waited for. */
export function sizeLines(size: RunSize & { readonly stages: readonly StageCalls[] }): readonly string[] {
  const { calls, tokens, usd, usual, givesUp, repeatsHeld, byHand, plan } = size;
  const text = 'Usually about {0} calls, {1} tokens, {2}; at most {3} calls, {4} tokens, {5}.';
  const paid = (amount: number | undefined): string => planText({ usd, plan }) ?? usdText(amount, t);
  const usually = [grouped(usual.calls), grouped(usual.tokens), paid(usual.usd)];
  const most = [grouped(calls.high), grouped(tokens.high), paid(usd?.high)];
  return [
    t(text, ...usually, ...most),
    ...stageLines(size),
    ...repeatsLines({ repeatsHeld, byHand }),
    ...(byHand === undefined ? [...minutesLines(size), giveUpLine(givesUp)] : []),
  ];
}

/** What no bound holds: a server that fails is asked again. Not said where a cap in calls is the most, or no server is asked. */
export function repeatsLines({ repeatsHeld, byHand }: Pick<RunSize, 'repeatsHeld' | 'byHand'>): readonly string[] {
  if (repeatsHeld || byHand?.wholly === true) return [];
  return [t('Calls that fail and are made again come on top of that; caps hold them.')];
}

/** A run that is longer is never begun without its calls and minutes being said. */
const shortMinutes = 2;

/** Whether a person should know before it begins how long a run may take, whatever it costs. */
function mayTakeLong({ minutes }: Pick<RunSize, 'minutes'>): boolean {
  return minutes.high > shortMinutes;
}

/**
 * Whether money, or more than two minutes, are at stake; what nobody knows the price of may cost money. Nothing is on the
 * simulated model, however long it takes, and nothing where somebody answers in their own time.
 */
export function isAtStake(
  size: Pick<RunSize, 'usd' | 'minutes' | 'byHand'> & { readonly models: { readonly simulated: boolean } },
): boolean {
  const { usd, minutes, models, byHand } = size;
  return usd?.high !== 0 || (!models.simulated && byHand === undefined && mayTakeLong({ minutes }));
}

/**
 * Whether a cap of the person's own can hold, which is a yes: one that came along with a workspace is none. What nobody
 * knows the price of is held by no cap in dollars, and by none in minutes.
 */
export function isHeld({
  ownHolds: { run, day, month },
  usd,
}: Pick<RunSize, 'usd'> & { readonly ownHolds: SpendCaps }): boolean {
  return [run, day, month].some((cap) => {
    const limits = usd === undefined ? [cap.calls, cap.tokens] : Object.values(cap);
    return limits.some((limit) => limit !== undefined);
  });
}

type LinedSize = Pick<RunSize, 'calls' | 'usd' | 'minutes' | 'usual' | 'byHand' | 'plan' | 'paidInTime'>;

/**
 * `usually 0.12 USD, at most 2.01 USD · usually 160, at most 712 calls · usually 5 min, at most 30 min`: in one line. Where
 * nothing costs money, time comes first: `usually 5 min, at most 30 min · usually 160, at most 712 calls · free`.
 */
export function sizeLine(size: LinedSize): string {
  const { calls, usd, minutes, usual, byHand, plan, paidInTime } = size;
  const both = [grouped(usual.calls), grouped(calls.high)] as const;
  const asked = both[0] === both[1] ? t('at most {0} calls', both[1]) : t('usually {0}, at most {1} calls', ...both);
  const times = byHand === undefined ? [timesText(usual.minutes, minutes.high)] : []; // a person takes their own time
  const paid = planText({ usd, plan }) ?? moneyText(usd, usual.usd);
  if (paidInTime !== undefined) return [timeFirst(size, paidInTime), asked, paid].join(' · ');
  return [paid, asked, ...times].join(' · ');
}

/** What nobody has measured is not guessed at; a cap holds it all the same. */
function timeFirst({ minutes, usual }: LinedSize, { capMinutes }: PaidInTime): string {
  if (minutes.measured) return timesText(usual.minutes, minutes.high);
  return capMinutes === undefined
    ? t('how long is known after the first calls')
    : t('at most {0}', timeText(capMinutes));
}

/** What a plan pays for has no price that could be unknown; undefined where none does. */
export function planText({ usd, plan }: Pick<RunSize, 'usd' | 'plan'>): string | undefined {
  return usd === undefined && plan !== undefined ? t('from your plan with {0}', plan) : undefined;
}

function moneyText(usd: Range | undefined, usual: number | undefined): string {
  if (usd === undefined) return t('price not known');
  if (usd.high === 0) return t('free');
  if (usd.high < 0.01) return t('less than 0.01 USD');
  return betweenText(`${usdFigure(usual ?? usd.low)} USD`, `${usdFigure(usd.high)} USD`);
}

function betweenText(usual: string, most: string): string {
  return usual === most ? t('at most {0}', most) : t('usually {0}, at most {1}', usual, most);
}

/** What ends within a minute needs no second figure. */
function timesText(usual: number, most: number): string {
  return most < 1 ? timeText(most) : betweenText(timeText(usual), timeText(most));
}

/** What may be spent at most, by period; every field that is undefined limits nothing. */
interface Caps {
  readonly run: CapAmounts;
  readonly day: CapAmounts;
  readonly month: CapAmounts;
}

interface CapAmounts {
  readonly usd?: number | undefined;
  readonly tokens?: number | undefined;
  readonly calls?: number | undefined;
  readonly minutes?: number | undefined;
}

/** The caps that are set, in one line; that none is, where none is. */
export function holdingLine({ run, day, month }: Caps, say: Say, callCap?: number): string {
  const calls = run.calls === undefined ? undefined : Math.min(run.calls, callCap ?? Infinity);
  const parts = [
    ...capTexts({ ...run, calls }, say).map((amount) => say('{0} a run', amount)),
    ...capTexts(day, say).map((amount) => say('{0} a day', amount)),
    ...capTexts(month, say).map((amount) => say('{0} a month', amount)),
  ];
  if (parts.length > 0) return say('Caps: {0}.', parts.join(', '));
  // What the run is held to all the same is said of the model, with the reason.
  return callCap === undefined ? say('No cap is set.') : say('No cap of your own is set.');
}

function capTexts({ usd, tokens, calls, minutes }: CapAmounts, say: Say): readonly string[] {
  return [
    ...(usd === undefined ? [] : [`${usdFigure(usd)} USD`]),
    ...(tokens === undefined ? [] : [say('{0} tokens', grouped(tokens))]),
    ...(calls === undefined ? [] : [say('{0} calls', grouped(calls))]),
    ...(minutes === undefined ? [] : [say('{0} min', minutes)]),
  ];
}

/** Who gets what is asked; nobody where nothing leaves VS Code. */
export function serverLines(servers: readonly string[]): readonly string[] {
  return servers.length === 0 ? [] : [t('Requests go to {0}.', servers.join(', '))];
}

/** What bounds a run, or a night, whose server is dead. */
export function giveUpLine({ minutes, failures, failingMinutes, ownMinutes }: GiveUp): string {
  if (ownMinutes !== undefined) {
    const both =
      'Ends by itself once a server gives no answer for {0} minutes, your own one for {1} minutes, or for {2} minutes in which {3} calls fail; what was answered is kept.';
    return t(both, minutes, ownMinutes, failingMinutes, failures);
  }
  const text =
    'Ends by itself once the server gives no answer for {0} minutes, or for {1} minutes in which {2} calls fail; what was answered is kept.';
  return t(text, minutes, failingMinutes, failures);
}

/** Of a server of the person's own no guess is made: it may be a hundred times slower than another one. */
function minutesLines({ minutes: { low, high, measured }, paidInTime }: RunSize): readonly string[] {
  if (paidInTime !== undefined && !measured) return [];
  const source = measured ? t('As earlier runs went.') : t('By a guess: no earlier run on this model tells.');
  if (high < 1) return [`${t('Less than a minute.')} ${source}`];
  const minutes =
    low < 1
      ? t('Up to {0} minutes.', Math.ceil(high))
      : t('About {0} to {1} minutes.', Math.floor(low), Math.ceil(high));
  return [`${minutes} ${source}`];
}
