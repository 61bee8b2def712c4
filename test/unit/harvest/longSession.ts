import { closeSync, openSync, writeSync } from 'node:fs';
import type { HarvestSource } from '../../../src/harvest/session.js';

/** Whether the exchanges of a session are many and short, or have long outputs in them. */
export interface LongForm {
  readonly source: HarvestSource;
  readonly outputs: 'long' | 'short';
}

/** Writes such a session, with one line that is longer than any is read. */
export function writeLongSession(file: string, { source, outputs }: LongForm, megabytes: number): void {
  const to = openSync(file, 'w');
  writeSync(to, `${JSON.stringify({ type: 'x', y: 'z'.repeat(17 * megabyte) })}\n`);
  let waiting = '';
  for (let index = 0, written = 0; written < megabytes * megabyte; index += 1) {
    const length = outputs === 'long' ? 100 + ((index * 7919) % 40) * 5_000 : 20;
    const output = `${index} `.padEnd(length, 'abc "quoted" \\ 四舍五入 ');
    for (const entry of exchanges[source](index, output)) waiting += `${JSON.stringify(entry)}\n`;
    if (waiting.length < megabyte) continue;
    written += writeSync(to, waiting);
    waiting = '';
  }
  closeSync(to);
}

const megabyte = 1024 * 1024;

/** One exchange with a tool's long output, in the form of each source. */
const exchanges: Readonly<Record<HarvestSource, (index: number, output: string) => readonly object[]>> = {
  'claude-code': (index, output) => [
    {
      type: 'user',
      uuid: `u${index}`,
      parentUuid: `a${index - 1}`,
      message: { content: `Do ${index}.` },
      turnOrigin: 'human',
    },
    {
      type: 'assistant',
      uuid: `t${index}`,
      message: { content: [{ type: 'tool_use', name: 'Bash', input: { output } }] },
    },
    { type: 'user', uuid: `r${index}`, message: { content: [{ type: 'tool_result', content: output }] } },
    { type: 'assistant', uuid: `a${index}`, message: { content: [{ type: 'text', text: `Did ${index}. ${output}` }] } },
  ],
  codex: (index, output) => [
    { type: 'event_msg', payload: { type: 'user_message', message: `Do ${index}.` } },
    { type: 'response_item', payload: { type: 'function_call', name: 'shell', arguments: output } },
    { type: 'response_item', payload: { type: 'function_call_output', output } },
    { type: 'event_msg', payload: { type: 'agent_message', message: `Did ${index}. ${output}` } },
  ],
  'copilot-cli': (index, output) => [
    { type: 'user.message', data: { content: `Do ${index}.` } },
    { type: 'tool.execution_start', data: { toolName: 'bash', arguments: output } },
    { type: 'tool.execution_complete', data: { result: output } },
    { type: 'assistant.message', data: { content: `Did ${index}. ${output}` } },
  ],
  'gemini-cli': (index, output) => [
    { id: `u${index}`, type: 'user', content: [{ text: `Do ${index}.` }] },
    { id: `t${index}`, type: 'gemini', content: '', toolCalls: [{ name: 'shell', args: { output }, result: output }] },
    { id: `r${index}`, type: 'user', content: [{ functionResponse: { output } }] },
    { id: `a${index}`, type: 'gemini', content: `Did ${index}. ${output}` },
  ],
  opencode: (index, output) =>
    [
      ['user', { type: 'text', text: `Do ${index}.` }],
      ['assistant', { type: 'tool', tool: 'bash', state: { input: { output }, output } }],
      ['assistant', { type: 'text', text: `Did ${index}. ${output}` }],
    ].map(([role, part], at) => ({
      session: 's',
      parent: null,
      directory: '/a',
      message: `m${index}-${at}`,
      created: 1_794_769_200_000,
      said: JSON.stringify({ role }),
      part_id: `p${index}-${at}`,
      part: JSON.stringify(part),
    })),
  'vscode-chat': (index, output) => [
    ...(index === 0 ? [{ kind: 0, v: { sessionId: 's', requests: [] } }] : []),
    { kind: 2, k: ['requests'], v: [{ message: { text: `Do ${index}.` }, response: [] }] },
    {
      kind: 2,
      k: ['requests', index, 'response'],
      v: [{ kind: 'toolInvocationSerialized', toolId: 'run_in_terminal', resultDetails: { output } }],
    },
    { kind: 1, k: ['requests', index, 'result'], v: { metadata: { toolCallResults: { output } } } },
    { kind: 2, k: ['requests', index, 'response'], v: [{ value: `Did ${index}. ${output}` }] },
  ],
  'cursor-agent': (index, output) => [
    { role: 'user', message: { content: [{ type: 'text', text: `<user_query>Do ${index}.</user_query>` }] } },
    { role: 'assistant', message: { content: [{ type: 'tool_use', name: 'Shell', input: { output } }] } },
    { role: 'assistant', message: { content: [{ type: 'text', text: `Did ${index}. ${output}` }] } },
  ],
  pi: (index, output) => [
    { type: 'message', id: `u${index}`, parentId: `a${index - 1}`, message: { role: 'user', content: `Do ${index}.` } },
    {
      type: 'message',
      id: `t${index}`,
      parentId: `u${index}`,
      message: { role: 'assistant', content: [{ type: 'toolCall', name: 'bash', arguments: { output } }] },
    },
    {
      type: 'message',
      id: `a${index}`,
      parentId: `t${index}`,
      message: { role: 'assistant', content: [{ type: 'text', text: `Did ${index}. ${output}` }] },
    },
  ],
};
