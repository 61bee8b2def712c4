import type { ProgramConsent, ProgramContents, Programs } from '../../ports/programs.js';
import type { Sandbox, SandboxState } from '../../ports/sandbox.js';
import { nodePrograms } from '../../storage/programs/nodePrograms.js';
import { programContents } from '../../storage/programs/programContents.js';
import { createSandbox } from '../../storage/programs/sandbox/sandbox.js';
import { refusedSentence } from '../../storage/programs/sandbox/toldRefused.js';
import { sandboxChoice } from '../../storage/programs/machineChoices.js';
import { userStateFolder } from '../../storage/state/userState.js';
import type { OpenSkill } from '../openSkill.js';
import { ranWithoutSandbox } from '../../wording/programs/containment.js';
import { userStore, type SandboxWorld, type World } from '../world.js';

/** How the programs of one run are started, and how the person is asked about them. */
export interface ContainedPrograms {
  readonly programs: Programs;
  /** Says with each question whether the sandbox holds what is asked about. */
  readonly consent: ProgramConsent;
  /** What each of them is, by the same home that its reads are opened by. */
  readonly contents: ProgramContents;
}

/** What is closed to them: the skill's folder, and the workspace and its state as far as there are any. */
interface ProgramPlaces extends Pick<OpenSkill, 'folder'> {
  readonly places: Pick<OpenSkill['places'], 'root'> & Partial<Pick<OpenSkill['places'], 'workspaceState'>>;
}

/**
 * The programs of one run: in the sandbox where there is one on this machine, else as they are, which the person is told
 * when they are asked. What it is found out to be holds for the whole run: nothing that was allowed in the sandbox ever
 * runs without it.
 */
export function containedPrograms(
  world: World,
  { folder, places }: ProgramPlaces,
  note: (text: string) => void = () => undefined,
): ContainedPrograms {
  const states = [places.workspaceState, userStateFolder(world)].filter((place) => place !== undefined);
  const roots = [places.root, folder].filter((place) => place !== undefined);
  const told = new Set<string>();
  const sandbox = sandboxOf(world, { roots, states }, sayOnce);
  let known: Promise<SandboxState> | undefined;
  const state = (signal: AbortSignal): Promise<SandboxState> => (known ??= stateOf(world, sandbox, signal));
  return {
    contents: programContents(world.home),
    programs: {
      run: async (request, signal) => {
        const sandboxed = await state(signal);
        if (sandboxed.kind === 'available' && sandbox !== undefined) return sandbox.run(request, signal);
        if (sandboxed.kind !== 'available' && world.sandbox !== undefined) sayOnce(ranWithoutSandbox(sandboxed));
        return nodePrograms.run(request, signal);
      },
    },
    consent: {
      ...world.consent,
      allows: async (question, signal) => {
        const sandboxed = await state(signal);
        return world.consent.allows({ ...question, sandbox: sandboxed }, signal);
      },
    },
  };

  function sayOnce(text: string): void {
    if (told.has(text)) return;
    told.add(text);
    note(text);
    world.tell(text); // an evaluation leaves no report
  }
}

/** Whether programs would be contained, without any of them. */
export async function sandboxStateIn(
  world: SandboxWorld,
  states: readonly string[],
  signal: AbortSignal,
): Promise<SandboxState> {
  return stateOf(
    world,
    sandboxOf(world, { roots: [], states }, () => undefined),
    signal,
  );
}

/** The sandbox of this machine for what belongs to no skill here, and whether it holds. */
export async function sandboxHere(
  world: SandboxWorld,
  signal: AbortSignal,
): Promise<{ readonly sandbox: Sandbox | undefined; readonly state: SandboxState }> {
  const sandbox = sandboxOf(world, { roots: [], states: [userStateFolder(world)] }, () => undefined);
  return { sandbox, state: await stateOf(world, sandbox, signal) };
}

/** What is closed: workspaces, of which a declaration may open a folder, and our state, of which it opens nothing. */
interface ClosedPlaces {
  readonly roots: readonly string[];
  readonly states: readonly string[];
}

function sandboxOf(
  world: SandboxWorld,
  { roots, states }: ClosedPlaces,
  note: (text: string) => void,
): Sandbox | undefined {
  if (world.sandbox === undefined) return undefined;
  const { environment, platform, home } = world;
  const onRefused = (refused: Parameters<typeof refusedSentence>[0]): void => note(refusedSentence(refused));
  const places = { closed: [...roots, ...states], sealed: states };
  return createSandbox({ ...world.sandbox, environment, platform, home, ...places, onRefused });
}

async function stateOf(world: SandboxWorld, sandbox: Sandbox | undefined, signal: AbortSignal): Promise<SandboxState> {
  if (sandbox === undefined) return { kind: 'unsupported', reason: 'The sandbox is not part of this program.' };
  if (!(await sandboxChoice.isOn(await userStore(world, 'look')))) return { kind: 'off' };
  return sandbox.state(signal);
}
