import assert from 'node:assert/strict';
import { conversationOf } from '../../../../src/engine/journal/conversation.js';
import type { TranscriptTurn } from '../../../../src/ports/environment.js';

const asItIs = (text: string): string => text;

describe('a conversation as the paper’s trainer writes it', () => {
  it('has an entry of its kind for each turn, without what the target was told first', () => {
    const turns: readonly TranscriptTurn[] = [
      { kind: 'message', role: 'system', text: 'The skill.' },
      { kind: 'message', role: 'user', text: 'Sum up.' },
      { kind: 'tool', name: 'add', arguments: '{"a":1}', result: '3' },
      { kind: 'tool', name: 'ls', arguments: 'ls -l', result: 'a' },
      { kind: 'step', action: 'go', feedback: 'gone', reasoning: 'why not' },
      { kind: 'message', role: 'system', text: 'It is wrong.' },
      { kind: 'message', role: 'assistant', text: 'Three.' },
    ];
    assert.deepEqual(conversationOf(turns, asItIs), [
      { role: 'user', content: 'Sum up.' },
      { type: 'tool_call', cmd: 'add {"a":1}', obs: '3' },
      { type: 'tool_call', cmd: 'ls -l', obs: 'a' },
      { step: 4, action: 'go', env_feedback: 'gone', reasoning: 'why not' },
      { role: 'system', content: 'It is wrong.' },
      { role: 'assistant', content: 'Three.' },
    ]);
  });

  it('keeps the newest entries of one that has no end, and the ends of one long entry', () => {
    const turns = Array.from({ length: 200 }, (_, index): TranscriptTurn => ({
      kind: 'step',
      action: `action ${index}`,
      feedback: 'x'.repeat(1_000),
    }));
    const kept = conversationOf([...turns, { kind: 'message', role: 'user', text: `A${'y'.repeat(90_000)}Z` }], asItIs);
    const text = JSON.stringify(kept);
    assert.ok(text.length < 105_000, String(text.length));
    assert.match(text, /the first \d+ entries are left out/u);
    assert.match(text, /"Ay+\\n\[\.\.\. 70002 characters left out \.\.\.\]\\ny+Z"/u);
    assert.match(text, /action 199/u);
  });
});
