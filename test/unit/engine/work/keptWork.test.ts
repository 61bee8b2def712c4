import assert from 'node:assert/strict';
import { keptWork } from '../../../../src/engine/work/keptWork.js';
import { forReport, workSections } from '../../../../src/engine/work/reportWork.js';
import type { WorkEvent } from '../../../../src/ports/agentWork.js';

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

  it('stays short, however much was said and done', () => {
    const long = { ...tool, output: 'x'.repeat(50_000) };
    const kept = keptWork({ events: Array.from({ length: 3_000 }, () => long), diff: '+\n'.repeat(100_000) }, clean);
    assert.equal(kept.events.length, 501);
    assert.match(JSON.stringify(kept.events[250]), /2500 steps left out/);
    assert.ok(JSON.stringify(kept).length < 600_000, String(JSON.stringify(kept).length));
    assert.equal(keptWork({ events: [tool], diff: '' }, (text) => text).events[0]?.kind, 'tool');
  });
});

describe('an agent’s work in a report', () => {
  const diff = 'diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n@@ -1 +1,2 @@\n one\n+```\n';
  const events: readonly WorkEvent[] = [
    { kind: 'user', text: 'asked-text' },
    { ...tool, output: 'printed-text' },
    { kind: 'assistant', text: 'answered-text' },
    { kind: 'end', ok: true, reason: 'done' },
  ];

  it('tells the steps and the difference, and nothing that was asked, answered or printed', () => {
    const work = forReport({ events, diff });
    const text = workSections([{ task: 'a*b', attempts: [{ side: 'after', passed: true, work }] }]).join('\n\n');
    assert.match(text, /### a\\\*b\n\n\*\*With the edits: passed\*\*\n\n1\. Command: cat hush\n2\. End: by itself/);
    assert.match(text, /a\.md \(changed\)\n\n````diff\n@@ -1 \+1,2 @@\n one\n\+```\n````/);
    assert.doesNotMatch(text, /(?:asked|printed|answered)-text/);
  });

  it('has no section where no agent worked, and says where one changed nothing', () => {
    assert.deepEqual(workSections([]), []);
    const attempts = [{ side: 'before' as const, passed: false, work: { events: [], diff: '' } }];
    assert.ok(workSections([{ task: 'a', attempts }]).includes('It changed nothing.'));
  });
});
