import type { ModelRequest, ToolCall, ToolDeclaration } from '../../ports/languageModel.js';
import type { Chance } from '../chance.js';
import { type Instruction, resolve } from '../instruction.js';
import { appliesTo, type ReadInstruction } from '../reading/readInstructions.js';
import { layOut, type Parts, preface, wrapped, type Size, tightest } from './layout.js';
import { materialOf, type Material } from './material.js';
import { sloppyPlan, type AnswerPlan, type JsonKey, type LengthBounds } from './plan.js';
import { voiceOf, verdictLine } from './voice.js';
import { isTool } from '../kinds/toolUse.js';
import { instanceOf } from '../schemaInstance.js';
import { isWithin, reaches } from './measure.js';

type TargetReply =
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'answer'; readonly text: string; readonly plan: AnswerPlan };

interface TargetWork {
  readonly request: ModelRequest;
  readonly chance: Chance;
  readonly lapseRate: number;
  /** Reads a text; given by the caller, who may remember what it read. */
  readonly read: (text: string) => readonly ReadInstruction[];
}

/**
 * Does a task the way a model does: what the system and user messages ask for in words it understands is followed, but for
 * lapses; everything else is done sloppily. Sees nothing but the messages.
 */
export function answerTask({ request, chance, lapseRate, read }: TargetWork): TargetReply {
  const material = materialOf(request);
  const told = request.messages.flatMap((message) =>
    message.role === 'system' || message.role === 'user' ? read(message.content) : [],
  );
  const asked = resolve(told.filter(appliesTo(material.task)).map(({ instruction }) => instruction));
  const reminded = new Set(
    remindersIn(request)
      .flatMap(read)
      .map(({ instruction }) => instruction.slot),
  );
  const rate = ({ slot }: Instruction): number => (reminded.has(slot) ? lapseRate * stillLapses : lapseRate);
  const followed = asked.filter((instruction) => !lapses(instruction, chance, rate(instruction)));
  const plan = followed.reduce<AnswerPlan>((next, instruction) => instruction.follow(next), sloppyPlan(chance));
  const call = nextToolCall(plan, request, material, chance);
  if (call !== undefined) return { kind: 'call', call };
  return { kind: 'answer', text: compose({ plan, voice: voiceOf(plan, material, chance), chance }), plan };
}

const stillLapses = 0.05; // of the lapses, in spite of a reminder

/** What the appendices of the texts that it reads remind of. */
function remindersIn({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap(({ content }) =>
    content
      .split('<!-- APPENDIX_END -->')
      .slice(0, -1)
      .flatMap((before) => before.split('<!-- APPENDIX_START -->').slice(1).join('') || []),
  );
}

function lapses(instruction: Instruction, chance: Chance, rate: number): boolean {
  return rate > 0 && chance.fraction(`lapse ${instruction.slot}`) < rate;
}

function compose(parts: Parts): string {
  const { plan } = parts;
  const keys = plan.json;
  return fit(
    (size) => (keys === undefined ? layOut(parts, size) : jsonAnswer(parts, keys, size)),
    plan.most,
    plan.least,
  );
}

/** The next tool that the plan wants and no earlier turn has called, with arguments that fit its parameters. */
function nextToolCall(
  plan: AnswerPlan,
  request: ModelRequest,
  material: Material,
  chance: Chance,
): ToolCall | undefined {
  const called = new Set(calledTools(request));
  const wanted = (request.tools ?? []).find(
    (tool) => plan.tooled && !called.has(tool.name) && plan.tools.some((name) => isTool(tool.name, name)),
  );
  if (wanted === undefined) return undefined;
  return {
    id: `call_${chance.digits(`tool ${wanted.name}`, 24)}`,
    name: wanted.name,
    arguments: JSON.stringify(instanceOf(wanted.parameters, suggestions(wanted, material))),
  };
}

/** The names of the tools that earlier turns called. */
function calledTools(request: ModelRequest): readonly string[] {
  return request.messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => call.name) : [],
  );
}

function suggestions(tool: ToolDeclaration, { task, words, names }: Material): (property: string) => string {
  return (property) => {
    if (/path|file/i.test(property)) return names.find((name) => name.includes('.')) ?? 'README.md';
    if (/(?:^|_)id$|Id$|key|number|ticket/i.test(property))
      return names.find((name) => /\d/.test(name)) ?? names[0] ?? tool.name;
    if (/question|prompt|text|request|message/i.test(property)) return task.trim().slice(0, 200) || tool.name;
    return words.slice(0, 4).join(' ');
  };
}

const usualKeys: readonly JsonKey[] = [
  { name: 'answer', type: 'string', options: [] },
  { name: 'details', type: 'string', options: [] },
];

/** The answer as one JSON object: sentences go into its texts, every other value is of the type that was named. */
function jsonAnswer(parts: Parts, keys: readonly JsonKey[], size: Size): string {
  const named = keys.length === 0 ? usualKeys : keys;
  const texts = textsFor(parts, named.filter(isText).length, size);
  let next = 0;
  const entries = named.map((key, at) => {
    if (!isText(key)) return [key.name, valueOf(parts, key, at)] as const;
    next += 1;
    return [key.name, texts[next - 1] ?? parts.voice.phrase(at)] as const;
  });
  return wrapped(parts.plan, JSON.stringify(Object.fromEntries(entries), null, size.tightness > 0 ? 0 : 2));
}

function isText(key: JsonKey): boolean {
  return key.type === 'string' && key.options.length === 0;
}

function textsFor(parts: Parts, count: number, size: Size): readonly string[] {
  const { plan, voice } = parts;
  const fillers = Array.from({ length: size.fillers }, (_, index) => voice.filler(index));
  return Array.from({ length: count }, (_, at) => {
    const own = fillers.filter((_filler, index) => index % count === at);
    const first = [preface(plan, voice, size), ...voice.facts(size.tightness > 0)];
    const last = at === count - 1 ? (verdictLine(plan, voice) ?? '') : '';
    const sentences = [...(at === 0 ? first : []), ...own, last].filter((text) => text !== '');
    return sentences.length === 0 ? voice.phrase(at) : sentences.join(' ');
  });
}

function valueOf({ chance, voice }: Parts, key: JsonKey, at: number): unknown {
  if (key.options.length > 0) return chance.pick(`json ${key.name}`, key.options);
  switch (key.type) {
    case 'string':
      return voice.phrase(at);
    case 'number':
      return 1 + Math.floor(chance.fraction(`json ${key.name}`) * 9);
    case 'boolean':
      return chance.fraction(`json ${key.name}`) < 0.5;
    case 'array':
      return [0, 1, 2].map((index) => voice.phrase(at + index));
    case 'object':
      return { note: voice.phrase(at) };
  }
}

/** Enough for every rambling sentence, and then some. */
const usualFillers = 15;
const endlessFillers = 4000;

/** Writes as much as the bounds allow: the usual ramble, more where a floor asks for it, less where a ceiling does. */
function fit(write: (size: Size) => string, most: LengthBounds, least: LengthBounds): string {
  const usual = write({ fillers: usualFillers, tightness: 0 });
  if (!reaches(usual, least)) return grow(write, least);
  if (isWithin(usual, most)) return usual;
  for (let tightness = 0; tightness <= tightest; tightness += 1) {
    const bare = write({ fillers: 0, tightness });
    if (!isWithin(bare, most)) continue;
    return fullest((fillers) => write({ fillers, tightness }), most);
  }
  return clip(write({ fillers: 0, tightness: tightest }), most);
}

function grow(write: (size: Size) => string, least: LengthBounds): string {
  let fillers = usualFillers;
  let text = '';
  do {
    fillers = Math.ceil(fillers * 1.5);
    text = write({ fillers, tightness: 0 });
  } while (!reaches(text, least) && fillers < endlessFillers);
  return text;
}

/** The longest text within the bounds, by halving: more fillers never make a text shorter. */
function fullest(write: (fillers: number) => string, most: LengthBounds): string {
  let low = 0;
  let high = usualFillers;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isWithin(write(middle), most)) low = middle;
    else high = middle - 1;
  }
  return write(low);
}

/** The last resort for bounds of a few words: what is left of running text is cut; lines that were asked for stay. */
function clip(text: string, most: LengthBounds): string {
  if (/[\n:<{]/.test(text)) return text;
  const words = text.split(' ');
  for (let count = words.length; count > 1; count -= 1) {
    const cut = words.slice(0, count).join(' ');
    if (isWithin(cut, most)) return cut;
  }
  return words[0] ?? text;
}
