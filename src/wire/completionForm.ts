import * as z from 'zod';
import { bodyQuestion, CompletionBody } from './completionBody.js';
import { chunksOf, completionOf } from './completionReply.js';
import type { WireForm } from './wireForm.js';

/** `POST /v1/chat/completions`, as OpenAI-compatible servers speak it. */
export const completionForm: WireForm = {
  read(body) {
    const parsed = CompletionBody.safeParse(body);
    if (!parsed.success) return z.prettifyError(parsed.error);
    const { model, max_completion_tokens: most, max_tokens: formerMost, temperature, seed, stream } = parsed.data;
    return {
      model,
      question: bodyQuestion(parsed.data),
      maxOutputTokens: most ?? formerMost ?? undefined,
      temperature: temperature ?? undefined,
      seed: seed ?? undefined,
      stream: stream === true,
      withUsage: parsed.data.stream_options?.include_usage === true,
    };
  },
  whole: completionOf,
  events: (model, reply, withUsage) => [
    ...chunksOf(model, reply, withUsage).map((chunk) => ({ data: JSON.stringify(chunk) })),
    { data: '[DONE]' },
  ],
  refusal: ({ message, type, code }) => ({ error: { message, type, param: null, code } }),
};
