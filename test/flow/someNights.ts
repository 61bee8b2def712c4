import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { NightResult } from '../../src/app/nights/nightResult.js';
import type { NightRequest } from '../../src/app/nights/nightSkills.js';
import type { SkillOverview } from '../../src/app/results/overview.js';
import type { UseCases } from '../../src/app/useCases.js';
import type { World } from '../../src/app/world.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import type { Task } from '../../src/tasks/task.js';
import { stateOf } from '../builders/aPreparedHome.js';
import { neverAborted } from '../builders/storage.js';
import { aNightRequest, aNightWorkspace, aSettableClock, silent, type NightWorkspace } from './nightWorkspace.js';
import { tellSession } from './toldSessions.js';

export const aDay = 24 * 3_600_000;
export const firstNight = Date.UTC(2026, 10, 2, 3);
export const skillName = 'incident-summary';

/** What was asked in a session, what was said of the answer, and the commit of the repository where it is known. */
export interface Told {
  readonly asked: string;
  readonly remark: string;
  readonly commit?: string | undefined;
}

/** The demo's incident-summary over some nights, with sessions of Claude Code in the person's home. */
export interface SomeNights {
  readonly workspace: NightWorkspace;
  readonly home: string;
  readonly useCases: UseCases;
  readonly request: { readonly skillPath: string; readonly workspaceFolders: readonly string[] };
  /** Writes sessions of the day before a night. */
  tell(night: number, told: readonly Told[]): void;
  run(night: number, more?: Partial<NightRequest>): Promise<NightResult>;
  sides(): Promise<Readonly<Record<'training' | 'heldOut' | 'sealed', readonly Task[]>>>;
  drafts(): Promise<readonly Task[]>;
  /** Confirms by day every draft that carries no instructions, those that are named alone where some are. */
  confirm(only?: readonly string[]): Promise<void>;
  score(tasks: readonly Task[]): Promise<number>;
  /** Whether the target was asked this. */
  attempted(prompt: string): boolean;
  calls(): number;
  homeState(): Readonly<Record<string, string>>;
}

/** What a test may say about them. */
export interface NightsParts {
  /** How many of the demo's tasks the skill has to begin with. */
  readonly tasks: number;
  readonly model?: LanguageModel;
  readonly world?: Partial<World>;
}

export function someNights({ tasks, model = createSimulatedModel(), world = {} }: NightsParts): SomeNights {
  const clock = aSettableClock(firstNight);
  const workspace = aNightWorkspace([skillName], { clock });
  workspace.keepTasks(skillName, tasks);
  const home = path.dirname(workspace.state);
  const request = { skillPath: workspace.skillPath(skillName), workspaceFolders: [workspace.folder] };
  const heard = listening(model);
  const environment = { WHETSTONE_HOME: workspace.state, PATH: process.env['PATH'] }; // git lies there
  const useCases = workspace.useCases(heard.model, { environment, ...world });
  const overview = (): Promise<SkillOverview> => useCases.overview(request, neverAborted);
  let sessions = 0;
  return {
    workspace,
    home,
    useCases,
    request,
    tell(night, told) {
      for (const { asked, remark, commit } of told) {
        sessions += 1;
        const at = firstNight + night * aDay - 3_600_000 - sessions * 60_000;
        const said = [asked, remark];
        tellSession(home, workspace.folder, { id: `s${sessions}`, at, said, skill: skillName, commit });
      }
    },
    async run(night, more = {}) {
      clock.set(firstNight + night * aDay);
      await useCases.allowSessions('claude-code', true, neverAborted);
      const wish = aNightRequest(workspace.folder, { skills: [request.skillPath], ...more });
      return useCases.night(wish, silent, neverAborted);
    },
    async sides() {
      const { training = [], heldOut = [], sealed = [] } = (await overview()).tasks ?? {};
      return { training, heldOut, sealed };
    },
    drafts: async () => (await overview()).tasks?.drafts ?? [],
    async confirm(only) {
      const { drafts = [], harvested } = (await overview()).tasks ?? {};
      for (const { id, prompt } of drafts) {
        const isWanted = only?.includes(prompt) ?? (harvested?.get(id)?.marks.length ?? 0) === 0;
        if (isWanted) await useCases.changeTasks({ ...request, change: { kind: 'confirm', id } }, neverAborted);
      }
    },
    async score(these) {
      const wish = { preset: 'quick', settings: [], purpose: 'optimize', trusted: true, withoutSkill: false } as const;
      const only = these.map(({ id }) => id);
      const { totals } = await useCases.evaluate({ ...request, ...wish, only }, () => undefined, neverAborted);
      return totals.all.soft ?? 0;
    },
    attempted: (prompt) => heard.asked.some((text) => text.includes(prompt)),
    calls: () => heard.asked.length,
    homeState: () => stateOf(path.join(home, '.claude')),
  };
}

/** Makes a repository of a folder, with one commit of some notes; gives the commit. */
export function committedNotes(folder: string): string {
  rmSync(path.join(folder, '.git'), { recursive: true });
  mkdirSync(path.join(folder, 'notes'));
  writeFileSync(path.join(folder, 'notes', 'README.md'), 'Notes of the people on call.\n');
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
      encoding: 'utf8',
      // The same commit every time: which side a task goes to depends on it.
      env: { ...process.env, GIT_AUTHOR_DATE: '2026-11-01T12:00:00Z', GIT_COMMITTER_DATE: '2026-11-01T12:00:00Z' },
    });
  git('init', '--quiet');
  git('add', 'notes');
  git('commit', '--quiet', '-m', 'Begin');
  return git('rev-parse', 'HEAD').trim();
}

/** Hears what the target is asked. */
function listening(model: LanguageModel): { readonly model: LanguageModel; readonly asked: readonly string[] } {
  const asked: string[] = [];
  return {
    asked,
    model: {
      identity: model.identity,
      complete: (request, signal) => {
        asked.push(request.role === 'target' ? JSON.stringify(request.messages) : '');
        return model.complete(request, signal);
      },
    },
  };
}
