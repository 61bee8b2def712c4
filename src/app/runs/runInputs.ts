import type { PackageFiles } from '../../skill/package/packageFile.js';
import { editableFiles, shownScripts } from '../environments/editableFiles.js';
import * as z from 'zod';
import type { RejectedEdit } from '../../engine/stages/history.js';
import type { RunInputs } from '../../engine/journal/runEvents.js';
import { UserError } from '../../errors.js';
import type { Proposal } from '../../ports/proposal.js';
import type { PromptOverrides } from '../../prompts/renderPrompt.js';
import { canonicalJson } from '../../hash.js';
import { sha256 } from '../../hash.js';
import { parseJson } from '../../parseJson.js';
import { stillRejected } from '../../engine/rejectedEdits.js';
import { RejectedEditSchema, rejectedEditsOf } from '../../storage/proposals/rejectedEdits.js';
import { openTexts } from '../../storage/files/contentStore.js';
import type { BegunRun } from './runJournal.js';
import type { OpenSkill } from '../openSkill.js';
import { promptOverridesOf } from '../promptOverrides.js';
import { movedTasks } from '../../tasks/split/moveTasks.js';
import { metaSkillOf } from '../../storage/proposals/metaSkills.js';
import type { SplitTasks } from '../../tasks/task.js';
import { storeItems } from '../tasks/bringItems.js';
import type { RunStart } from './runStart.js';
import { shownModel } from '../../wording/programs/shownModel.js';

/** What a run is made from beside the skill, its tasks and its options, with the hashes that its journal keeps. */
export interface RunMaterial {
  readonly prompts: PromptOverrides;
  readonly rejected: readonly RejectedEdit[];
  /** The optimizer's notes; empty where there are none, or where they take no part. */
  readonly metaSkill: string;
  /** What the optimizer is shown of the package and cannot edit. */
  readonly scripts: PackageFiles | undefined;
  readonly hashes: RunInputs;
}

type InputsOf = Pick<RunStart, 'skill' | 'tasks'>;

/** Gathers the inputs. A resumed run gets the rejected edits and the notes of when it began: what came later must not change it. */
export async function gatherInputs(
  start: InputsOf & Pick<RunStart, 'options' | 'earlier'>,
  resumed: BegunRun | undefined,
): Promise<RunMaterial> {
  const { skill, options, earlier } = start;
  const { result, brought } = start.tasks;
  const { prompts, hashes } = await readByAttempts(start);
  const texts = openTexts(skill.store);
  const kept = resumed === undefined ? undefined : await texts.get(resumed.started.inputs.rejected);
  const stored = z.array(RejectedEditSchema).safeParse(parseJson(kept ?? ''));
  const rejected = stored.success ? stored.data : await rejectedNow(start);
  const metaSkill = options.metaSkill.on ? await notesOf(skill, resumed) : '';
  return {
    prompts,
    rejected,
    metaSkill,
    scripts: await shownScripts(start),
    hashes: {
      tasks: tasksHash(result.split),
      ...hashes,
      rejected: await texts.put(JSON.stringify(rejected)),
      ...(metaSkill === '' ? {} : { metaSkill: await texts.put(metaSkill) }),
      ...(earlier === undefined ? {} : { earlier: await texts.put(earlier) }),
      ...(brought === undefined ? {} : { items: await storeItems(skill, brought) }),
    },
  };
}

/** What attempts read beside SKILL.md and their tasks, as far as a run may be told to change it. */
export async function readByAttempts({
  skill,
  tasks,
  options,
}: Pick<RunStart, 'skill' | 'tasks' | 'options'>): Promise<{
  readonly prompts: PromptOverrides;
  readonly hashes: Pick<RunInputs, 'prompts' | 'files'>;
}> {
  const files = await editableFiles({ skill, tasks, options });
  const prompts = await promptOverridesOf(skill);
  return {
    prompts,
    hashes: {
      prompts: sha256(canonicalJson([...prompts].map(([name, { text }]) => [name, text]))),
      ...(files === undefined ? {} : { files: sha256(canonicalJson(files)) }),
    },
  };
}

/** Which tasks a run is made from, and on which side each is. */
export function tasksHash({ training, heldOut, sealed }: SplitTasks): string {
  const sides = [training, heldOut, sealed].map((side) => side.map((task) => task.contentHash));
  return sha256(canonicalJson(sides));
}

/** The edits that are not to be proposed again, as the held-out tasks of now have it. */
export async function rejectedNow({ skill, tasks: { result } }: InputsOf): Promise<readonly RejectedEdit[]> {
  return stillRejected(await rejectedEditsOf(skill.store).all(), result.split.heldOut, movedTasks(result));
}

async function notesOf({ store }: OpenSkill, resumed: BegunRun | undefined): Promise<string> {
  if (resumed === undefined) return metaSkillOf(store).read();
  const { metaSkill } = resumed.started.inputs;
  return metaSkill === undefined ? '' : ((await openTexts(store).get(metaSkill)) ?? '');
}

/** What the run compares with today's text, as it was when it began. */
export async function earlierOf({ store }: OpenSkill, { started }: BegunRun): Promise<string | undefined> {
  const { earlier } = started.inputs;
  return earlier === undefined ? undefined : openTexts(store).get(earlier);
}

/** The inputs that have to be as they were. */
type RunsOn = Pick<RunInputs, 'tasks' | 'prompts' | 'files'>;

/** The same for who only asks what is left of it: nothing is written. */
export async function refuseToGoOn(
  start: InputsOf & Pick<RunStart, 'options'>,
  resume: BegunRun,
  models: Proposal['models'],
): Promise<void> {
  const { hashes } = await readByAttempts(start);
  const inputs = { tasks: tasksHash(start.tasks.result.split), ...hashes };
  refuseChanged(resume, { skill: start.skill, inputs, models });
}

/** A run goes on only where everything is as it was: otherwise half of it would be about something else. */
export function refuseChanged(
  { runId, started }: BegunRun,
  now: { readonly skill: OpenSkill; readonly inputs: RunsOn; readonly models: Proposal['models'] },
): void {
  const models = (['target', 'optimizer', 'judge'] as const).find((role) => started.models[role] !== now.models[role]);
  const changed =
    started.baseHash !== now.skill.hash || started.inputs.files !== now.inputs.files
      ? 'the skill has changed since it began'
      : started.inputs.tasks !== now.inputs.tasks
        ? 'the tasks have changed since it began'
        : started.inputs.prompts !== now.inputs.prompts
          ? 'the prompts in .whetstone/prompts have changed since it began'
          : models === undefined
            ? undefined
            : `its ${models} model was ${shownModel(started.models[models])}, not ${shownModel(now.models[models])}`;
  if (changed === undefined) return;
  throw new UserError(
    'run-not-resumable',
    `The run ${runId} cannot go on: ${changed}.`,
    models === undefined ? 'Start a new run.' : 'Choose the models that it began with, or start a new run.',
  );
}
