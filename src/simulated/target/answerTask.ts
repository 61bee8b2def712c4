import type { ModelRequest, ToolCall } from '../../ports/languageModel.js';
import type { Chance } from '../chance.js';
import type { Instruction } from '../instruction.js';
import { appliesTo, type ReadInstruction } from '../reading/readInstructions.js';
import { resolve } from '../resolve.js';
import { fit } from './fit.js';
import { jsonAnswer } from './jsonAnswer.js';
import { layOut, type Parts } from './layout.js';
import { materialOf } from './material.js';
import { sloppyPlan, type AnswerPlan } from './plan.js';
import { nextToolCall } from './toolCall.js';
import { voiceOf } from './voice.js';

export type TargetReply =
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'answer'; readonly text: string };

export interface TargetWork {
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
  const followed = asked.filter((instruction) => !lapses(instruction, chance, lapseRate));
  const plan = followed.reduce<AnswerPlan>((next, instruction) => instruction.follow(next), sloppyPlan(chance));
  const call = nextToolCall(plan, request, material, chance);
  if (call !== undefined) return { kind: 'call', call };
  return { kind: 'answer', text: compose({ plan, voice: voiceOf(plan, material, chance), chance }) };
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
