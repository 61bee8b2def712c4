import type { LanguageModel, ModelReply, ModelRequest } from '../ports/languageModel.js';
import { chanceOf, keyOf, type Chance } from './chance.js';
import { grade } from './judge/grade.js';
import { draftTasks } from './optimizer/draftTasks.js';
import { merge } from './optimizer/merge.js';
import { rank } from './optimizer/rank.js';
import { reflect } from './optimizer/reflect.js';
import { modelName, readSettings, type SimulatedOptions, type SimulatedSettings } from './options.js';
import { pause } from './pause.js';
import { readInstructions, type ReadInstruction } from './reading/readInstructions.js';
import { replyKindOf } from './replyKind.js';
import { instanceOf } from './schemaInstance.js';
import { answerTask } from './target/answerTask.js';
import { cutToTokens, inputTokens, outputTokens } from './tokens.js';

/**
 * A model without a network. Its answers depend on its seed and on what the request says (role, messages, tools, schema,
 * attempt, `dependsOn`), never on a clock, an order of arrival or an earlier call. It says `simulated` in its identity.
 */
export function createSimulatedModel(options: SimulatedOptions = {}): LanguageModel {
  const settings = readSettings(options);
  const read = remembering((text) => readInstructions(text, settings.obedient));
  return {
    identity: { provider: 'simulated', endpoint: 'embedded', model: modelName(settings), simulated: true },
    async complete(request, signal) {
      signal.throwIfAborted();
      if (settings.latencyMs > 0) await pause(settings.latencyMs, signal);
      return replyTo(request, settings, read);
    },
  };
}

type Reader = (text: string) => readonly ReadInstruction[];

function replyTo(request: ModelRequest, settings: SimulatedSettings, read: Reader): ModelReply {
  const chance = chanceOf(requestKey(request, settings.seed));
  const kind = replyKindOf(request);
  if (kind !== 'answer') return textReply(request, writtenReply(request, settings, chance));
  const answer = answerTask({ request, chance, lapseRate: settings.lapseRate, read });
  return answer.kind === 'answer'
    ? textReply(request, answer.text)
    : finished(request, { text: '', toolCalls: [answer.call], finish: 'tool-calls' });
}

function writtenReply(request: ModelRequest, settings: SimulatedSettings, chance: Chance): string {
  const prompt = request.messages.map(({ content }) => content).join('\n\n');
  const mood = { chance, shares: settings.optimizer, obedient: settings.obedient };
  switch (replyKindOf(request)) {
    case 'merge':
      return merge(prompt, mood);
    case 'ranking':
      return rank(prompt, mood);
    case 'draft_tasks':
      return draftTasks(prompt, mood);
    case 'judgement':
      return grade(prompt, { chance, noise: settings.judgeNoise, obedient: settings.obedient });
    case 'other':
      return JSON.stringify(instanceOf(request.replySchema?.schema, () => 'Nothing to add.'));
    case 'answer':
    case 'reflection':
      return reflect(prompt, mood);
  }
}

function requestKey(request: ModelRequest, seed: number): string {
  const { role, messages, tools = [], replySchema = null, attempt, dependsOn = [] } = request;
  return keyOf(seed, role, messages, tools, replySchema, attempt, dependsOn);
}

function textReply(request: ModelRequest, text: string): ModelReply {
  const cut = cutToTokens(text, request.maxOutputTokens);
  return finished(request, { text: cut, toolCalls: [], finish: cut === text ? 'stop' : 'length' });
}

function finished(request: ModelRequest, reply: Pick<ModelReply, 'text' | 'toolCalls' | 'finish'>): ModelReply {
  const usage = { inputTokens: inputTokens(request), outputTokens: outputTokens(reply), exact: true };
  return { ...reply, usage, cached: false };
}

const textsRemembered = 64;

/** Reading is the slow part, and a run asks a thousand times with the same skill. Forgets the oldest; changes no answer. */
function remembering(read: Reader): Reader {
  const known = new Map<string, readonly ReadInstruction[]>();
  return (text) => {
    const found = known.get(text) ?? read(text);
    known.delete(text);
    known.set(text, found);
    const [oldest] = known.keys();
    if (known.size > textsRemembered && oldest !== undefined) known.delete(oldest);
    return found;
  };
}
