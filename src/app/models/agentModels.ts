import { UserError, type UserErrorCode } from '../../errors.js';
import type { AgentKind } from '../../models/agents/agentKind.js';
import { agentKinds, agentOfSpec } from '../../models/agents/agentKinds.js';
import { agentPerson } from '../../models/agents/agentLogin.js';
import { createAgentModel } from '../../models/agents/agentModel.js';
import { agentTrouble, type AgentState } from '../../models/agents/inspectAgent.js';
import type { DoctorReport } from '../../models/doctor/doctor.js';
import { failed, ok, skipped, type Finding } from '../../models/doctor/finding.js';
import { tinyCall } from '../../models/doctor/timedCall.js';
import type { Clock } from '../../ports/clock.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { AgentAccess } from './agentAccess.js';
import type { ModelOffer } from './modelOffer.js';

/** Opens the agent programs of this machine; undefined where a face has none. */
export type OpenAgents = (() => Promise<AgentAccess>) | undefined;

/** Whether a program could know a model by this name; none is its own choice. */
function isAgentModelName(model: string): boolean {
  return /^[\p{L}\p{N}_.:@/+~=[\]()-]*$/u.test(model);
}

export function namesAgent(spec: string): boolean {
  return agentOfSpec(spec) !== undefined;
}

interface NamedAgent {
  readonly kind: AgentKind;
  readonly model: string | undefined;
  readonly access: AgentAccess;
}

async function namedAgent(spec: string, open: OpenAgents): Promise<NamedAgent> {
  const named = agentOfSpec(spec);
  if (named === undefined || open === undefined) {
    throw new UserError(
      'model-not-chosen',
      `“${spec}” names no program that can be used here.`,
      'Choose another model.',
    );
  }
  const wrong = spec.endsWith('/') ? `No model stands behind the slash of “${spec}”.` : whyNoModelName(spec, named);
  if (wrong !== undefined)
    throw new UserError('model-refused', wrong, 'Name a model as the program knows it, or none, which takes its own.');
  return { ...named, access: await open() };
}

/** Why this cannot be the name of a program's model: it becomes a word of a command. */
function whyNoModelName(spec: string, { kind, model = '' }: Pick<NamedAgent, 'kind' | 'model'>): string | undefined {
  if (/^-|\p{Cc}/u.test(model)) {
    return `The model that is named for ${kind.label} begins with a hyphen or holds a line break or another control character.`;
  }
  return isAgentModelName(model)
    ? undefined
    : `“${spec}” names no model: names have no blanks and no signs but . : @ / + ~ = - _ and brackets.`;
}

/** The model that a name such as `claude-code/sonnet` stands for. Throws what is wrong with the program, with the cure. */
export async function agentModel(spec: string, open: OpenAgents, signal: AbortSignal): Promise<LanguageModel> {
  const { kind, model, access } = await namedAgent(spec, open);
  const state = await access.inspect(kind, signal);
  // Where the network is gone, the run says so, or a night waits for it.
  if (state.kind === 'ready' || state.kind === 'offline') {
    const subscription = state.login === 'subscription' ? kind.label : undefined;
    return { ...createAgentModel(kind, access, { installed: state, model }), subscription };
  }
  const { what, cure } = agentTrouble(kind, state);
  throw new UserError(troubleCode(kind, state), what, cure);
}

/** One whose tools cannot be turned off is refused by us; everything else is missing here. */
function troubleCode({ toolsOff }: AgentKind, state: AgentState): UserErrorCode {
  if (toolsOff === 'sandbox-only') return 'model-refused';
  return state.kind === 'not-logged-in' ? 'model-key-missing' : 'model-not-chosen';
}

/** What must not stand in any text: the person's keys and, where they allowed its use, the token of their login. */
export async function agentSecrets(spec: string, open: OpenAgents): Promise<readonly string[]> {
  const { kind, model, access } = await namedAgent(spec, open);
  const login = await kind.login(agentPerson(access), model);
  if (login === undefined) return [];
  const mayRead = login.kind !== 'subscription' || access.consent.isAllowed(kind.id) === true;
  return mayRead ? login.handOver().secrets : [];
}

/** The agent programs for a person to choose from, those that can be used first. */
export async function discoverAgents(open: OpenAgents, signal: AbortSignal): Promise<readonly ModelOffer[]> {
  const access = await open?.();
  if (access === undefined) return [];
  const offers = await Promise.all(
    agentKinds.map(async (kind): Promise<ModelOffer> => {
      const state = await access.inspect(kind, signal, 'afresh'); // whoever opens a menu has just installed something
      return {
        kind: 'agent',
        id: kind.id,
        label: kind.label,
        detail: '',
        standing: { state, tested: kind.tested },
        baseUrl: undefined,
        needsKey: false,
        local: true,
        models: kind.suggests ?? [],
        trouble: state.kind === 'ready' ? undefined : agentTrouble(kind, state),
      };
    }),
  );
  return [...offers].sort((a, b) => Number(a.trouble !== undefined) - Number(b.trouble !== undefined));
}

/** Asks whether the login to a program may be used, where it would be; true where nobody need be asked. */
export async function requestLogin(spec: string, open: OpenAgents, signal: AbortSignal): Promise<boolean> {
  if (!namesAgent(spec)) return true;
  const { kind, access } = await namedAgent(spec, open);
  const state = await access.inspect(kind, signal);
  const isUsed = (state.kind === 'ready' || state.kind === 'offline') && state.login === 'subscription';
  return !isUsed || access.consent.allows(kind.id, signal);
}

/** A program as the doctor sees it: installed, new enough, logged in, let run, on line; then a tiny answer. */
export async function examineAgent(
  spec: string,
  {
    agents,
    clock,
    around,
  }: {
    readonly agents?: OpenAgents;
    readonly clock: Clock;
    readonly around: (model: LanguageModel) => LanguageModel;
  },
  signal: AbortSignal,
): Promise<DoctorReport> {
  const { kind, model, access } = await namedAgent(spec, agents);
  const state = await access.inspect(kind, signal, 'afresh');
  const about = { provider: kind.id, endpoint: `agent:${kind.id}`, model: model ?? 'default' };
  if (state.kind !== 'ready')
    return { ...about, findings: [...foundBefore(kind, state), skipped('tiny call', 'Not tried.')] };
  const asked = createAgentModel(kind, access, { installed: state, model });
  return {
    ...about,
    findings: [
      ok('installed', `${kind.label} ${state.version} at ${state.program.path}.`),
      ok('login', paid[state.login]),
      await tinyCall(around(asked), clock, signal),
    ],
  };
}

const paid = {
  subscription: 'Its answers are taken from your plan.',
  'api-key': 'Its answers are paid by your API key.',
  'own-server': 'Its answers come from a server of your own.',
} as const;

/** What was found until something was wrong. */
function foundBefore(kind: AgentKind, state: Exclude<AgentState, { readonly kind: 'ready' }>): readonly Finding[] {
  const { error, what, cure } = agentTrouble(kind, state);
  const wrong = (check: Finding['check']): Finding => ({ ...failed(check, what, cure), kind: error });
  switch (state.kind) {
    case 'not-installed':
    case 'too-old':
    case 'blocked':
      return [wrong('installed')];
    case 'not-logged-in':
      return [ok('installed', `${kind.label} ${state.version}.`), wrong('login')];
    case 'offline':
      return [ok('installed', `${kind.label} ${state.version}.`), wrong('reachable')];
  }
}
