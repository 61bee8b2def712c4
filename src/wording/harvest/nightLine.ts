import { count, usdText } from '../amounts.js';
import type { Say } from '../translate.js';

/** A night as far as its line tells. */
interface ToldNight {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly stops: readonly unknown[];
  readonly skills: readonly { readonly outcome: string; readonly verdict: string | undefined }[];
  readonly spend: { readonly tokens: number; readonly usd: number | undefined };
  readonly sessions?: {
    readonly read: number;
    readonly waiting: number;
    readonly left?: number;
    readonly reason?: string;
    readonly unread?: { readonly files: readonly unknown[] };
  };
}

/** What a night came to, the cost last: `2 proposals, 1 undecided; 14 sessions read, 3 drafts waiting; 0.11 USD, 6 min`. */
export function nightLine(night: ToldNight, say: Say): string {
  const { sessions, stops, spend } = night;
  const isIdle = stops.length > 0 && spend.tokens === 0;
  const looked = sessions === undefined ? [] : [sessionsLine(sessions, say)];
  if (isIdle) return looked.join('');
  return looked.length === 0
    ? [cameTo(night, say), took(night, say)].join(', ')
    : [cameTo(night, say), ...looked, took(night, say)].join('; ');
}

function sessionsLine(sessions: NonNullable<ToldNight['sessions']>, say: Say): string {
  const unread = sessions.unread?.files.length ?? 0;
  const files = unread === 1 ? say('1 file not read') : say('{0} files not read', unread);
  return [readLine(sessions, say), ...(unread === 0 ? [] : [files])].join(', ');
}

function readLine({ read, left = 0, waiting, reason }: NonNullable<ToldNight['sessions']>, say: Say): string {
  const [sessions, drafts] = [count(read, 'session', say), count(waiting, 'draft', say)];
  if (read === 0 && reason !== undefined)
    return waiting === 0
      ? say('sessions could not be looked through')
      : say('sessions could not be looked through, {0} waiting', drafts);
  if (read === 0) return waiting === 0 ? say('no new sessions') : say('no new sessions, {0} waiting', drafts);
  return left === 0
    ? say('{0} read, {1} waiting', sessions, drafts)
    : say('{0} read, {1} of them left for the next night, {2} waiting', sessions, left, drafts);
}

function took({ startedAt, endedAt, spend }: ToldNight, say: Say): string {
  const minutes = Math.round((endedAt - startedAt) / 60_000);
  const spent = spend.usd === undefined ? count(spend.tokens, 'token', say) : usdText(spend.usd, say);
  return [spent, minutes === 0 ? say('less than a minute') : say('{0} min', minutes)].join(', ');
}

function cameTo({ skills }: ToldNight, say: Say): string {
  const having = (outcome: string, ...verdicts: readonly string[]): number =>
    skills.filter(
      (each) => each.outcome === outcome && (verdicts.length === 0 || verdicts.includes(each.verdict ?? '')),
    ).length;
  const [adopted, failed, waiting] = [having('adopted'), having('failed'), having('waiting')];
  const undecided = having('proposed', 'inconclusive');
  return [
    count(having('proposed', 'accepted', 'unmeasured'), 'proposal', say),
    ...(undecided === 0 ? [] : [say('{0} undecided', undecided)]),
    ...(adopted === 0 ? [] : [say('{0} adopted', adopted)]),
    ...(failed === 0 ? [] : [say('{0} failed', failed)]),
    ...(waiting === 0 ? [] : [say('{0} waiting for answers', waiting)]),
  ].join(', ');
}
