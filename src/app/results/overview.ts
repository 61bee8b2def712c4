import { RunSummarySchema, type RunSummary } from '../../engine/journal/runSummary.js';
import { messageOf } from '../../errors.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import { readDecisions } from '../../storage/proposals/decisions.js';
import { historyOf } from '../../storage/adoption/history.js';
import { proposalFile, readProposal } from '../../storage/proposals/proposals.js';
import type { ReceiptReading } from '../../storage/adoption/receipts.js';
import { rejectedEditsOf } from '../../storage/proposals/rejectedEdits.js';
import { listRuns, type RunListing } from '../../storage/runs/summaries.js';
import type { Places } from '../../storage/state/places.js';
import { TasksMalformedError } from '../../tasks/taskFile.js';
import type { OpenSkill } from '../openSkill.js';
import { measuredTexts } from '../proposals/measuredTexts.js';
import { documentFiles, isStale } from '../proposals/documentFiles.js';
import { RejectedEditSchema } from '../runs/runInputs.js';
import { readSkillTasks } from '../tasks/skillTasks.js';
import { statusOnDisk, type TextOnDisk } from '../../review/measurementStatus.js';
import type { EditDecision } from '../../review/reviewDecision.js';
import { unfinishedRuns } from '../runs/unfinishedRuns.js';
import type { AdoptedVersion, PendingProposal, RejectedEditView, SkillOverview } from '../useCases.js';

/** The runs of a workspace, as listed by storage. */
export type ListedRuns = readonly RunListing<RunSummary>[];

/**
 * What views show of a skill: tasks, the pending proposal, runs and history. Calls no model and writes nothing. Those
 * who look at many skills of a workspace list its runs once and hand them in.
 */
export async function overviewOf(skill: OpenSkill, listed?: Promise<ListedRuns>): Promise<SkillOverview> {
  const tasks = await tasksOf(skill);
  const [pending, history] = await Promise.all([pendingOf(skill), versionsOf(skill)]);
  const runs = await (listed ?? listRuns(skill.store, RunSummarySchema));
  return {
    skillPath: skill.places.skillPath,
    skillKey: skill.places.skillKey,
    name: skill.name,
    tasks: tasks.tasks,
    pending,
    measurement: statusOnDisk(await textOnDisk(skill, pending, history)),
    runs: ownRuns(skill, runs),
    unfinished: (await unfinishedRuns(skill, runs)).map((run) => run.summary),
    history,
    rejected: await rejectedOf(skill),
    trouble: tasks.trouble,
    troubleAt: tasks.troubleAt,
    note: skill.places.note,
  };
}

/** The proposal that waits for this skill, with what was decided on it so far. */
export async function pendingOf(skill: OpenSkill): Promise<PendingProposal | undefined> {
  const reading = await readProposal(skill.store);
  if (reading.kind !== 'verified' && reading.kind !== 'made-elsewhere') return undefined;
  const { proposal } = reading;
  const names = proposal.documents.map(({ kind, path }) => ({ kind, documentPath: path }));
  return {
    proposal,
    file: proposalFile(skill.store),
    documentFiles: documentFiles(skill.places, names),
    own: reading.kind === 'verified',
    stale: await isStale(skill, proposal),
    decisions: await decisionsOn(skill, proposal.id),
  };
}

async function decisionsOn(skill: OpenSkill, proposalId: string): Promise<Readonly<Record<string, EditDecision>>> {
  const decisions = Object.entries(await readDecisions(skill.store, proposalId));
  return Object.fromEntries(
    decisions.map(([id, decision]) => [id, decision.kind === 'edited' ? { kind: 'edited' as const } : decision]),
  );
}

/** What decides whether the text of the skill on disk was measured. */
export async function textOnDisk(
  skill: OpenSkill,
  pending: PendingProposal | undefined,
  versions: readonly AdoptedVersion[],
): Promise<TextOnDisk> {
  const history = versions.filter(({ document }) => document === 'skill');
  if (pending !== undefined) {
    const { id, documents } = pending.proposal;
    const document = documents.find(({ kind }) => kind === 'skill');
    return { hash: skill.hash, pending: { proposalId: id, document }, decisions: pending.decisions, history };
  }
  const last = history.find(({ own }) => own)?.proposalId;
  const decisions = last === undefined ? {} : await decisionsOn(skill, last);
  return { hash: skill.hash, pending: undefined, decisions, history };
}

async function tasksOf(skill: OpenSkill): Promise<Pick<SkillOverview, 'tasks' | 'trouble' | 'troubleAt'>> {
  try {
    const found = await readSkillTasks(skill);
    if (found === undefined)
      return { tasks: undefined, trouble: 'No tasks yet: there is no evals/evals.json beside the skill.' };
    const { split } = found.result;
    return {
      tasks: {
        training: split.training,
        heldOut: split.heldOut,
        sealed: split.sealed,
        drafts: found.read.tasks.filter((task) => task.draft),
        setAside: split.setAside,
        disabled: found.read.tasks.filter((task) => !task.enabled && !task.draft),
        broken: found.read.broken,
        problems: found.read.problems,
      },
      trouble: undefined,
    };
  } catch (error) {
    const troubleAt = error instanceof TasksMalformedError ? error.place : undefined;
    return { tasks: undefined, trouble: messageOf(error), troubleAt };
  }
}

/** The runs of this skill that this user made here, newest first. */
export async function runsOf(skill: OpenSkill): Promise<readonly RunSummary[]> {
  return ownRuns(skill, await listRuns(skill.store, RunSummarySchema));
}

async function rejectedOf(skill: OpenSkill): Promise<readonly RejectedEditView[]> {
  const edits = await rejectedEditsOf(skill.store, RejectedEditSchema).all();
  return edits.toReversed().map(({ content, anchor, reason }) => ({ text: content ?? anchor ?? '', reason }));
}

function ownRuns(skill: OpenSkill, listed: ListedRuns): readonly RunSummary[] {
  const own = listed.flatMap((run) =>
    run.kind === 'verified' && run.summary.skillKey === skill.places.skillKey ? [run.summary] : [],
  );
  // Ids tell the second; of two runs in one second only the journal knows which came first.
  return own.sort((a, b) => b.startedAt - a.startedAt);
}

/** Every version, newest first. One that nobody had measured when it was written carries what measuring it gave since. */
export async function versionsOf(skill: OpenSkill): Promise<readonly AdoptedVersion[]> {
  const entries = await historyOf(skill.store);
  const measured = entries.length === 0 ? new Map<string, Verdict>() : await measuredTexts(skill.store);
  return entries
    .flatMap(({ reading }) => versionOf(reading, skill.places) ?? [])
    .map((version) => {
      const since = version.own && version.verdict === 'unmeasured' ? measured.get(version.afterHash) : undefined;
      return since === undefined ? version : { ...version, verdict: since.kind, measured: since };
    });
}

/** A receipt as a version that people recognise. */
export function versionOf(reading: ReceiptReading, places: Places): AdoptedVersion | undefined {
  if (!('receipt' in reading)) return undefined;
  const { receipt } = reading;
  const documents = shownFirst(receipt.documents);
  const [document] = documents;
  return {
    id: String(receipt.seq),
    at: receipt.at,
    action: receipt.action,
    proposalId: receipt.proposalId,
    verdict: receipt.verdict,
    measured: undefined,
    beforeHash: document?.before ?? '',
    afterHash: document?.after ?? '',
    document: document?.kind ?? 'skill',
    files: Object.values(documentFiles(places, documents)),
    own: reading.kind === 'verified',
  };
}

/** The skill before its memory file. */
function shownFirst<Document extends { readonly kind: 'skill' | 'memory' }>(
  documents: readonly Document[],
): readonly Document[] {
  return documents.toSorted((a, b) => Number(a.kind === 'memory') - Number(b.kind === 'memory'));
}
