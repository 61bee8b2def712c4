import * as vscode from 'vscode';
import type { UseCases } from '../../app/useCases.js';
import type { Overviews } from '../skills/overviews.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import type { SettledNight } from '../../schedule/scheduleState.js';
import type { NightUseCases } from '../../app/nights/nights.js';
import type { NightResult } from '../../app/nights/nightResult.js';
import type { Log } from '../shown/log.js';
import { showWarning } from '../shown/messages.js';
import { retold } from '../../wording/translate.js';
import { machineZone, openFolders } from './nightlySettings.js';
import { nightSentence, spendWords } from './nightWords.js';

/** What the nights of a window work with. */
export interface NightlyParts {
  readonly useCases: () => Promise<NightUseCases & Pick<UseCases, 'spendThisMonth'>>;
  readonly catalog: Pick<SkillCatalog, 'skills' | 'hasAny'>;
  readonly overviews: Pick<Overviews, 'of' | 'showRun' | 'refresh'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'show'>;
  readonly now: () => number;
  /** Whether anybody ever turned nights on or off in these folders. */
  readonly hasSwitch: (folders: readonly string[]) => Promise<boolean>;
  /** Makes sure that a model is chosen; rejects where the person chose none. */
  readonly ensureModel: () => Promise<void>;
  /** Fires when a key was stored or forgotten. */
  readonly onDidChangeKeys: vscode.Event<unknown>;
}

/** What nights did so far, whichever window or process ran them. */
export interface NightNews {
  /** The last night that ran. */
  readonly last: NightResult | undefined;
  /** The last night in a sentence: one that was skipped after it has its reason there. */
  readonly lastWords: string | undefined;
  /** What was spent this month, in words. */
  readonly spent: string | undefined;
  /** Skills whose proposals wait. */
  readonly pending: number;
  /** Whether nights learn also from unconfirmed drafts; undefined where no session may be read. */
  readonly unconfirmed?: boolean | undefined;
}

/** What ended a run of a night that nobody watched, with its cure: nobody reads a log that nothing points to. */
export async function tellFailed({ skills }: NightResult, log: Pick<Log, 'show'>): Promise<void> {
  const failed = skills.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return;
  const show = vscode.l10n.t('Show Log');
  const said = failed.map(({ name, reason }) => vscode.l10n.t('{0} failed: {1}', name, retold(reason)));
  if ((await showWarning(`Whetstone: ${said.join(' ')}`, show)) === show) log.show(true);
}

/** Reads what others may have changed: the last night, the spend, the proposals that wait. */
export async function readNews(parts: NightlyParts): Promise<NightNews> {
  const useCases = await parts.useCases();
  const folders = openFolders();
  const [[last], state, spend, pending, unconfirmed] = await Promise.all([
    useCases.lastNights(folders),
    useCases.scheduleState(folders),
    useCases.spendThisMonth(),
    countProposals(parts),
    useCases.unconfirmedTraining(folders),
  ]);
  const lastWords = wordsOf(parts, last, state?.lastDecision);
  return { last, lastWords, spent: spendWords(spend), pending, unconfirmed };
}

function wordsOf(
  { now }: NightlyParts,
  last: NightResult | undefined,
  decision: SettledNight | undefined,
): string | undefined {
  if (decision?.kind === 'skip' && decision.at > (last?.endedAt ?? 0)) return retold(decision.sentence);
  return last === undefined ? undefined : nightSentence(last, now(), machineZone());
}

/** A rejected proposal is there to be looked at; it waits for nobody. */
async function countProposals({ catalog, overviews }: NightlyParts): Promise<number> {
  const skills = await catalog.skills();
  const waiting = await Promise.all(
    skills.map(async ({ realPath }) => {
      const overview = await overviews.of(realPath).catch(() => undefined);
      return overview?.pending !== undefined && overview.pending.proposal.verdict.kind !== 'rejected';
    }),
  );
  return waiting.filter(Boolean).length;
}
