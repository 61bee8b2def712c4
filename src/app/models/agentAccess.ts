import type { AgentKind } from '../../models/agents/agentKind.js';
import type { AgentSources } from '../../models/agents/agentLogin.js';
import { agentKinds } from '../../models/agents/agentKinds.js';
import { inspectAgent, type AgentState } from '../../models/agents/inspectAgent.js';
import type { AgentId } from '../../ports/agentPrograms.js';
import { nodeAgentPrograms } from '../../storage/programs/agentPrograms.js';
import { openTexts } from '../../storage/files/contentStore.js';
import { allow, disallow, isAllowed, type ConsentRequest } from '../../storage/state/consents.js';
import { agentWorkplaces } from '../environments/agentWorkplaces.js';
import { userStore, type SandboxWorld, type StoreWorld, type World } from '../world.js';
import { redactorFor } from './runModels.js';

/** The agent programs of this machine, and whose logins the person allowed to be used. */
export interface AgentAccess extends AgentSources {
  /** How a program stands; remembered for a moment, unless it is looked at afresh. */
  inspect(kind: AgentKind, signal: AbortSignal, afresh?: 'afresh'): Promise<AgentState>;
}

/** Where a face runs, and how it asks the person whether their login to a program may be used. */
export interface AgentHere {
  readonly world: SandboxWorld & Pick<World, 'secrets'>;
  /** Nobody is asked without it. */
  readonly ask?: ((label: string, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** The folders of the window's workspace; undefined where there is no window. */
  readonly workspace?: (() => readonly string[]) | undefined;
}

const rememberedMs = 20_000;

/** Opens the access; what the person allowed is read each time, for another window may have asked. */
export function agentAccess({ world, ask, workspace }: AgentHere): () => Promise<AgentAccess> {
  const { environment, clock } = world;
  const programs = nodeAgentPrograms({ environment, workspace });
  const workplaces = agentWorkplaces(world, () => workspace?.() ?? []);
  const asking = new Map<AgentId, Promise<boolean>>();
  const states = new Map<AgentId, { readonly at: number; readonly state: Promise<AgentState> }>();
  const askAbout = async (agent: AgentId, signal: AbortSignal): Promise<boolean> => {
    // Another role, or another window, may have asked since.
    if (await isAllowed(await userStore(world, 'look'), loginOf(agent))) return true;
    if (!world.trusted() || (await ask?.(labelOf(agent), signal)) !== true) return false;
    await allow(await userStore(world), loginOf(agent), signal);
    return true;
  };
  return async () => {
    const allowed = await allowedLogins(world);
    const sources: AgentSources = {
      programs,
      workplaces,
      environment,
      now: () => clock.now(),
      keepLines: (lines) => keptLines(world, lines),
      consent: {
        isAllowed: (agent) => (allowed.has(agent) ? true : undefined),
        async allows(agent, signal) {
          if (allowed.has(agent)) return true;
          // Two roles may want it at the same time: the person is asked once.
          const asked = asking.get(agent) ?? askAbout(agent, signal).finally(() => asking.delete(agent));
          asking.set(agent, asked);
          if (await asked) allowed.add(agent);
          return asked;
        },
      },
    };
    return {
      ...sources,
      inspect(kind, signal, afresh) {
        const known = afresh === undefined ? states.get(kind.id) : undefined;
        if (known !== undefined && clock.now() - known.at < rememberedMs) return known.state;
        const state = inspectAgent(kind, sources, signal);
        states.set(kind.id, { at: clock.now(), state });
        state.catch(() => states.delete(kind.id)); // one that was broken off tells nothing
        return state;
      },
    };
  };
}

/** With the answers of models, and for as long as they are. */
async function keptLines(world: AgentHere['world'], lines: readonly string[]): Promise<string> {
  const store = await userStore(world);
  const redactor = await redactorFor(world, store);
  return openTexts(store).put(lines.map((line) => redactor.redact(line).text).join('\n'));
}

function labelOf(agent: AgentId): string {
  return agentKinds.find(({ id }) => id === agent)?.label ?? agent;
}

/** An agent program whose login may be used, since the person said so. */
export interface AllowedLogin {
  readonly id: AgentId;
  readonly label: string;
}

/** What a person does with the logins that they allowed. */
export interface LoginUseCases {
  allowedLogins(): Promise<readonly AllowedLogin[]>;
  /** Takes the yes back: from the next run on it is asked for anew. What was answered with it stays. */
  forgetLogin(id: AgentId, signal: AbortSignal): Promise<void>;
}

/** Wired to the state of the person. */
export function createLoginUseCases(world: StoreWorld): LoginUseCases {
  return {
    allowedLogins: async () => [...(await allowedLogins(world))].map((id) => ({ id, label: labelOf(id) })),
    forgetLogin: async (id, signal) => disallow(await userStore(world), loginOf(id), signal),
  };
}

async function allowedLogins(world: StoreWorld): Promise<Set<AgentId>> {
  const store = await userStore(world, 'look');
  const answers = await Promise.all(
    agentKinds.map(async ({ id }) => ((await isAllowed(store, loginOf(id))) ? [id] : [])),
  );
  return new Set(answers.flat());
}

function loginOf(agent: AgentId): ConsentRequest {
  return { what: 'login of an agent program', content: agent };
}
