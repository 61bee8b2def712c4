import * as z from 'zod';
import { sha256 } from '../../hash.js';
import { readState, updateState, type SealedState } from '../../storage/files/sealedState.js';
import type { UserStore } from '../../storage/state/store.js';
import { placeOf } from '../../storage/state/nightPlace.js';
import type { UnreadFile } from '../../harvest/harvested.js';
import type { ConsolidateAction } from '../../engine/consolidate/consolidate.js';
import type { NothingCause } from '../../engine/noProposal.js';
import type { GateFigures, GateMetric, SideResult, Verdict } from '../../gate/verdict/verdict.js';
import type { Blocker, StopName } from '../../schedule/preconditions.js';
import { totalSpend } from '../../engine/journal/runSummary.js';
import { simulatedSentence } from '../../wording/amounts.js';
import { english } from '../../wording/translate.js';
import type { OptimizeResult } from '../runs/optimize.js';

/** Who started a night: a window at its time, a person at a terminal or in the menu, or the machine's own schedule. */
export type NightStarter = 'window' | 'person' | 'operating-system';

/** What a night used. Undefined money: nobody knows a price. */
export interface NightSpend {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number | undefined;
}

/** What a night did to one skill. */
export interface NightSkillResult {
  readonly skillPath: string;
  readonly name: string;
  /** `waiting`: for answers by hand; the night after them goes on. */
  readonly outcome: 'proposed' | 'adopted' | 'nothing' | 'skipped' | 'failed' | 'waiting';
  /** Always a sentence: no zero without its reason. */
  readonly reason: string;
  /** Why it had its place in the night, or when it has its turn; missing where there was room for all. */
  readonly place?: string;
  /** Why nothing is proposed, where nothing is. */
  readonly cause: NothingCause | undefined;
  /** What kept the skill out of the night, where something did. */
  readonly stop: StopName | undefined;
  /** In the words of SkillOpt-Sleep. */
  readonly action: ConsolidateAction | undefined;
  readonly before: SideResult['score'];
  readonly after: SideResult['score'];
  /** What the scores count; missing where there is none, and in nights of earlier versions. */
  readonly metric?: GateMetric;
  /** Of the difference between the scores, by which a gain that was not shown is told; missing as the metric is. */
  readonly interval?: GateFigures['interval'];
  readonly verdict: Verdict['kind'] | undefined;
  readonly runId: string | undefined;
  readonly spend: NightSpend;
}

/** What a night did with past sessions before it trained. */
export interface NightSessions {
  /** New ones that it looked through. */
  readonly read: number;
  /** Those that a model was asked about. */
  readonly asked: number;
  /** Drafts that it made of them. */
  readonly drafts: number;
  /** Those that a limit, a cap or a failed call left for the next night; missing where none is. */
  readonly left?: number;
  /** Files that it could not read, and the version of Node that did not; missing where it read all. */
  readonly unread?: { readonly files: readonly UnreadFile[]; readonly node: string };
  /** Older drafts that gave way to the new ones; missing where none did. */
  readonly pushedOut?: number;
  readonly spend: NightSpend;
  readonly runId: string;
  /** What went wrong, where something did: where nothing was read either, nothing was looked through. */
  readonly reason?: string;
}

/** What a night did, or what kept it from running. */
export interface NightResult {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly startedBy: NightStarter;
  /** What kept the whole night from running; empty where it ran. */
  readonly stops: readonly Blocker[];
  readonly skills: readonly NightSkillResult[];
  /** How the places were given; missing where there was room for all skills. */
  readonly fleet?: string;
  readonly spend: NightSpend;
  /** Missing where no session may be read, and in nights of earlier versions. */
  readonly sessions?: NightSessions & {
    /** Drafts out of sessions that waited for the person when it ended. */
    readonly waiting: number;
    /** The skills that drafts of any kind wait for; missing in nights of earlier versions. */
    readonly waitingFor?: readonly { readonly skillPath: string; readonly name: string; readonly drafts: number }[];
  };
}

const mostNights = 30;

interface Nights {
  readonly nights: readonly NightResult[];
}

/** The file is sealed by this user: reading it back checks only that it is of the form we wrote. */
const schema = z.object({
  nights: z.array(
    z.custom<NightResult>(
      (value) =>
        z.object({ startedAt: z.number(), skills: z.array(z.object({ reason: z.string() })) }).safeParse(value).success,
    ),
  ),
});

/** Version 2 says how the places of a night were given, version 3 which files of sessions it could not read. */
function versionOf({ nights }: Nights): number {
  if (nights.some(({ sessions }) => sessions?.unread !== undefined || sessions?.pushedOut !== undefined)) return 3;
  return nights.some(({ fleet }) => fleet !== undefined) ? 2 : 1;
}

/** What the nights of some folders did, whoever started them: a window shows what the operating system ran. */
export function nightLog(
  store: UserStore,
  folders: readonly string[],
): {
  readonly all: () => Promise<readonly NightResult[]>;
  readonly add: (night: NightResult, signal: AbortSignal) => Promise<void>;
} {
  const log: SealedState<Nights> = {
    format: { format: 'whetstone-nights', version: 3, schema, versionOf },
    file: `night-logs/${sha256(placeOf(folders)).slice(0, 32)}.json`,
  };
  return {
    async all() {
      const reading = await readState(store, log);
      return reading.kind === 'verified' ? reading.body.nights.toReversed() : [];
    },
    async add(night, signal) {
      await updateState(
        store,
        log,
        (before) => ({ nights: [...(before?.nights ?? []), night].slice(-mostNights) }),
        signal,
      );
    },
  };
}

const nothingSpent: NightSpend = { calls: 0, tokens: 0, usd: 0 };

/** What a run that came to an end means for its skill. */
export function outcomeOf(result: OptimizeResult): Omit<NightSkillResult, 'skillPath' | 'name'> {
  const { proposal, noProposal: nothing, summary, runId, action } = result;
  const { calls, tokens, usd } = totalSpend(summary);
  const became =
    proposal !== undefined
      ? { outcome: 'proposed' as const, reason: proposal.verdict.reason }
      : {
          outcome: nothing?.cause === 'backend-failed' ? ('failed' as const) : ('nothing' as const),
          reason: [nothing?.reason ?? '', simulatedSentence(summary.models, english) ?? ''].join(' ').trim(),
        };
  return {
    ...became,
    cause: nothing?.cause,
    stop: undefined,
    action,
    ...scoresOf(proposal?.verdict ?? summary.verdict),
    runId,
    spend: { calls, tokens, usd },
  };
}

/** The figures of what was compared, also where the comparison said no. */
function scoresOf(
  verdict: Verdict | undefined,
): Pick<NightSkillResult, 'before' | 'after' | 'metric' | 'interval' | 'verdict'> {
  const figures = verdict !== undefined && 'figures' in verdict ? verdict.figures : undefined;
  const scored = { before: figures?.before, after: figures?.after, verdict: verdict?.kind };
  if (figures === undefined) return scored;
  const { metric, interval } = figures;
  return { ...scored, metric, ...(interval === undefined ? {} : { interval }) };
}

/** A skill that was not trained, with what kept it out. */
export function stoppedBy(
  skill: { readonly skillPath: string; readonly name: string },
  stop: Blocker,
): NightSkillResult {
  const reason = [stop.sentence, stop.cure].filter((part) => part !== '').join(' ');
  return { ...withoutRun(skill, { outcome: 'skipped', reason }), stop: stop.name };
}

/** A skill that no run was made for. */
export function withoutRun(
  { skillPath, name }: { readonly skillPath: string; readonly name: string },
  why: Pick<NightSkillResult, 'outcome' | 'reason'>,
): NightSkillResult {
  return {
    skillPath,
    name,
    ...why,
    cause: undefined,
    stop: undefined,
    action: undefined,
    before: undefined,
    after: undefined,
    verdict: undefined,
    runId: undefined,
    spend: nothingSpent,
  };
}

/** What all of them used together. */
export function sumOf(parts: readonly Pick<NightSkillResult, 'spend'>[]): NightSpend {
  return parts.reduce(
    (sum, { spend }) => ({
      calls: sum.calls + spend.calls,
      tokens: sum.tokens + spend.tokens,
      usd: sum.usd === undefined || spend.usd === undefined ? undefined : sum.usd + spend.usd,
    }),
    nothingSpent,
  );
}

/** The runs that were made for them, whatever came of each. */
export function runsOf(skills: readonly NightSkillResult[]): readonly string[] {
  return skills.flatMap(({ runId }) => runId ?? []);
}

/** In the order that the person gave the skills in. */
export function inOrder(skills: readonly NightSkillResult[], order: readonly string[]): readonly NightSkillResult[] {
  return [...skills].sort((a, b) => order.indexOf(a.skillPath) - order.indexOf(b.skillPath));
}
