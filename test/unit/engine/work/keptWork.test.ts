import assert from 'node:assert/strict';
import { keptWork, keptWorkText } from '../../../../src/engine/work/keptWork.js';
import type { WorkEvent } from '../../../../src/ports/agentWork.js';
import { KeptWorkText } from '../../../../src/storage/runs/workLeft.js';

const clean = (text: string): string => text.replaceAll('hush', '[secret]');
const tool: WorkEvent = { kind: 'tool', name: 'Bash', input: 'hush', output: 'hush', ok: true, command: 'cat hush' };

describe('what is kept of an agent’s work', () => {
  it('holds no secret in any of its texts', () => {
    const events: readonly WorkEvent[] = [
      { kind: 'user', text: 'hush' },
      tool,
      { kind: 'skill', name: 'hush', how: 'tool' },
      { kind: 'usage', inputTokens: 1, outputTokens: 2 },
      { kind: 'end', ok: false, reason: 'hush' },
    ];
    const kept = keptWork({ events, diff: '+hush' }, clean);
    assert.doesNotMatch(JSON.stringify(kept), /hush/);
    assert.deepEqual(
      kept.events.map(({ kind }) => kind),
      events.map(({ kind }) => kind),
    );
  });

  it('is read again as it was, also where a command was only told, which a text of version 1 does not know', () => {
    for (const [events, version] of [
      [[tool], 1],
      [[{ ...tool, onlyTold: true as const }], 2],
    ] as const) {
      const kept = keptWork({ events, diff: '' }, (text) => text);
      const read = KeptWorkText.parse(JSON.parse(keptWorkText(kept)));
      assert.deepEqual([read.version, read.events], [version, events]);
    }
  });

  it('stays short, however much was said and done', () => {
    const long = { ...tool, output: 'x'.repeat(50_000) };
    const kept = keptWork({ events: Array.from({ length: 3_000 }, () => long), diff: '+\n'.repeat(100_000) }, clean);
    assert.equal(kept.events.length, 501);
    assert.match(JSON.stringify(kept.events[250]), /2500 steps left out/);
    assert.ok(JSON.stringify(kept).length < 600_000, String(JSON.stringify(kept).length));
    assert.equal(keptWork({ events: [tool], diff: '' }, (text) => text).events[0]?.kind, 'tool');
  });
});
