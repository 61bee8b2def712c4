import type { GateMetric } from '../gate/verdict/verdict.js';
import { t, type Say } from './translate.js';
import { usdFigure } from '../usdFigure.js';

/** `42 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** `42 %`, or a dash where nothing was scored. */
export function percentOrNone(share: number | null | undefined): string {
  return share === undefined || share === null ? '–' : percent(share);
}

/** What the skill as it is scored, beside a run that proposes nothing. */
export function baselineSentence(
  { score, tasks }: { readonly score: number; readonly tasks: number },
  say: Say,
): string {
  return say('The skill as it is scores {0} on {1}.', percent(score), count(tasks, 'held-out task', say));
}

/** Beside what a run on the simulated model came to, where it proposes nothing; undefined for a real model. */
export function simulatedSentence(
  models: { readonly simulated: boolean; readonly target: string; readonly optimizer: string } | undefined,
  say: Say,
): string | undefined {
  if (models?.simulated !== true || isMixed(models)) return undefined;
  return say('This was the simulated model, which understands simple rules only: a real model may do otherwise.');
}

/** Whether a real model had a part in it, which may be what it came to nothing for. */
function isMixed({ target, optimizer }: { readonly target: string; readonly optimizer: string }): boolean {
  return target.endsWith(simulatedMark) !== optimizer.endsWith(simulatedMark);
}

const simulatedMark = '(simulated)';

/** How many attempts count for nothing, and why the last of them does; undefined where all of them count. */
export function invalidSentence(
  { invalidAttempts, lastInvalid }: { readonly invalidAttempts: number; readonly lastInvalid?: string | undefined },
  say: Say,
): string | undefined {
  if (invalidAttempts === 0) return undefined;
  const many = count(invalidAttempts, 'attempt', say);
  return lastInvalid === undefined
    ? say('Without a valid result, so without a score: {0}.', many)
    : say('Without a valid result, so without a score: {0}. The last: {1}', many, lastInvalid);
}

/** `42 %`, and where not all tasks were tried `42 % (2 of 10 tasks)`; how many is not known of old runs. */
export function percentOn(
  share: number | undefined,
  { tried, tasks }: { readonly tried: number | undefined; readonly tasks: number | undefined },
  say: Say,
): string {
  const shown = percentOrNone(share);
  if (share === undefined || tried === undefined || tasks === undefined || tried === tasks) return shown;
  return say('{0} ({1} of {2} tasks)', shown, tried, tasks);
}

/** `58 % → 75 %`. */
export function percents({ before, after }: { readonly before: number; readonly after: number }): string {
  return `${percent(before)} → ${percent(after)}`;
}

/** The same of scores that count more than passes, which is said: `25 % → 89 %, with partial credit`. */
export function scoredPercents(
  { metric, ...scores }: { readonly before: number; readonly after: number; readonly metric?: GateMetric | undefined },
  say: Say,
): string {
  const isPassRate = metric === undefined || metric === 'hard';
  return isPassRate ? percents(scores) : say('{0}, with partial credit', percents(scores));
}

/** `+39` or `−2`: a difference on the 0..1 scale, in points. */
export function signedPoints(difference: number): string {
  const rounded = Math.round(difference * 100);
  return rounded < 0 ? `−${-rounded}` : `${rounded > 0 ? '+' : ''}${rounded}`;
}

/** `+39 points`. */
export function points(difference: number, say: Say): string {
  const rounded = signedPoints(difference);
  return say(/^[+−]?1$/.test(rounded) ? '{0} point' : '{0} points', rounded);
}

/** `1 pass`, `3 passes`, `1,384 calls`. */
export function count(number: number, noun: keyof typeof nouns, say: Say): string {
  const [one, many] = nouns[noun];
  return say(number === 1 ? one : many, grouped(number));
}

const nouns = {
  answer: ['{0} answer', '{0} answers'],
  attempt: ['{0} attempt', '{0} attempts'],
  call: ['{0} call', '{0} calls'],
  certification: ['{0} certification', '{0} certifications'],
  draft: ['{0} draft', '{0} drafts'],
  edit: ['{0} edit', '{0} edits'],
  file: ['{0} file', '{0} files'],
  'held-out task': ['{0} held-out task', '{0} held-out tasks'],
  message: ['{0} message', '{0} messages'],
  'more pass': ['{0} more pass', '{0} more passes'],
  'new held-out task': ['{0} new held-out task', '{0} new held-out tasks'],
  pair: ['{0} pair', '{0} pairs'],
  pass: ['{0} pass', '{0} passes'],
  prompt: ['{0} prompt', '{0} prompts'],
  proposal: ['{0} proposal', '{0} proposals'],
  'sealed task': ['{0} sealed task', '{0} sealed tasks'],
  session: ['{0} session', '{0} sessions'],
  task: ['{0} task', '{0} tasks'],
  token: ['{0} token', '{0} tokens'],
} as const;

/** `t1, t2 and t3`, or the first three `and 4 more`: a sentence stays one that is read. */
export function list(names: readonly string[], say: Say): string {
  const shown = names.length > 4 ? [...names.slice(0, 3), say('{0} more', names.length - 3)] : names;
  return shown.length < 2 ? shown.join('') : say('{0} and {1}', shown.slice(0, -1).join(', '), shown.at(-1) ?? '');
}

/** `12,400`. */
export function grouped(number: number): string {
  return Math.ceil(number).toLocaleString('en');
}

/** `0.03 USD`, or that the price is not known. */
export function usdText(usd: number | undefined, say: Say): string {
  return usd === undefined ? say('price unknown') : `${usdFigure(usd)} USD`;
}

/** What costs something never reads as nothing. */
export function chargeText(usd: number, say: Say): string {
  if (usd === 0) return say('free of charge');
  return usd < 0.01 ? say('less than 0.01 USD') : usdText(usd, say);
}

/** `+38 tokens`, `same length`. */
export function tokensText(tokens: number, say: Say): string {
  if (tokens === 0) return say('same length');
  const signed = `${tokens > 0 ? '+' : '−'}${Math.abs(tokens)}`;
  return say(Math.abs(tokens) === 1 ? '{0} token' : '{0} tokens', signed);
}

/**
 * `0.08 USD`, under a cap `0.08 of 0.50 USD`. What nobody was told the exact figure of is booked at its worst, and is said
 * to be that: `up to 1.44 USD`.
 */
export function spentText(
  { usd, exact, capUsd }: { readonly usd: number; readonly exact: boolean; readonly capUsd?: number | undefined },
  say: Say,
): string {
  const [spent, isMost] = [usdFigure(usd), !exact && usd > 0];
  if (capUsd === undefined) return isMost ? say('up to {0} USD', spent) : say('{0} USD', spent);
  const cap = usdFigure(capUsd);
  return isMost ? say('up to {0} of {1} USD', spent, cap) : say('{0} of {1} USD', spent, cap);
}

/** How often somebody is asked who answers by hand, and how many prompts they get. */
interface ByHand {
  readonly rounds: { readonly usual: number; readonly most: number };
  readonly prompts: { readonly usual: number; readonly most: number };
}

/** None where nobody answers by hand. */
export function roundsLines({ byHand }: { readonly byHand?: ByHand | undefined }): readonly string[] {
  if (byHand === undefined) return [];
  const { rounds, prompts } = byHand;
  const text =
    'Answered by hand: usually {0}, at most {1} rounds, with about {2}, at most {3} prompts in all. Each round writes its prompts as files and ends; the run goes on once they are answered.';
  return [t(text, grouped(rounds.usual), grouped(rounds.most), grouped(prompts.usual), grouped(prompts.most))];
}
