import type { AgentId } from '../../../../src/ports/agentPrograms.js';

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
