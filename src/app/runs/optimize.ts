import { quotedHeldOut } from '../../tasks/split/quotedHeldOut.js';
import { similarHeldOut } from '../../tasks/split/similarHeldOut.js';
import { sameTextKey } from '../../tasks/split/nearDuplicates.js';
import { messageOf } from '../../errors.js';
import { consolidate, consolidateAction, type ConsolidateAction } from '../../engine/consolidate/consolidate.js';
import type { ConsolidateSubject } from '../../engine/consolidate/evolve.js';
import { optimizeSkill, type RunResult } from '../../engine/optimizeSkill.js';
import { removeDecisions } from '../../storage/proposals/decisions.js';
import { proposalFile, refuseUnstageable, writeProposal } from '../../storage/proposals/proposals.js';
import { redactingValues } from '../../redaction/redactValue.js';
import { rejectedEditsOf } from '../../storage/proposals/rejectedEdits.js';
import { metaSkillOf } from '../../storage/proposals/metaSkills.js';
import { taskArchiveOf, taskWithoutSecrets, type PastTask } from '../../storage/state/taskArchive.js';
import { trainedTextsOf } from '../../storage/state/trainedTexts.js';
import type { SkillStore } from '../../storage/state/store.js';
import type { SplitTasks, TrainingTask } from '../../tasks/task.js';
import { isConsolidation } from './runOptionsFor.js';
import { judgeNotes } from '../judge/judgeStanding.js';
import { undescribedNotes } from './undescribed.js';
import { editUnits } from '../proposals/chosenPart.js';
import type { RunStart } from './runStart.js';
import { thrownEnd, withSkillRun, type SkillRun } from './skillRun.js';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import type { NoProposal } from '../../engine/noProposal.js';
import type { Proposal } from '../../ports/proposal.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import { lastCallError } from '../../engine/journal/diagnostics.js';
import { keepArtifacts, type ArtifactWriter } from '../artifacts/writeArtifacts.js';
import { taskPrompts } from '../artifacts/taskPrompts.js';
import { typeOfTask } from '../../engine/stepPlans.js';
import { editableFiles } from '../environments/editableFiles.js';
import { filesInside } from '../../storage/files/filesInside.js';
import type { RunJournal } from './runJournal.js';
import type { World } from '../world.js';
import { paced } from '../paced.js';
import { noteLearned, recallableTasks } from '../tasks/learnedSessions.js';
import { recallSimilar } from '../../engine/consolidate/trainingTasks.js';
import { findMemoryFile } from './memoryFile.js';

/** What a run came to: a proposal that is staged, or why there is none. */
export interface OptimizeResult {
  readonly runId: string;
  readonly summary: RunSummary;
  readonly proposal: Proposal | undefined;
  /** Where the proposal lies, for the person to find. */
  readonly proposalFile: string | undefined;
  /** What of the proposal can be decided by itself: single edits, and those that are bound to each other. */
  readonly units?: readonly (readonly string[])[] | undefined;
  readonly noProposal: (NoProposal & UnseenChecks) | undefined;
  /** What the last call that gave no answer said; undefined where every one did. */
  readonly callError?: string | undefined;
  /** What it did in the words of SkillOpt-Sleep, where it was a consolidation. */
  readonly action?: ConsolidateAction | undefined;
}

interface UnseenChecks {
  /** Which checks the optimizer was told nothing about, in a sentence, where that may be why nothing is proposed. */
  readonly undescribed?: string | undefined;
}

/** Trains a skill and stages what came of it. The skill's file is not touched. */
export async function optimize(start: RunStart, signal: AbortSignal): Promise<OptimizeResult> {
  await refuseUnstageable(start.skill.store);
  return withSkillRun(start, signal, async (run) => {
    const ending = toEnd(start, run);
    try {
      const learns = start.tasks.result.split.training.map(sameTextKey);
      await trainedTextsOf(start.skill.store).add(learns, run.signal);
      await noteLearned(start.skill, start.tasks.result.split.training, run.signal);
      await taskArchiveOf(start.skill.store).add(unconfirmedIn(start.tasks), run.signal);
      const result = await resultOf(start, run);
      await rejectedEditsOf(start.skill.store).add(result.rejected, run.signal);
      await keepNotes(start, run, result);
      const finished = await finish(start, { ...run, ending }, result);
      if (!isConsolidation(start.purpose)) return finished;
      await taskArchiveOf(start.skill.store).add(pastTasks(start.tasks), run.signal);
      return { ...finished, action: consolidateAction(result, start.options) };
    } catch (thrown) {
      const { outcome, reason: why, error } = await thrownEnd(run, thrown);
      const reason = outcome === 'cancelled' ? 'Cancelled. Nothing was changed.' : why;
      // Where the end cannot be written down either, the person is told what came first.
      await endRun(ending, { outcome, reason }, undefined).catch(() => undefined);
      throw error;
    }
  });
}

/** What the person wrote while the run went on stays. */
async function keepNotes({ world, skill }: RunStart, { context, signal }: SkillRun, result: RunResult): Promise<void> {
  const before = context.metaSkill ?? '';
  const { metaSkill = before } = result;
  if (metaSkill === before || (await metaSkillOf(skill.store).replace(before, metaSkill, signal))) return;
  world.tell(
    `${skill.name}: the notes of the optimizer were changed while the run went on. They stay as they are now.`,
  );
}

async function resultOf(start: RunStart, run: SkillRun): Promise<RunResult> {
  const notes = [
    ...similarHeldOut(start.tasks.result),
    ...quotedHeldOut(start.tasks.result.split, start.skill.text),
    ...undescribedNotes(start.tasks),
    ...(await judgeNotes(start.skill, start.tasks.result.split, run.names.judge)),
    ...(await recallNotes(start)),
  ];
  for (const text of notes) run.context.record({ kind: 'note', text });
  if (!isConsolidation(start.purpose)) return optimizeSkill(run.context, await subjectOf(start, run), run.signal);
  return consolidate(run.context, await consolidateSubjectOf(start, run.names), run.signal);
}

async function subjectOf(start: RunStart, run: SkillRun): Promise<Parameters<typeof optimizeSkill>[1]> {
  const { skill, tasks } = start;
  return {
    skillKey: skill.places.skillKey,
    skillName: skill.name,
    skillPath: skill.places.documentPath,
    skill: skill.text,
    files: await editableFiles(start, run.signal),
    memory: undefined,
    tasks: tasks.result.split,
    leaks: tasks.result.leaks,
    models: run.names,
  };
}

async function finish(
  start: RunStart,
  { journal, settled, redactor, ending }: SkillRun & { readonly ending: RunToEnd },
  result: RunResult,
): Promise<OptimizeResult> {
  const { store } = start.skill;
  const { runId } = journal;
  const hide = redactingValues(redactor); // what is shown now is what is stored
  if (result.kind === 'nothing') {
    const nothing = hide(result.nothing).value;
    const outcome = nothing.cause === 'cap' ? 'cap' : nothing.cause === 'backend-failed' ? 'failed' : 'nothing';
    const summary = await endRun(ending, { outcome, reason: nothing.reason }, undefined, nothing);
    const [undescribed] = nothing.cause.startsWith('edits-') ? undescribedNotes(start.tasks) : [];
    const noProposal = { ...nothing, undescribed };
    const callError = callErrorIn(journal);
    return { runId, summary, proposal: undefined, proposalFile: undefined, noProposal, callError };
  }
  const proposal = { ...result.proposal, leftOut: hide(result.proposal.leftOut).value };
  await settled();
  await removeDecisions(store);
  await writeProposal(store, proposal);
  const summary = await endRun(ending, { outcome: 'proposed', reason: proposal.verdict.reason }, proposal);
  const units = proposal.documents.flatMap(editUnits);
  const found = { proposalFile: proposalFile(store), units, callError: callErrorIn(journal) };
  return { runId, summary, proposal, ...found, noProposal: undefined };
}

function callErrorIn(journal: RunJournal): string | undefined {
  return lastCallError(journal.log().events.map(({ event }) => event));
}

/** What is needed to end a run: where it is written down, and where what it leaves. */
interface RunToEnd {
  readonly world: World;
  readonly journal: RunJournal;
  readonly artifacts: ArtifactWriter;
}

/** Writes down what the run leaves from now on. */
export function toEnd(
  { world, skill, tasks, options, out }: RunStart,
  { journal, context, redactor }: SkillRun,
): RunToEnd {
  const { texts, prompts, hooks } = context;
  const files = filesInside(skill.folder);
  const rows = { typeOf: typeOfTask(hooks), promptsOf: taskPrompts({ files, folder: skill.folder, prompts }) };
  const sources = { skill, tasks: tasks.result.split, texts, options, redactor, out, ...rows };
  return { world, journal, artifacts: keepArtifacts(sources, journal) };
}

/** The last event, the artifacts, the stored fold. Artifacts are for reading: a run whose cannot be written is no worse. */
export function endRun(
  { world, journal, artifacts }: RunToEnd,
  ended: Omit<Extract<RunEvent, { kind: 'run-ended' }>, 'kind'>,
  proposal: Proposal | undefined,
  nothing?: NoProposal,
): Promise<RunSummary> {
  return journal.end(
    { kind: 'run-ended', ...ended },
    {
      sums: (log) => artifacts.sums(log, proposal),
      async write(log) {
        try {
          await artifacts.finish(log, proposal, nothing);
        } catch (error) {
          world.tell(`The report of the run ${log.runId} could not be written: ${messageOf(error)}`);
        }
      },
    },
  );
}

/** What a consolidation is about: the skill, the memory file where it takes part, and what is recalled of the past. */
async function consolidateSubjectOf(start: RunStart, models: Proposal['models']): Promise<ConsolidateSubject> {
  const { world, skill, tasks, options, memoryReadOnly = false, earlier } = start;
  const { memory, recall } = options.consolidate;
  const found = memory ? await findMemoryFile(skill.places) : undefined;
  if (memory && found === undefined) world.tell(`${skill.name}: there is no memory file to evolve. ${expected}`);
  const { split, leaks } = tasks.result;
  const archive = recall === 0 ? [] : (await recallableTasks(skill, tasks.unconfirmed)).tasks;
  return {
    skillKey: skill.places.skillKey,
    skillName: skill.name,
    skillPath: skill.places.documentPath,
    skill: skill.text,
    files: await editableFiles(start),
    memoryFile: found === undefined ? undefined : { ...found, evolve: !memoryReadOnly },
    tasks: split,
    models,
    leaks,
    earlier,
    recalled:
      archive.length === 0
        ? []
        : await paced(
            recallSimilar({ archive, split: asArchived(skill.store, split), present: tasks.read.tasks }, recall),
          ),
  };
}

async function recallNotes({ skill, tasks, options, purpose }: RunStart): Promise<readonly string[]> {
  if (!isConsolidation(purpose) || options.consolidate.recall === 0) return [];
  const { withoutRule } = await recallableTasks(skill, tasks.unconfirmed);
  if (withoutRule === 0) return [];
  const many = withoutRule === 1 ? '1 task' : `${withoutRule} tasks`;
  return [
    `Not recalled: ${many} of earlier nights out of sessions, of which nothing says that every criterion is yours.`,
  ];
}

/** Noted before anything is learned from them: whatever becomes of the run, their sessions can prove nothing. */
function unconfirmedIn(tasks: RunStart['tasks']): ReturnType<typeof pastTasks> {
  const taken = new Set(tasks.unconfirmed?.taken.map(({ id }) => id));
  return pastTasks(tasks).filter(({ id }) => taken.has(id));
}

/** The training tasks with where they came from, for the archive. */
function pastTasks({ result, unconfirmed, filed }: RunStart['tasks']): readonly (TrainingTask & PastTask)[] {
  const drafts = new Map(unconfirmed?.taken.map(({ id, from }) => [id, from]));
  return result.split.training.map((task) => {
    const from = filed === undefined || filed.has(task.id) ? 'files' : 'brought';
    return { ...task, from: drafts.get(task.id) ?? from };
  });
}

/** Compared with what the archive holds, which has no secrets: otherwise the same text would not be alike. */
function asArchived(store: SkillStore, { training, heldOut, sealed, setAside }: SplitTasks): SplitTasks {
  return {
    training: training.map((task) => taskWithoutSecrets(store, task)),
    heldOut: heldOut.map((task) => taskWithoutSecrets(store, task)),
    sealed: sealed.map((task) => taskWithoutSecrets(store, task)),
    setAside: setAside.map(({ task, reason }) => ({ task: taskWithoutSecrets(store, task), reason })),
  };
}

const expected = 'It would be CLAUDE.md, AGENTS.md or .github/copilot-instructions.md in the root of the workspace.';
