import { agentKinds } from '../../../../src/models/agents/agentKinds.js';
import type { AgentId, AgentPrograms } from '../../../../src/ports/agentPrograms.js';
import { nodeAgentPrograms } from '../../../../src/storage/programs/agentPrograms.js';
import { isFull } from '../../../builders/few.js';
import type { AgentStandIn } from '../../../fakes/AgentStandIn.js';
import { standInsHere } from '../../../fakes/standInsHere.js';

/** The stand-in of each program, and a key in the environment that it takes. */
export const standIns: Readonly<
  Record<AgentId, { readonly script: string; readonly key: Readonly<Record<string, string>> }>
> = {
  'claude-code': { script: 'claude.cjs', key: { ANTHROPIC_API_KEY: 'sk-ant-planted-key-0123456789' } },
  codex: { script: 'codex.cjs', key: { CODEX_API_KEY: 'sk-planted-key-0123456789' } },
  'copilot-cli': { script: 'copilot.cjs', key: { COPILOT_GITHUB_TOKEN: 'ghp_planted-key-0123456789' } },
  'gemini-cli': { script: 'gemini.cjs', key: { GEMINI_API_KEY: 'planted-key-0123456789' } },
  opencode: { script: 'opencode.cjs', key: { OPENCODE_API_KEY: 'planted-key-0123456789' } },
  'cursor-agent': { script: 'cursor.cjs', key: { CURSOR_API_KEY: 'planted-key-0123456789' } },
};

/** The programs of a machine. Every start is a process; in the short numbers only those of the first program are. */
export function programsOn({ environment }: AgentStandIn, id: AgentId): AgentPrograms {
  const programs = nodeAgentPrograms({ environment, workspace: () => [] });
  return isFull || id === agentKinds[0]?.id ? programs : standInsHere(programs, environment);
}
