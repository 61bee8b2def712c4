import net from 'node:net';
import type { FoundProgram } from '../../ports/agentPrograms.js';
import { FailedCall } from '../wrappers/failedCall.js';
import type { AgentKind, LoginKind } from './agentKind.js';
import { notAllowed, usableLogin, type AgentSources } from './agentLogin.js';
import { toldBy } from './agentTelling.js';

/** How an agent program stands, found without any call to a model. */
export type AgentState =
  | ({ readonly kind: 'ready' } & UsableAgent)
  | { readonly kind: 'not-installed'; readonly cure: string }
  | { readonly kind: 'too-old'; readonly version: string; readonly oldest: string; readonly cure: string }
  | { readonly kind: 'not-logged-in'; readonly version: string; readonly why: string; readonly cure: string }
  /** Something here does not let it run: a policy, permissions, a program that is broken. */
  | { readonly kind: 'blocked'; readonly version: string | undefined; readonly why: string; readonly cure: string }
  | ({ readonly kind: 'offline'; readonly host: string } & UsableAgent);

/** A program that is installed and logged in. */
interface UsableAgent {
  readonly version: string;
  readonly login: LoginKind;
  readonly program: FoundProgram;
}

/**
 * Looks for the program, asks it for its version, and looks whether there is a login, for this model where one is named, and until when; of what a login
 * holds nothing else is used.
 */
export async function inspectAgent(
  kind: AgentKind,
  sources: AgentSources,
  signal: AbortSignal,
  model?: string,
): Promise<AgentState> {
  // Whether it is installed or not: nobody is told to install what cannot be used.
  if (kind.toolsOff === 'sandbox-only') return blocked(undefined, 'its tools cannot all be turned off', sandboxCure);
  const program = await sources.programs.find(kind);
  if (program === undefined) return notFound(kind, await sources.programs.findInWorkspace(kind));
  const told = await toldBy({ kind, program }, ['--version'], sources, signal);
  const version = told.kind === 'told' ? /\d+\.\d+\.\d+/u.exec(told.text)?.[0] : undefined;
  if (version === undefined) {
    const why = told.kind === 'told' ? 'it told no version' : told.why.replace(/(?<!\.)\.$/u, ''); // a sentence of ours ends with it
    return blocked(undefined, why, `Run “${program.path} --version” to see why.`);
  }
  if (isOlder(version, kind.oldest)) return tooOld(kind, version);
  return loginState({ kind, model }, sources, { version, program }, signal);
}

/** One of the workspace is not run: a clone may hold a program of any name. */
function notFound({ install }: AgentKind, inWorkspace: string | undefined): AgentState {
  if (inWorkspace === undefined) return { kind: 'not-installed', cure: `Install it: ${install}` };
  const why = `it was found in the workspace alone (${inWorkspace}), and no program of a workspace is run, for a clone may hold one of any name`;
  return blocked(undefined, why, `Install it outside of the workspace: ${install}`);
}

async function loginState(
  { kind, model }: { readonly kind: AgentKind; readonly model: string | undefined },
  sources: AgentSources,
  installed: { readonly version: string; readonly program: FoundProgram },
  signal: AbortSignal,
): Promise<AgentState> {
  const { version } = installed;
  const login = await usableLogin(kind, sources, model);
  if ('why' in login) return { kind: 'not-logged-in', version, ...login };
  const host = login.server ?? `https://${kind.host}`;
  const usable = { ...installed, login: login.kind };
  return (await connects(host, sources, signal)) ? { kind: 'ready', ...usable } : { kind: 'offline', host, ...usable };
}

export const sandboxCure =
  'Choose another model: a program that answers as a model runs with every tool off, and this one has no way to turn them all off.';

function blocked(version: string | undefined, why: string, cure: string): AgentState {
  return { kind: 'blocked', version, why, cure };
}

function tooOld({ oldest, install }: AgentKind, version: string): AgentState {
  return { kind: 'too-old', version, oldest, cure: `Install a newer one: ${install}` };
}

/** What is wrong with a program that cannot be asked, and of what kind a call's failure is then. */
export interface AgentTrouble {
  readonly error: 'auth' | 'endpoint' | 'unavailable';
  readonly what: string;
  readonly cure: string;
}

export function agentTrouble(
  { label }: Pick<AgentKind, 'label'>,
  state: Exclude<AgentState, { readonly kind: 'ready' }>,
): AgentTrouble {
  switch (state.kind) {
    case 'not-installed':
      return { error: 'endpoint', what: `${label} is not installed.`, cure: state.cure };
    case 'too-old': {
      const { version, oldest, cure } = state;
      return { error: 'endpoint', what: `${label} ${version} is too old: ${oldest} is needed.`, cure };
    }
    case 'not-logged-in':
      return { error: 'auth', what: `${label} cannot be asked: ${state.why}.`, cure: state.cure };
    case 'blocked':
      return { error: 'endpoint', what: `${label} cannot be run here: ${state.why}.`, cure: state.cure };
    case 'offline': {
      const cure = 'Check the network, the proxy and the firewall, or choose another model.';
      return { error: 'unavailable', what: `${label} cannot reach ${state.host}.`, cure };
    }
  }
}

/** True where it can be asked; throws what is wrong otherwise. */
export async function reachAgent(
  kind: AgentKind,
  sources: AgentSources,
  signal: AbortSignal,
  model: string | undefined,
): Promise<boolean> {
  const state = await inspectAgent(kind, sources, signal, model);
  if (state.kind !== 'ready') {
    const { error, what, cure } = agentTrouble(kind, state);
    throw new FailedCall(error, what, { cure, charged: false, sent: false });
  }
  // Whoever has not allowed it is asked before a run, not in it.
  const login = await usableLogin(kind, sources, model);
  if ('kept' in login && login.kept === true && !(await sources.consent.allows(kind.id, signal)))
    throw notAllowed(kind);
  return true;
}

function isOlder(version: string, oldest: string): boolean {
  const [there = [], needed = []] = [version, oldest].map((text) => text.split(/[.-]/u).map(Number));
  const differs = needed.findIndex((part, at) => part !== there[at]);
  return differs >= 0 && (there[differs] ?? 0) < (needed[differs] ?? 0);
}

const connectMs = 5_000;

/** Whether something listens there, or at the proxy that leads there. Sends nothing. */
async function connects(address: string, { environment }: AgentSources, signal: AbortSignal): Promise<boolean> {
  const wanted = new URL(address);
  const proxy = isLocal(wanted.hostname) ? undefined : (environment['HTTPS_PROXY'] ?? environment['https_proxy']);
  const { hostname, port, protocol } = proxy !== undefined && URL.canParse(proxy) ? new URL(proxy) : wanted;
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port) || (protocol === 'http:' ? 80 : 443) });
    const end = (there: boolean): void => {
      socket.destroy();
      signal.removeEventListener('abort', stop);
      resolve(there);
    };
    const stop = (): void => {
      socket.destroy();
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    signal.addEventListener('abort', stop, { once: true });
    socket.setTimeout(connectMs, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]';
}
