import type { ServerResponse } from 'node:http';

/** A tool call in the words of whichever program asks. */
export interface WireCall {
  readonly name: string;
  /** Text for a tool that takes free text. */
  readonly input: Readonly<Record<string, unknown>> | string;
}

/** One answer of a model, before it is written in the form of a server. */
export interface WireAnswer {
  readonly text: string;
  readonly calls?: readonly WireCall[];
  /** True where the model's limit cut it. */
  readonly cut?: boolean;
}

let answers = 0; // every answer and every call has a name of its own, as programs expect

/** What every answer is said to take. */
export const wireUsage = { input: 240, output: 12 };

type Body = Readonly<Record<string, unknown>>;
type Writer = (
  answer: WireAnswer,
  response: ServerResponse,
  asked: { readonly body: Body; readonly url: string },
) => void;

/** The four forms that agent programs ask servers in, found by the address. */
export const wireFormats: readonly { readonly path: RegExp; readonly write: Writer }[] = [
  { path: /\/messages(?:\?|$)/, write: writeMessage },
  { path: /\/responses(?:\?|$)/, write: writeResponse },
  { path: /\/chat\/completions(?:\?|$)/, write: writeCompletion },
  { path: /:(?:stream)?generateContent(?:\?|$)/i, write: writeContent },
];

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Writes events one after the other; those with a type are named for it. */
function stream(response: ServerResponse, events: readonly Body[], last = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(last);
}

function writeMessage(answer: WireAnswer, response: ServerResponse, { body }: { readonly body: Body }): void {
  answers += 1;
  const calls = (answer.calls ?? []).map(({ name, input }, at) => ({
    type: 'tool_use',
    id: `toolu_${answers}_${at}`,
    name,
    input,
  }));
  const content = [...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]), ...calls];
  const usage = { input_tokens: wireUsage.input, output_tokens: wireUsage.output };
  const message = {
    id: `msg_${answers}`,
    type: 'message',
    role: 'assistant',
    model: body['model'],
    stop_sequence: null,
    usage,
  };
  const reason = calls.length > 0 ? 'tool_use' : answer.cut === true ? 'max_tokens' : 'end_turn';
  if (body['stream'] !== true) return send(response, { ...message, content, stop_reason: reason });
  stream(response, [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: 'text' in block ? { ...block, text: '' } : { ...block, input: {} },
      },
      { type: 'content_block_delta', index, delta: messageDelta(block) },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

function messageDelta(block: { readonly text: string } | { readonly input: unknown }): Body {
  return 'text' in block
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
}

function writeResponse(answer: WireAnswer, response: ServerResponse, { body }: { readonly body: Body }): void {
  answers += 1;
  const message = {
    id: `msg_${answers}`,
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: answer.text, annotations: [] }],
  };
  const output = [...(answer.text === '' ? [] : [message]), ...(answer.calls ?? []).map(responseCall)];
  const usage = {
    input_tokens: wireUsage.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: wireUsage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: wireUsage.input + wireUsage.output,
  };
  const whole = { id: `resp_${answers}`, object: 'response', status: 'completed', model: body['model'], output, usage };
  if (body['stream'] !== true) return send(response, whole);
  const items = output.flatMap((item, index) => [
    { type: 'response.output_item.added', output_index: index, item: { ...item, status: 'in_progress' } },
    ...(item.type === 'message'
      ? [
          {
            type: 'response.output_text.delta',
            item_id: item.id,
            output_index: index,
            content_index: 0,
            delta: answer.text,
          },
        ]
      : []),
    { type: 'response.output_item.done', output_index: index, item },
  ]);
  const begun = { ...whole, status: 'in_progress', output: [], usage: null };
  const events = [
    { type: 'response.created', response: begun },
    ...items,
    answer.cut === true
      ? {
          type: 'response.incomplete',
          response: { ...whole, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
        }
      : { type: 'response.completed', response: whole },
  ];
  stream(
    response,
    events.map((event, at) => ({ ...event, sequence_number: at })),
  );
}

function responseCall({ name, input }: WireCall, at: number) {
  const common = { id: `call_item_${answers}_${at}`, status: 'completed', call_id: `call_${answers}_${at}`, name };
  return typeof input === 'string'
    ? { type: 'custom_tool_call', ...common, input }
    : { type: 'function_call', ...common, arguments: JSON.stringify(input) };
}

function writeCompletion(answer: WireAnswer, response: ServerResponse, { body }: { readonly body: Body }): void {
  answers += 1;
  const calls = (answer.calls ?? []).map(({ name, input }, index) => ({
    index,
    id: `call_${answers}_${index}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
  const usage = {
    prompt_tokens: wireUsage.input,
    completion_tokens: wireUsage.output,
    total_tokens: wireUsage.input + wireUsage.output,
  };
  const base = { id: `chatcmpl-${answers}`, created: 1, model: body['model'] };
  const said = { role: 'assistant', content: answer.text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  const reason = calls.length > 0 ? 'tool_calls' : answer.cut === true ? 'length' : 'stop';
  if (body['stream'] !== true) {
    const choices = [{ index: 0, message: said, finish_reason: reason }];
    return send(response, { ...base, object: 'chat.completion', choices, usage });
  }
  const chunk = { ...base, object: 'chat.completion.chunk' };
  stream(
    response,
    [
      { ...chunk, choices: [{ index: 0, delta: said, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
      { ...chunk, choices: [], usage },
    ],
    'data: [DONE]\n\n',
  );
}

function writeContent(answer: WireAnswer, response: ServerResponse, { url }: { readonly url: string }): void {
  answers += 1;
  const calls = (answer.calls ?? []).map(({ name, input }, at) => ({
    functionCall: { name, args: input, id: `call_${answers}_${at}` },
    thoughtSignature: 'c2lnbmF0dXJl',
  }));
  const parts = [...(answer.text === '' ? [] : [{ text: answer.text }]), ...calls];
  const whole = {
    candidates: [
      { content: { role: 'model', parts }, finishReason: answer.cut === true ? 'MAX_TOKENS' : 'STOP', index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: wireUsage.input,
      candidatesTokenCount: wireUsage.output,
      totalTokenCount: wireUsage.input + wireUsage.output,
    },
    modelVersion: 'fake',
    responseId: `r${answers}`,
  };
  if (/:streamGenerateContent/i.test(url)) stream(response, [whole]);
  else send(response, whole);
}
