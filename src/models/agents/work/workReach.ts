import type { FoundProgram } from '../../../ports/agentPrograms.js';
import type { ProgramReach } from '../../../ports/programs.js';
import type { AgentLogin, AgentPerson } from '../agentKind.js';
import type { AgentAtWork } from './agentAtWork.js';

interface Reaching {
  readonly agent: AgentAtWork;
  readonly login: AgentLogin;
  readonly model: string | undefined;
  readonly person: AgentPerson;
  readonly program: FoundProgram;
}

/** What a program may reach while it works: its vendor or the server that its login names, and no value of a key. */
export function reachOf(
  { agent, login, model, person, program }: Reaching,
  more: ProgramReach['secrets'] = {},
): ProgramReach {
  const { server, variables, secrets } = login;
  // What is declared is there under its own name too, where that is a link, as programs of installers are.
  const reads = [program.command, ...program.before, ...(agent.reads?.(person) ?? [])];
  const masked = Object.entries(variables).filter(([, value]) => secrets.includes(value));
  const place = server === undefined ? { hosts: agent.hosts(login, model) } : placeOf(new URL(server));
  return { ...place, reads, secrets: { ...Object.fromEntries(masked), ...more } };
}

function placeOf({ hostname, port, protocol }: URL): Pick<ProgramReach, 'hosts' | 'ports'> {
  const usual = protocol === 'https:' ? '443' : '80';
  if (/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(hostname)) return { ports: [Number(port || usual)] };
  return { hosts: [`${hostname}:${port || usual}`] };
}
