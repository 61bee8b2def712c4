import * as vscode from 'vscode';
import type { Verdict } from '../../gate/verdict/verdict.js';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import type { SkillOverview } from '../../app/results/overview.js';
import type { AdoptedVersion } from '../../app/proposals/versions.js';
import { progressMessage } from '../run/progressMessage.js';
import type { Row } from './row.js';
import type { KnownSkill } from './skillNode.js';
import { scoresText } from '../../wording/gateWords.js';
import { shareText } from '../../wording/shareText.js';
import { verdictWords } from './verdictWords.js';
import { countDecisions, rejectedPart, sentenceWith } from '../../wording/decidedEdits.js';
import { shortRun, shortVerdict } from '../../wording/shortVerdict.js';
import { retold } from '../../wording/translate.js';

/** Where a skill stands: a few words for its row, a look, and which commands make sense now. */
export interface SkillState extends Pick<Row, 'icon' | 'color' | 'contextValue'> {
  readonly words: string;
  /** Further sentences for the tooltip. */
  readonly more: readonly string[];
}

/**
 * The most important thing about a skill comes first: a run, then what waits, then what is missing, then the last run. Its
 * row says it in a few words; sentences stand in the tooltip. What menus offer goes by what there is of it.
 */
export function skillState(known: KnownSkill): SkillState {
  const state = standingOf(known);
  return { ...state, contextValue: `${state.contextValue}${marksOf(known.overview)}` };
}

/** `+tasks+runs+adopted+handed`, as far as there are any. */
function marksOf(overview: SkillOverview | undefined): string {
  if (overview === undefined) return '';
  const { tasks, runs, unfinished, history, handed = [] } = overview;
  const marks = [
    tasks === undefined ? '' : '+tasks',
    runs.length + unfinished.length === 0 ? '' : '+runs',
    history.length === 0 ? '' : '+adopted',
    handed.length === 0 ? '' : '+handed',
  ];
  return marks.join('');
}

function standingOf({ overview, trouble, running }: KnownSkill): SkillState {
  if (running !== undefined) {
    const more = [progressMessage(running, running.capUsd)];
    const contextValue = running.ofNight === true ? 'skill.running.night' : 'skill.running';
    return { words: shareText(running.share), more, icon: 'sync~spin', contextValue };
  }
  if (overview === undefined)
    return trouble === undefined
      ? plain(vscode.l10n.t('loading…'), 'skill')
      : { ...plain(vscode.l10n.t('cannot be read'), 'skill.trouble'), icon: 'warning', more: [retold(trouble)] };
  if (overview.pending !== undefined) return pendingState(overview.pending, overview.measurement);
  if (overview.tasks === undefined)
    return { ...plain(withoutTasks(overview), 'skill.withoutTasks'), more: troubleOf(overview) };
  return restingState(overview);
}

/** Most often there are none yet, and that is no sentence; a file that cannot be read says why. */
function withoutTasks({ trouble = '' }: SkillOverview): string {
  return trouble === '' || trouble.startsWith('No tasks yet') ? vscode.l10n.t('no tasks') : retold(trouble);
}

function troubleOf({ trouble }: SkillOverview): readonly string[] {
  return trouble === undefined ? [] : [retold(trouble)];
}

/** What the file holds comes before what the proposal promised: part of it is a text that nobody measured. */
function pendingState(
  { proposal, decisions, own, stale }: NonNullable<SkillOverview['pending']>,
  part: SkillOverview['measurement'],
): SkillState {
  const verdict = part.kind === 'measured' ? part.verdict : proposal.verdict;
  const { word, icon, color } =
    part.kind === 'unmeasured'
      ? { word: vscode.l10n.t('not measured, part of it is in the file'), icon: 'warning', color: 'queued' as const }
      : verdictWords(verdict);
  const edits = countDecisions(proposal, decisions);
  const { open } = edits;
  // What the file holds of it has words of its own.
  const rejected = part.kind === 'untouched' && 'figures' in verdict ? rejectedPart(edits) : undefined;
  const words = [
    ...verdictParts(verdict, own ? word : vscode.l10n.t('from another machine, not verified here'), part),
    rejected,
    pendingWords(proposal.verdict, open),
    stale ? vscode.l10n.t('the skill changed since') : undefined,
  ];
  return {
    words: joined(words),
    more: [sentenceWith(shortVerdict(verdict), rejected)],
    icon,
    color,
    contextValue: part.kind === 'unmeasured' ? 'skill.pending.unmeasured' : 'skill.pending',
  };
}

/** Where nothing can be accepted nothing is pending. */
function pendingWords({ kind }: Verdict, open: number): string {
  if (kind === 'rejected') return vscode.l10n.t('to look at only');
  return open === 1 ? vscode.l10n.t('1 edit pending') : vscode.l10n.t('{0} edits pending', open);
}

/** What the verdict is about is said where it is not the proposal: the part in the file was measured by itself. */
function verdictParts(verdict: Verdict, word: string, part: SkillOverview['measurement']): readonly string[] {
  if (part.kind === 'unmeasured') return [word];
  const parts = [scoresText(verdict), word].filter((each) => each !== undefined);
  return part.kind === 'measured' ? [vscode.l10n.t('in the file: {0}', parts.join(' · '))] : parts;
}

/** An evaluation scores and decides nothing: it says nothing about where the skill stands. */
export function trainingRuns({ runs }: Pick<SkillOverview, 'runs'>): SkillOverview['runs'] {
  return runs.filter(({ purpose }) => purpose !== 'evaluate');
}

/** The run that can go on: cut off, or stopped by the person, failed or waiting for answers and none after it. */
export function pausedRun(overview: Pick<SkillOverview, 'runs' | 'unfinished'>): RunSummary | undefined {
  const [last] = trainingRuns(overview);
  const isOpen = last?.outcome === 'cancelled' || last?.outcome === 'waiting' || isFailedTraining(last);
  return isOpen ? last : overview.unfinished[0];
}

function isFailedTraining(run: RunSummary | undefined): boolean {
  return run?.outcome === 'failed' && run.purpose === 'optimize';
}

/** Nothing waits: what can go on, else what the last adoption or the last run said. */
function restingState(overview: SkillOverview): SkillState {
  const [last] = trainingRuns(overview);
  const waiting = waitingState(overview);
  if (waiting !== undefined) return waiting;
  const [version] = overview.history;
  if (version?.action === 'adopt' && version.at >= (last?.startedAt ?? 0)) return adoptedState(version, last);
  if (last === undefined) return untrainedState(overview);
  // What it found better is neither in the file nor waiting: the person did not want it.
  if (last.verdict?.kind === 'accepted')
    return { ...plain(vscode.l10n.t('edits rejected · skill unchanged'), 'skill'), more: [shortRun(last)] };
  const more = [shortRun(last), ...last.notes.map(retold)];
  return { ...plain(joined([scoreOf(last), runWord(last)]), 'skill'), more };
}

/** A run that can go on; undefined where none can. */
function waitingState(overview: SkillOverview): SkillState | undefined {
  const [handed, ...others] = overview.handed ?? [];
  if (handed !== undefined) {
    const all = [handed, ...others];
    const waiting = all.reduce((sum, each) => sum + each.waiting, 0);
    // A measurement is made again: there is no run to resume.
    return {
      ...plain(handedWords(waiting), handed.run === undefined ? 'skill' : 'skill.paused'),
      icon: 'mail',
      more: all.map(({ folder }) => folder),
    };
  }
  const paused = pausedRun(overview);
  if (paused === undefined) return undefined;
  if (isFailedTraining(paused))
    return {
      ...plain(vscode.l10n.t('failed, can go on'), 'skill.paused'),
      icon: 'debug-pause',
      more: [shortRun(paused)],
    };
  return { ...plain(vscode.l10n.t('paused, can go on'), 'skill.paused'), icon: 'debug-pause' };
}

/** How many prompts wait for answers by hand, or that none does. */
export function handedWords(waiting: number): string {
  if (waiting === 0) return vscode.l10n.t('answered, can go on');
  return waiting === 1 ? vscode.l10n.t('1 prompt waits for its answer') : vscode.l10n.t('{0} prompts wait', waiting);
}

/** With the time that tells one run from another. */
export function begunWords(words: string, startedAt: number): string {
  return vscode.l10n.t('{0}, begun {1}', words, new Date(startedAt).toLocaleString());
}

function untrainedState({ tasks }: SkillOverview): SkillState {
  if (tasks !== undefined && hasOnlyDrafts(tasks)) return plain(draftsToConfirm(tasks.drafts.length), 'skill.drafts');
  const drafts = tasks?.drafts.length ?? 0;
  return plain(joined([vscode.l10n.t('not trained yet'), drafts === 0 ? '' : draftsToConfirm(drafts)]), 'skill');
}

function adoptedState(version: AdoptedVersion, last: SkillOverview['runs'][number] | undefined): SkillState {
  const measured = version.verdict === 'accepted';
  const verdict = verdictWords({ kind: measured ? 'accepted' : 'unmeasured' }).word;
  const words = [measured ? scoreOf(last) : undefined, vscode.l10n.t('adopted'), verdict];
  const state = plain(joined(words), version.verdict === 'unmeasured' ? 'skill.unmeasured' : 'skill');
  return measured ? { ...state, icon: 'verified-filled', color: 'passed' } : { ...state, icon: 'verified' };
}

/** What a run came to, in a word or two. */
export function runWord({ verdict, outcome, purpose }: RunSummary): string {
  if (verdict !== undefined) return verdictWords(verdict).word;
  switch (outcome) {
    case 'running':
      return vscode.l10n.t('unfinished');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'cap':
      return vscode.l10n.t('ended at its cap');
    case 'cancelled':
      return vscode.l10n.t('cancelled');
    case 'given-up':
      return vscode.l10n.t('given up');
    case 'waiting':
      return isMeasured(purpose) ? vscode.l10n.t('unfinished') : vscode.l10n.t('waits for answers');
    case 'nothing':
    case 'proposed':
      return purpose === 'evaluate' ? vscode.l10n.t('scored') : vscode.l10n.t('nothing proposed');
  }
}

/** What is made again, once its prompts are answered, and goes on as no run. */
function isMeasured(purpose: RunSummary['purpose']): boolean {
  return purpose === 'evaluate' || purpose === 'measure';
}

function scoreOf(run: SkillOverview['runs'][number] | undefined): string | undefined {
  return run?.verdict === undefined ? undefined : scoresText(run.verdict);
}

function plain(words: string, contextValue: string): SkillState {
  return { words, more: [], icon: 'mortar-board', contextValue };
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Nothing counts yet, and something waits to be confirmed. */
export function hasOnlyDrafts({ training, heldOut, sealed, drafts }: NonNullable<SkillOverview['tasks']>): boolean {
  return training.length + heldOut.length + sealed.length === 0 && drafts.length > 0;
}

/** What is to be done before a skill with nothing but drafts can be trained. */
export function draftsToConfirm(count: number): string {
  return count === 1 ? vscode.l10n.t('1 draft to confirm') : vscode.l10n.t('{0} drafts to confirm', count);
}
