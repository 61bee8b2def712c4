import * as z from 'zod';

/** What we read of an answer. Servers add, leave out and null as they like; only what we use is held to a shape. */

const Usage = z.looseObject({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() });

const ToolCallPart = z.looseObject({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z
    .looseObject({ name: z.string().nullish(), arguments: z.union([z.string(), z.looseObject({})]).nullish() })
    .nullish(),
});

const Part = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(ToolCallPart).nullish(),
});

const Choice = z.looseObject({ delta: Part.nullish(), message: Part.nullish(), finish_reason: z.string().nullish() });

/** A chunk of a stream, or a whole completion: they differ in `delta` and `message` only. */
export const WireAnswer = z.looseObject({ choices: z.array(Choice).nullish(), usage: Usage.nullish() });

export type WireAnswer = z.infer<typeof WireAnswer>;
export type WirePart = z.infer<typeof Part>;
export type WireToolCall = z.infer<typeof ToolCallPart>;
