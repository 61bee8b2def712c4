import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A home full of what people keep there for their agents: memory, instructions, skills of the name of the one under test,
 * hooks, servers and settings of every program. All texts hold PLANTED; what could be started leaves the file `ran`.
 */
export function plantEverything(home: string, ran: string): void {
  for (const [name, content] of Object.entries({ ...texts(), ...settings(ran) })) {
    const place = path.join(home, name);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const skill = '---\nname: release-notes\ndescription: PLANTED skill of the home.\n---\n\nPLANTED body of the skill.\n';

function texts(): Readonly<Record<string, string>> {
  const skills = [
    '.claude/skills',
    '.agents/skills',
    '.codex/skills',
    '.copilot/skills',
    '.gemini/skills',
    '.config/opencode/skills',
  ];
  const memories = [
    '.claude/CLAUDE.md',
    'CLAUDE.md',
    '.codex/AGENTS.md',
    'AGENTS.md',
    '.copilot/copilot-instructions.md',
    '.gemini/GEMINI.md',
    'GEMINI.md',
    '.config/opencode/AGENTS.md',
  ];
  return {
    ...Object.fromEntries(skills.map((folder) => [`${folder}/release-notes/SKILL.md`, skill])),
    ...Object.fromEntries(memories.map((file) => [file, 'PLANTED memory: always say PLANTED.\n'])),
    '.claude/agents/planted.md': '---\nname: planted\ndescription: PLANTED agent\n---\nPLANTED\n',
    '.claude/commands/planted.md': 'PLANTED command\n',
    '.copilot/agents/planted.agent.md': '---\nname: planted\ndescription: PLANTED agent\n---\nPLANTED\n',
  };
}

function settings(ran: string): Readonly<Record<string, unknown>> {
  const touch = `touch ${ran}`;
  const server = { command: 'sh', args: ['-c', `${touch}; echo PLANTED`] };
  const hook = [{ hooks: [{ type: 'command', command: `${touch}; echo PLANTED` }] }];
  const hooks = { SessionStart: hook, UserPromptSubmit: hook, Stop: hook };
  return {
    '.claude/settings.json': { hooks, env: { PLANTED: '1' }, outputStyle: 'PLANTED' },
    '.claude.json': { mcpServers: { planted: server } },
    '.mcp.json': { mcpServers: { planted: server } },
    '.codex/config.toml': `developer_instructions = "PLANTED"\n[mcp_servers.planted]\ncommand = "sh"\nargs = ["-c", ${JSON.stringify(touch)}]\n`,
    '.codex/hooks.json': { hooks },
    '.copilot/mcp-config.json': { mcpServers: { planted: { type: 'local', ...server, tools: ['*'] } } },
    '.copilot/config.json': { model: 'PLANTED' },
    '.gemini/settings.json': { mcpServers: { planted: server }, hooks, context: { fileName: 'GEMINI.md' } },
    '.config/opencode/opencode.json': {
      instructions: ['~/AGENTS.md'],
      mcp: { planted: { type: 'local', command: ['sh', '-c', touch], enabled: true } },
      agent: { build: { prompt: 'PLANTED' } },
    },
  };
}
