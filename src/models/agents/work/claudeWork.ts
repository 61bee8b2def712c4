import path from 'node:path';
import { guessTokens } from '../../tokens.js';
import { at, listAt, ofType, textAt } from '../agentEvents.js';
import type { AgentEvent } from '../agentKind.js';
import { plainly } from '../agentPrompt.js';
import { words } from '../agentWords.js';
import { claudeCode, failedAt, inputOf, isTurnsUp, usageOf } from '../claudeCode.js';
import { longestStep, type AgentAtWork, type ProgramEvent, type WorkAsk } from './agentAtWork.js';

/** Claude Code: a skill is offered in its first message, loaded by the tool `Skill`, and forced as a command. */
export const claudeWork: AgentAtWork = {
  skillsFolder: '.claude/skills',
  tellsUsage: true,
  tellsTurns: true,
  tellsCalls: true,
  callTokens: 1_032_000,
  forcedByPrompt: true,
  environment: ({ home }) => ({
    CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(longestStep),
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
    CLAUDE_CODE_DISABLE_MODEL_ACCESS_FALLBACK: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1', // as root it refuses to work without asking
  }),
  start,
  hosts: () => [claudeCode.host],
  tell,
  stops: (line) => (typeof line === 'string' || isTurnsUp(line) ? undefined : failedAt(line)),
  read: (said) => {
    const result = ofType(said.events, 'result').at(-1);
    if (result !== undefined && isTurnsUp(result)) return { kind: 'turns', usage: usageOf(result) };
    return claudeCode.read(said);
  },
};

function start({ model, prompt, skill, mode, limits }: WorkAsk) {
  return {
    arguments: words(
      '-p --output-format stream-json --verbose',
      model === undefined ? [] : ['--model', model],
      '--setting-sources project --strict-mcp-config --dangerously-skip-permissions --no-session-persistence',
      ['--max-turns', String(limits.maxTurns)],
    ),
    environment: {},
    input: skill !== undefined && mode === 'forced' ? `/${skill} ${prompt}` : plainly(prompt),
  };
}

function tell(event: AgentEvent): readonly ProgramEvent[] {
  const content = listAt(event, 'message', 'content');
  if (event['type'] === 'user') return content.flatMap(resultIn);
  const id = textAt(event, 'message', 'id') ?? '';
  if (event['type'] !== 'assistant' || textAt(event, 'message', 'model') === '<synthetic>') return [];
  return [
    { kind: 'turn', id },
    { kind: 'usage', id, inputTokens: inputOf(at(event, 'message', 'usage')), outputTokens: written(content) },
    ...content.flatMap(saidIn),
  ];
}

/** It tells what was written at its very end alone: until then it is counted here. */
function written(content: readonly unknown[]): number {
  return guessTokens(JSON.stringify(content));
}

function saidIn(block: unknown): readonly ProgramEvent[] {
  const type = textAt(block, 'type');
  if (type === 'text') return [{ kind: 'assistant', text: textAt(block, 'text') ?? '' }];
  if (type !== 'tool_use') return [];
  const [name = '', input] = [textAt(block, 'name'), at(block, 'input')];
  const skill = name === 'Skill' ? textAt(input, 'skill') : undefined;
  const command = name === 'Bash' ? textAt(input, 'command') : undefined;
  return [{ kind: 'call', id: textAt(block, 'id') ?? '', name, input, command, skill }];
}

function resultIn(block: unknown): readonly ProgramEvent[] {
  if (textAt(block, 'type') !== 'tool_result') return [];
  const parts = listAt(block, 'content').map((part) => textAt(part, 'text') ?? '');
  const output = textAt(block, 'content') ?? parts.join('\n');
  return [{ kind: 'result', id: textAt(block, 'tool_use_id') ?? '', output, ok: at(block, 'is_error') !== true }];
}
