import { RunSummarySchema, type RunSummary } from '../../engine/journal/runSummary.js';
import { messageOf } from '../../errors.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import { readDecisions } from '../../storage/proposals/decisions.js';
import { historyOf } from '../../storage/adoption/history.js';
import { proposalFile, readProposal } from '../../storage/proposals/proposals.js';
import type { ReceiptReading } from '../../storage/adoption/receipts.js';
import { rejectedEditsOf } from '../../storage/proposals/rejectedEdits.js';
import { listRuns, type RunListing } from '../../storage/runs/summaries.js';
import { TasksMalformedError } from '../../tasks/taskFile.js';
import type { OpenSkill } from '../openSkill.js';
import { measuredTexts } from '../proposals/measuredTexts.js';
import { isStale } from '../proposals/rebaseDocuments.js';
import { RejectedEditSchema } from '../runs/runInputs.js';
import { readSkillTasks } from '../tasks/skillTasks.js';
import { takenPart } from '../proposals/takenPart.js';
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
    taken: takenPart({ pending, history }),
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
  const decisions = await readDecisions(skill.store, proposal.id);
  return {
    proposal,
    file: proposalFile(skill.store),
    own: reading.kind === 'verified',
    stale: await isStale(skill, proposal),
    decisions: Object.fromEntries(
      Object.entries(decisions).map(([id, decision]) => [
        id,
        decision.kind === 'edited' ? { kind: 'edited' as const } : decision,
      ]),
    ),
  };
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
    .flatMap(({ reading }) => versionOf(reading) ?? [])
    .map((version) => {
      const since = version.own && version.verdict === 'unmeasured' ? measured.get(version.afterHash) : undefined;
      return since === undefined ? version : { ...version, verdict: since.kind, measured: since };
    });
}

/** A receipt as a version that people recognise. */
export function versionOf(reading: ReceiptReading): AdoptedVersion | undefined {
  if (!('receipt' in reading)) return undefined;
  const { receipt } = reading;
  const [document] = receipt.documents;
  return {
    id: String(receipt.seq),
    at: receipt.at,
    action: receipt.action,
    proposalId: receipt.proposalId,
    verdict: receipt.verdict,
    measured: undefined,
    beforeHash: document?.before ?? '',
    afterHash: document?.after ?? '',
    own: reading.kind === 'verified',
  };
}
