import { UserError } from '../../../errors.js';
import type { SandboxState } from '../../../ports/sandbox.js';
import type { Workplace, Workplaces, WorkplaceState } from '../../../ports/workplace.js';
import { foldersOfPath, searchedFolders } from '../../../searchedFolders.js';
import { inOwnedFolder } from '../ownedFolder.js';
import { temporaryFolder, type PlacingSandbox } from '../sandbox/sandbox.js';
import { openPlace, type PlaceParts } from './attemptPlace.js';
import { bareStart, containedStart } from './placeStart.js';

/** What places for the work of agents are made with. */
export interface WorkplaceParts {
  /** One that masks keys and closes what is worked on by now; undefined where this program has none. */
  readonly sandbox: () => PlacingSandbox | undefined;
  /** Whether it holds here, and the person left it on. */
  readonly sandboxState: (signal: AbortSignal) => Promise<SandboxState>;
  /** Whether the person declared the machine one that is thrown away. */
  readonly isThrowAway: () => Promise<boolean>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders of the workspace: nothing in them is started. */
  readonly workspace: () => readonly string[];
}

/** The sandbox is taken where there is one, whatever the person declared. */
export function createWorkplaces(parts: WorkplaceParts): Workplaces {
  const repositories: PlaceParts['repositories'] = new Map();
  return {
    state: (signal) => stateOf(parts, signal),
    async open(plan, signal) {
      signal.throwIfAborted();
      const held = await stateOf(parts, signal);
      if (held.kind === 'none') throw noPlace(held.sandbox);
      return openIn(parts, { plan, contained: held.kind === 'contained', repositories }, signal);
    },
  };
}

async function stateOf({ sandboxState, isThrowAway }: WorkplaceParts, signal: AbortSignal): Promise<WorkplaceState> {
  const sandbox = await sandboxState(signal);
  if (sandbox.kind === 'available') return { kind: 'contained' };
  return (await isThrowAway()) ? { kind: 'throw-away' } : { kind: 'none', sandbox };
}

function noPlace(sandbox: SandboxState): UserError {
  switch (sandbox.kind) {
    case 'missing':
      return refused(
        'An agent works in the sandbox, and programs that it needs are not installed.',
        `Run “${sandbox.install}”. Or declare this machine one that is thrown away, if it is a container of its own (“Sandbox for Programs”, in a terminal “whetstone machine throw-away”).`,
      );
    case 'off':
      return refused(
        'An agent works in the sandbox, and you turned it off on this machine.',
        'Turn it on again. Or declare this machine one that is thrown away, if it is a container of its own (“Sandbox for Programs”, in a terminal “whetstone machine throw-away”).',
      );
    case 'available':
    case 'unsupported':
      return refused(
        `An agent works in the sandbox, and there is none here. ${sandbox.kind === 'available' ? '' : sandbox.reason}`,
        'Run it where there is one. Or declare this machine one that is thrown away, if it is a container of its own (“Sandbox for Programs”, in a terminal “whetstone machine throw-away”).',
      );
  }
}

function refused(what: string, cure: string): UserError {
  return new UserError('environment-refused', what, cure);
}

/** In a folder that is removed when it is closed; where we are killed before, by the next who opens one. */
async function openIn(
  parts: WorkplaceParts,
  { plan, contained, repositories }: Pick<PlaceParts, 'plan' | 'contained' | 'repositories'>,
  signal: AbortSignal,
): Promise<Workplace> {
  const { environment } = parts;
  const sandbox = contained ? parts.sandbox() : undefined;
  if (contained && sandbox === undefined) throw noPlace({ kind: 'available' });
  const searched = await searchedFolders(foldersOfPath(environment), parts.workspace());
  const place = await temporaryFolder();
  return new Promise((resolve, reject) => {
    const done = inOwnedFolder(place, 'whetstone-place-', async ({ path: folder, mark }) => {
      const start = sandbox === undefined ? bareStart(mark) : containedStart(sandbox);
      const opened = await openPlace({ folder, plan, start, environment, searched, contained, repositories }, signal);
      await new Promise<void>((close) => {
        resolve({
          folders: opened.folders,
          run: (run, runSignal) => opened.run(run, runSignal),
          left: (said, leftSignal) => opened.left(said, leftSignal),
          changes: (changeSignal) => opened.changes(changeSignal),
          take: (left) => opened.take(left),
          judge: (judge, judgeSignal) => opened.judge(judge, judgeSignal),
          close: async () => {
            close();
            await done;
          },
        });
      });
    });
    done.catch(reject);
  });
}
