import * as vscode from 'vscode';
import type { SkillOverview } from '../../app/results/overview.js';
import { cureIn, messageOf } from '../../errors.js';
import type { AgentTask, Task } from '../../tasks/task.js';
import { retold } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import { askText, pickOne } from '../shown/questions.js';
import { requestFor } from '../workbench.js';
import type { TaskParts } from './taskParts.js';

/** How a new task is attempted; empty in a chat. */
export type AttemptWay = Partial<Pick<Task, 'environment' | 'agent'>>;

/** What asks; `made` is told the name of a folder that was made for the task, which may not come to be. */
interface AskParts extends Pick<TaskParts, 'useCases'> {
  readonly made: (name: string) => void;
}

/** Asks how a new task is attempted, as the last one first; undefined where the person thinks better of it. */
export async function askAttempt(
  skillPath: string,
  tasks: SkillOverview['tasks'],
  parts: AskParts,
): Promise<AttemptWay | undefined> {
  const last = [...(tasks?.training ?? []), ...(tasks?.heldOut ?? [])].at(-1);
  const rows = [
    ...(last?.agent === undefined
      ? []
      : [
          {
            label: vscode.l10n.t('Like the last task'),
            detail: vscode.l10n.t('By an agent, in {0}.', fixtureName(last.agent.fixture)),
            ask: async (): Promise<AttemptWay> => ({ environment: 'agent', agent: last.agent }),
          },
        ]),
    {
      label: vscode.l10n.t('In a chat'),
      detail: vscode.l10n.t('A model is shown the skill and the request, and answers.'),
      ask: async (): Promise<AttemptWay> => ({}),
    },
    {
      label: vscode.l10n.t('By an agent in a folder'),
      detail: vscode.l10n.t(
        'A program such as Claude Code or Codex works on files, in a throw-away copy of a folder, and is judged by what it leaves.',
      ),
      ask: () => askAgent(skillPath, parts),
    },
  ];
  return (await pickOne(rows, { title: vscode.l10n.t('How is the task attempted?') }))?.ask();
}

/** What must have become of the files; an empty answer leaves it to the expectation. Undefined where it was closed. */
export async function askChangedFile({ useCases }: Pick<TaskParts, 'useCases'>): Promise<string | undefined> {
  const known = await useCases();
  const file = await askText({
    title: vscode.l10n.t('Which file must the agent add, change or delete?'),
    prompt: vscode.l10n.t('Relative to its folder, such as src/*.ts. Leave it empty where no single file tells.'),
    validateInput: (text) => inWords(known.changedFileProblem(text)),
  });
  return file?.trim();
}

/** Whether an attempt that leaves the skill alone fails. Undefined where it was closed. */
export async function askSkillUse(): Promise<boolean | undefined> {
  const rows = [
    {
      label: vscode.l10n.t('The agent must use the skill'),
      detail: vscode.l10n.t(
        'Adds the check skill_used: an attempt that leaves the skill alone fails. Without the skill it is not asked.',
      ),
      mustUse: true,
    },
    {
      label: vscode.l10n.t('Only what it leaves counts'),
      detail: vscode.l10n.t('No check on whether it used the skill.'),
      mustUse: false,
    },
  ];
  return (await pickOne(rows, { title: vscode.l10n.t('Must the agent use the skill?') }))?.mustUse;
}

async function askAgent(skillPath: string, parts: AskParts): Promise<AttemptWay | undefined> {
  const fixture = await askFixture(skillPath, parts);
  if (fixture === undefined) return undefined;
  const modes = [
    {
      label: vscode.l10n.t('Offered'),
      detail: vscode.l10n.t('The agent decides whether it uses the skill: its description is tested too.'),
      mode: 'offered' as const,
    },
    {
      label: vscode.l10n.t('Forced'),
      detail: vscode.l10n.t('The agent is told to use the skill.'),
      mode: 'forced' as const,
    },
  ];
  const mode = (await pickOne(modes, { title: vscode.l10n.t('How does the agent come to the skill?') }))?.mode;
  return mode === undefined ? undefined : { environment: 'agent', agent: { fixture, mode } };
}

async function askFixture(skillPath: string, { useCases, made }: AskParts): Promise<AgentTask['fixture'] | undefined> {
  const known = await useCases();
  const { folders, repository } = await known.agentFixtures(requestFor(skillPath), neverAborted());
  const make = vscode.l10n.t('New empty folder…');
  const rows = [
    ...folders.map((fixture) => ({ label: fixture, fixture })),
    { label: make, detail: vscode.l10n.t('In evals/fixtures; put the files into it that the agent should find.') },
    ...(repository === undefined
      ? []
      : [
          {
            label: vscode.l10n.t('This repository as it was last committed'),
            description: repository.commit.slice(0, 10),
            detail: vscode.l10n.t('Its files at that commit, without history, tasks and copies of the skill.'),
            fixture: repository,
          },
        ]),
  ];
  const picked = await pickOne<(typeof rows)[number] & { readonly fixture?: AgentTask['fixture'] }>(rows, {
    title: vscode.l10n.t('Which folder does the agent start from?'),
  });
  if (picked?.label !== make) return picked?.fixture;
  const folder = await makeFolder(skillPath, folders, known);
  if (folder !== undefined) made(folder.slice(folder.lastIndexOf('/') + 1));
  return folder;
}

/** Asks for a name until there is a folder of it: what was typed stays in the box, with what is wrong with it. */
async function makeFolder(
  skillPath: string,
  folders: readonly string[],
  known: Awaited<ReturnType<TaskParts['useCases']>>,
): Promise<string | undefined> {
  let failed: { readonly value: string; readonly prompt: string } | undefined;
  for (;;) {
    const typed = await askText({
      title: vscode.l10n.t('A name for the folder'),
      ...failed,
      validateInput: (text) => whyNoFolder(text.trim(), folders, known),
    });
    if (typed === undefined) return undefined;
    const name = typed.trim();
    try {
      return await known.addFixture({ ...requestFor(skillPath), name }, neverAborted());
    } catch (error) {
      failed = { value: name, prompt: [messageOf(error), cureIn(error)].map(retold).join(' ') };
    }
  }
}

function whyNoFolder(
  name: string,
  folders: readonly string[],
  { fixtureNameProblem }: Pick<Awaited<ReturnType<TaskParts['useCases']>>, 'fixtureNameProblem'>,
): string | undefined {
  if (name === '') return vscode.l10n.t('Give it a name.');
  if (folders.includes(`evals/fixtures/${name}`)) return vscode.l10n.t('That name is taken.');
  return inWords(fixtureNameProblem(name));
}

function inWords(problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : retold(problem);
}

function fixtureName(fixture: AgentTask['fixture']): string {
  return typeof fixture === 'string' ? fixture : fixture.commit.slice(0, 10);
}
