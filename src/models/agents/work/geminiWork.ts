import { at, countedUsage, numberAt, ofType, textAt } from '../agentEvents.js';
import type { AgentEvent, AgentSaid } from '../agentKind.js';
import { askedToUse, plainly } from '../agentPrompt.js';
import { words } from '../agentWords.js';
import { geminiCli } from '../geminiCli.js';
import type { AgentAtWork, ProgramEvent, WorkAsk, WorkOutcome } from './agentAtWork.js';

/** Gemini CLI: a skill is offered in its instructions and loaded by the tool `activate_skill`; what it used is in its last event. */
export const geminiWork: AgentAtWork = {
  skillsFolder: '.agents/skills',
  tellsUsage: false,
  tellsTurns: false,
  tellsCalls: true,
  callTokens: 1_066_000,
  forcedByPrompt: false,
  environment: (folders, person) => geminiCli.environment(folders, person),
  start,
  hosts: ({ kind }) =>
    kind === 'subscription' ? ['cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'] : [geminiCli.host],
  tell,
  read,
};

function start({ model, prompt, skill, mode, limits, login: { kind } }: WorkAsk) {
  const settings = {
    security: { auth: { selectedType: kind === 'subscription' ? 'oauth-personal' : 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    general: { maxAttempts: 1, retryFetchErrors: false, enableAutoUpdate: false, enableAutoUpdateNotification: false },
    model: { maxSessionTurns: limits.maxTurns, skipNextSpeakerCheck: true },
  };
  return {
    arguments: words('-o stream-json --skip-trust --approval-mode yolo', model === undefined ? [] : ['-m', model]),
    environment: {},
    files: { '.gemini/settings.json': JSON.stringify(settings) },
    input: plainly(skill !== undefined && mode === 'forced' ? askedToUse(skill, prompt) : prompt),
  };
}

function tell(event: AgentEvent): readonly ProgramEvent[] {
  const id = textAt(event, 'tool_id') ?? '';
  if (event['type'] === 'message' && event['role'] === 'assistant')
    return [{ kind: 'assistant', text: textAt(event, 'content') ?? '' }];
  if (event['type'] === 'tool_use') {
    const [name = '', input] = [textAt(event, 'tool_name'), at(event, 'parameters')];
    const skill = name === 'activate_skill' ? textAt(input, 'name') : undefined;
    const command = name === shell ? textAt(input, 'command') : undefined;
    return [{ kind: 'call', id, name, input, command, skill }];
  }
  return event['type'] === 'tool_result' ? [resultOf(id, event)] : [];
}

const shell = 'run_shell_command';

/** Of a command it says that it ran, not how it ended. */
function resultOf(id: string, event: AgentEvent): ProgramEvent {
  const isDone = event['status'] === 'success';
  const output = textAt(event, 'output') ?? textAt(event, 'error', 'message') ?? '';
  return { kind: 'result', id, output, ok: isDone && id.startsWith(shell) ? undefined : isDone };
}

function read(said: AgentSaid): WorkOutcome {
  const result = ofType(said.events, 'result').at(-1);
  if (textAt(result, 'error', 'type') === 'FatalTurnLimitedError') return { kind: 'turns', usage: usageOf(result) };
  if (textAt(result, 'status') !== 'success' || said.code !== 0) {
    const failed = geminiCli.read(said);
    if (failed.kind === 'failed') return failed;
  }
  const usage = usageOf(result);
  if (usage === undefined) return geminiCli.read({ ...said, written: '' });
  return { kind: 'answered', text: '', usage };
}

function usageOf(result: unknown) {
  return countedUsage(numberAt(result, 'stats', 'input_tokens'), numberAt(result, 'stats', 'output_tokens'));
}
