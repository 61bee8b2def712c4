import type { AgentWork } from '../ports/agentWork.js';
import type { LanguageModel, ModelReply, ModelRequest, ModelRole } from '../ports/languageModel.js';
import { workOn } from './agent/workOn.js';
import { chanceOf, keyOf, type Chance } from './chance.js';
import { grade } from './judge/grade.js';
import { draftTasks } from './optimizer/draftTasks.js';
import { count, merge, rank } from './optimizer/mergeAndRank.js';
import { mineSession } from './optimizer/mineSession.js';
import { guide, joinNotes, note } from './optimizer/epochReplies.js';
import { reflect, reflectOnLapses } from './optimizer/reflect.js';
import { mergeRewrites, mergeSuggestions, rewriteBySuggestions, rewriteWhole, suggest } from './optimizer/rewriting.js';
import { modelName, readSettings, type SimulatedOptions, type SimulatedSettings } from './options.js';
import { readInstructions, type ReadInstruction } from './reading/readInstructions.js';
import { instanceOf } from './schemaInstance.js';
import { answerTask } from './target/answerTask.js';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * A model without a network. Its answers depend on its seed and on what the request says (role, messages, tools, schema,
 * attempt, `dependsOn`), never on a clock, an order of arrival or an earlier call. It says `simulated` in its identity.
 */
export function createSimulatedModel(options: SimulatedOptions = {}): LanguageModel {
  const settings = readSettings(options);
  const read = settings.obedient ? readEverything : readUsual;
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

/** What a text asks for does not depend on which model reads it: all of a process share what was read. */
const readUsual = remembering((text) => readInstructions(text));
const readEverything = remembering((text) => readInstructions(text, true));

function replyTo(request: ModelRequest, settings: SimulatedSettings, read: Reader): ModelReply {
  const chance = chanceOf(requestKey(request, settings.seed));
  const kind = replyKindOf(request);
  if (request.work !== undefined)
    return workedOn(request, request.work, { chance, lapseRate: settings.lapseRate, read });
  if (kind !== 'answer') return textReply(request, writtenReply(request, settings, chance));
  const answer = answerTask({ request, chance, lapseRate: settings.lapseRate, read });
  return answer.kind === 'answer'
    ? textReply(request, answer.text)
    : finished(request, { text: '', toolCalls: [answer.call], finish: 'tool-calls' });
}

/** As an agent with a folder: the same answer, and what it did on the way. */
function workedOn(
  request: ModelRequest,
  work: AgentWork,
  habits: Omit<Parameters<typeof answerTask>[0], 'request'>,
): ModelReply {
  const { text, left } = workOn(request, work, (messages) => {
    const { tools: _none, ...asked } = request;
    const said = answerTask({ request: { ...asked, messages }, ...habits });
    return said.kind === 'answer' ? said : { text: '', plan: { commands: [], notes: [] } };
  });
  const told = JSON.stringify(left.events);
  const usage = { inputTokens: inputTokens(request) + countTokens(told), outputTokens: countTokens(text), exact: true };
  return { text, finish: 'stop', toolCalls: [], usage, cached: false, work: left };
}

function writtenReply(request: ModelRequest, settings: SimulatedSettings, chance: Chance): string {
  const prompt = request.messages.map(({ content }) => content).join('\n\n');
  const habits = { chance, shares: settings.optimizer, obedient: settings.obedient };
  switch (replyKindOf(request)) {
    case 'merge':
      return merge(prompt, habits);
    case 'ranking':
      return rank(prompt, habits);
    case 'skill_aware_reflection':
      return reflectOnLapses(prompt, habits);
    case 'appendix':
      return joinNotes(prompt, habits);
    case 'edit_budget':
      return count(prompt, habits);
    case 'draft_tasks':
      return draftTasks(prompt, habits);
    case 'mine_session':
      return mineSession(prompt, habits);
    case 'suggestions':
      return suggest(prompt, habits);
    case 'merge_suggestions':
      return mergeSuggestions(prompt, habits);
    case 'rewrite':
      return rewriteBySuggestions(prompt, habits);
    case 'rewrites':
      return rewriteWhole(prompt, habits);
    case 'merge_rewrites':
      return mergeRewrites(prompt, habits);
    case 'slow_update':
      return guide(prompt, habits);
    case 'meta_skill':
      return note(prompt, habits);
    case 'judgement':
      return grade(prompt, { chance, noise: settings.judgeNoise, obedient: settings.obedient });
    case 'other':
      return JSON.stringify(instanceOf(request.replySchema?.schema, () => 'Nothing to add.'));
    case 'answer':
    case 'reflection':
      return reflect(prompt, habits);
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

/** What a request wants back. `other` has a schema that the model only fills in. */
type ReplyKind = (typeof asked)[number] | 'answer' | 'other';

const asked = [
  ...(['reflection', 'merge', 'ranking', 'edit_budget', 'slow_update', 'meta_skill'] as const),
  ...(['skill_aware_reflection', 'appendix', 'draft_tasks', 'mine_session', 'judgement'] as const),
  ...(['suggestions', 'merge_suggestions', 'rewrite', 'rewrites', 'merge_rewrites'] as const),
] as const;
const named: ReadonlySet<string> = new Set(asked);

// Servers that cannot hold a model to a schema get its shape in the prompt instead.
const shapes: readonly { readonly kind: ReplyKind; readonly pattern: RegExp }[] = [
  { kind: 'slow_update', pattern: /"slow_update_content"/ },
  { kind: 'meta_skill', pattern: /"meta_skill_content"/ },
  { kind: 'skill_aware_reflection', pattern: /"failure_summary"[\s\S]{0,400}"appendix_notes"/ },
  { kind: 'appendix', pattern: /"appendix_notes"/ },
  { kind: 'edit_budget', pattern: /"edit_count"/ },
  { kind: 'ranking', pattern: /"selected_indices"/ },
  { kind: 'merge_rewrites', pattern: /"skill_candidates"[\s\S]{0,200}"support_count"/ },
  { kind: 'rewrites', pattern: /"skill_candidates"/ },
  { kind: 'merge_suggestions', pattern: /"revise_suggestions"[\s\S]{0,300}"support_count"/ },
  { kind: 'suggestions', pattern: /"revise_suggestions"/ },
  { kind: 'rewrite', pattern: /"new_skill"/ },
  { kind: 'reflection', pattern: /"failure_summary"/ },
  { kind: 'judgement', pattern: /"results"[\s\S]{0,80}"pass"/ },
  { kind: 'merge', pattern: /"edits"[\s\S]{0,200}"support_count"/ },
  { kind: 'mine_session', pattern: /"tasks"\s*:\s*\[\s*\{\s*"request"/ },
  { kind: 'draft_tasks', pattern: /"tasks"[\s\S]{0,120}"expectations"/ },
  { kind: 'reflection', pattern: /"edits"\s*:\s*\[\s*\{\s*"op"/ },
];

/** By the name of the reply schema, else by the shape that the prompt shows; a target always answers. */
function replyKindOf(request: Pick<ModelRequest, 'role' | 'messages' | 'replySchema'>): ReplyKind {
  if (request.role === 'target') return 'answer';
  const name = request.replySchema?.name ?? '';
  const found = kindNamed(name) ?? shapeIn(request.messages.map(({ content }) => content).join('\n'));
  if (found !== undefined) return found;
  if (request.replySchema !== undefined) return 'other';
  return request.role === 'judge' ? 'judgement' : 'reflection';
}

/** Which role a request plays that does not say so, as over HTTP. */
export function roleOf(schemaName: string | undefined, text: string): ModelRole {
  const kind = kindNamed(schemaName ?? '') ?? shapeIn(text);
  if (kind === undefined) return 'target';
  return kind === 'judgement' ? 'judge' : 'optimizer';
}

function kindNamed(name: string): ReplyKind | undefined {
  return [...named].find((known): known is ReplyKind => known === name);
}

function shapeIn(text: string): ReplyKind | undefined {
  return shapes.find(({ pattern }) => pattern.test(text))?.kind;
}

const charactersPerToken = 4;
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Four characters a token, but a token for each character of Chinese, Japanese and Korean, as tokenizers do it. */
function countTokens(text: string): number {
  const denseCount = text.match(dense)?.length ?? 0;
  return denseCount + Math.ceil((text.length - denseCount) / charactersPerToken);
}

/** What the request costs: messages, tool calls in them, declared tools and the reply schema. */
function inputTokens(request: ModelRequest): number {
  const messages = request.messages.map((message) =>
    message.role === 'assistant' && message.toolCalls !== undefined
      ? message.content + message.toolCalls.map((call) => call.name + call.arguments).join('')
      : message.content,
  );
  const declared = [...(request.tools ?? []), ...(request.replySchema === undefined ? [] : [request.replySchema])];
  return [...messages, ...declared.map((value) => JSON.stringify(value))].reduce(
    (sum, text) => sum + countTokens(text),
    0,
  );
}

/** Cuts a text so that it counts at most `limit` tokens; at least one character stays, as no reply is empty. */
function cutToTokens(text: string, limit: number): string {
  if (countTokens(text) <= limit) return text;
  let low = 1;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countTokens(text.slice(0, middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).replace(/[\uD800-\uDBFF]$/, '');
}

/** The text and the tool calls of a reply. */
function outputTokens(reply: Pick<ModelReply, 'text' | 'toolCalls'>): number {
  return countTokens(reply.text + reply.toolCalls.map((call) => call.name + call.arguments).join(''));
}

/** Waits, or throws the signal's own reason as soon as it is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
