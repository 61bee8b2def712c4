import assert from 'node:assert/strict';
import type { AgentKind } from '../../../../src/models/agents/agentKind.js';
import { agentTranscript } from '../../../../src/models/agents/agentTranscript.js';
import { claudeCode } from '../../../../src/models/agents/claudeCode.js';
import { opencode } from '../../../../src/models/agents/opencode.js';
import { few } from '../../../builders/few.js';
import { assertLinear } from '../../../builders/linearTime.js';

describe('what is kept of what a program says', () => {
  it('is the beginning of its words, and takes no longer for each line once that is there', () => {
    const transcript = transcriptOf(opencode);
    const letters = 100_000;
    for (let line = 0; line < 2 * letters; line += 1) transcript.take('ab');
    assert.equal(
      transcript.said().words,
      'ab\n'
        .repeat(Math.ceil(letters / 3))
        .slice(0, letters)
        .trimEnd() + '\n',
    );
    const begun = process.cpuUsage();
    for (let line = 0; line < 300_000; line += 1) transcript.take('a');
    const { user, system } = process.cpuUsage(begun);
    assert.ok((user + system) / 1_000 < 1_500, `${(user + system) / 1_000} ms`); // copied for each line it is minutes
  });

  it('is no more than so many events: beyond them it is stopped, and that is no answer', () => {
    for (const line of few([`{"type":"result","list":[${'[],'.repeat(100_000)}0]}`, '{}'])) {
      let stops = 0;
      const transcript = transcriptOf(claudeCode, () => (stops += 1));
      for (let count = 0; count < 60_000 && transcript.stopped() === undefined; count += 1) transcript.take(line);
      assert.equal(stops, 1);
      assert.ok(transcript.said().events.length <= 50_000);
      const stopped = transcript.stopped();
      assert.ok(stopped?.kind === 'failed' && stopped.said === 'it wrote more than is read');
      const { length } = transcript.said().events;
      transcript.take(line);
      assert.equal(transcript.said().events.length, length);
    }
  });

  it('is nothing of thinking, however long', () => {
    const transcript = transcriptOf(claudeCode);
    const delta = { type: 'thinking_delta', thinking: 'Hm.' };
    const line = JSON.stringify({ type: 'stream_event', event: { type: 'content_block_delta', index: 0, delta } });
    for (let count = 0; count < 60_000; count += 1) transcript.take(line);
    assert.deepEqual([transcript.said().events.length, transcript.said().written], [0, '']);
    assert.equal(transcript.stopped(), undefined);
  });

  it('is found in a line of any length in time that grows with it', () => {
    assertLinear((size) => {
      transcriptOf(opencode).take('message="stream error" '.repeat(size));
    }, 2_000);
  });
});

function transcriptOf(kind: AgentKind, stop: () => void = () => undefined) {
  return agentTranscript(kind, { most: 1_000, beat: () => undefined, stop });
}
