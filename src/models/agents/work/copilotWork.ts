import path from 'node:path';
import { at, textAt } from '../agentEvents.js';
import type { AgentEvent } from '../agentKind.js';
import { askedToUse, plainly } from '../agentPrompt.js';
import { words } from '../agentWords.js';
import { cacheOf, copilotCli, failedTry, usageFile } from '../copilotCli.js';
import { longestStep, type AgentAtWork, type ProgramEvent, type WorkAsk } from './agentAtWork.js';

/** Copilot CLI: a skill is offered in its system message and loaded by the tool `skill`; what it used stands in a file at its end. */
export const copilotWork: AgentAtWork = {
  skillsFolder: '.agents/skills',
  tellsUsage: false,
  tellsTurns: true,
  tellsCalls: true,
  callTokens: 1_128_000,
  forcedByPrompt: false,
  environment: (folders, person) => copilotCli.environment(folders, person),
  start,
  hosts: ({ server }) => (server === undefined ? vendorHosts : []),
  reads: (person) => [cacheOf(person)],
  tell,
  stops: (line) => (typeof line !== 'string' && line['type'] === 'model.call_failure' ? failedTry(line) : undefined),
  read: (said) => copilotCli.read(said),
};

const vendorHosts = [
  copilotCli.host,
  'githubcopilot.com',
  'api.githubcopilot.com',
  'api.individual.githubcopilot.com',
  'api.business.githubcopilot.com',
  'api.enterprise.githubcopilot.com',
];

function start({ model, prompt, skill, mode, folders, login: { server } }: WorkAsk) {
  const own = {
    ...(model === undefined ? {} : { COPILOT_MODEL: model }),
    COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: String(longestStep),
  };
  return {
    arguments: words(
      '--output-format json --stream off --no-color --log-level none --allow-all',
      '--disable-builtin-mcps --no-custom-instructions --no-ask-user',
      '--no-auto-update --no-remote --no-remote-export --no-experimental --disable-client-telemetry',
      ['--usage-output-file', path.join(folders.home, usageFile)],
      server !== undefined || model === undefined ? [] : ['--model', model],
    ),
    environment: server === undefined ? {} : own,
    input: plainly(skill !== undefined && mode === 'forced' ? askedToUse(skill, prompt) : prompt),
    leaves: [usageFile],
  };
}

function tell(event: AgentEvent): readonly ProgramEvent[] {
  const data = at(event, 'data');
  const id = textAt(data, 'toolCallId') ?? '';
  switch (event['type']) {
    case 'assistant.turn_start':
      return [{ kind: 'turn', id: textAt(event, 'id') ?? '' }];
    case 'assistant.message': {
      const text = textAt(data, 'content') ?? '';
      return text === '' ? [] : [{ kind: 'assistant', text }];
    }
    case 'tool.execution_start':
      return [callOf(id, data)];
    case 'tool.execution_complete':
      return [resultOf(id, data)];
    default:
      return [];
  }
}

function callOf(id: string, data: unknown): ProgramEvent {
  const [name = '', input] = [textAt(data, 'toolName'), at(data, 'arguments')];
  const skill = name === 'skill' ? textAt(input, 'skill') : undefined;
  const command = name === 'bash' ? textAt(input, 'command') : undefined;
  return { kind: 'call', id, name, input, command, skill };
}

function resultOf(id: string, data: unknown): ProgramEvent {
  const code = at(data, 'shellExecution', 'exitCode');
  const ok = at(data, 'success') === true && (code === undefined || code === 0);
  const output = textAt(data, 'result', 'content') ?? textAt(data, 'error', 'message') ?? '';
  return { kind: 'result', id, output, ok };
}
