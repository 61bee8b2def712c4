import type { FoundProgram } from '../../ports/agentPrograms.js';
import type { AgentKind } from './agentKind.js';
import { agentPerson, type AgentSources } from './agentLogin.js';

/** What a program tells about itself, or why it does not. */
export type AgentTold =
  | { readonly kind: 'told'; readonly text: string }
  | { readonly kind: 'untold'; readonly why: string };

const patienceMs = 30_000;
const outputLimitBytes = 4 * 1024 * 1024;

/** Starts a program with these arguments, without any login, and gives what it writes to its output. */
export async function toldBy(
  { kind, program }: { readonly kind: AgentKind; readonly program: FoundProgram },
  words: readonly string[],
  sources: AgentSources,
  signal: AbortSignal,
): Promise<AgentTold> {
  const [output, errors]: [string[], string[]] = [[], []];
  const limit = AbortSignal.timeout(patienceMs);
  const person = agentPerson(sources);
  const run = {
    program,
    outputLimitBytes,
    onLine: (line: string, from: 'output' | 'error') => void (from === 'output' ? output : errors).push(line),
    start: (folders: Parameters<AgentKind['environment']>[0]) => ({
      arguments: words,
      environment: kind.environment(folders, person),
      input: '',
    }),
  };
  try {
    const end = await sources.programs.run(run, AbortSignal.any([signal, limit]));
    if (end.kind === 'exited' && end.code === 0) return { kind: 'told', text: output.join('\n') };
    const why = end.kind === 'not-started' ? end.reason : (errors[0] ?? output[0] ?? 'it told nothing');
    return { kind: 'untold', why: why.slice(0, 200) };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return { kind: 'untold', why: 'it told nothing in time' };
    throw error;
  }
}
