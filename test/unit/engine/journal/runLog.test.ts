import assert from 'node:assert/strict';
import { logRun } from '../../../../src/engine/journal/runLog.js';
import { foldEvent } from '../../../../src/engine/journal/foldEvent.js';
import type { RunEvent } from '../../../../src/engine/journal/runEvents.js';
import { emptySummary } from '../../../../src/engine/journal/runSummary.js';

describe('the log of a run', () => {
  it('has one line a stage and one at the end, with nothing that a model or a person wrote', () => {
    const lines: string[] = [];
    const traces: string[] = [];
    const write = logRun({ info: (line) => lines.push(line), trace: (line) => traces.push(line) });
    let summary = { ...emptySummary('r1', 0), skillName: 'dates' };
    const events: readonly RunEvent[] = [
      { kind: 'stage', stage: 'baseline', step: 0, planned: 2 },
      aCall(100),
      anAttempt('the-secret-task'),
      { kind: 'stage', stage: 'reflect', step: 1, planned: 1 },
      aCall(50),
      { kind: 'note', text: 'a secret of the person' },
      { kind: 'run-ended', outcome: 'nothing', reason: 'a secret of the person' },
    ];
    for (const [index, event] of events.entries()) {
      summary = foldEvent(summary, event, index * 1000);
      write(event, summary);
    }
    assert.deepEqual(lines, [
      'dates: baseline, step 0, 2 planned, 1 calls, 100 tokens, 3.0 s',
      'dates: reflect, step 1, 1 planned, 1 calls, 50 tokens, 3.0 s',
      'dates: run r1 ended: nothing, 0 steps, 150 tokens, 6.0 s',
    ]);
    assert.deepEqual(traces, ['baseline the-secret-task, attempt 1: scored']);
  });

  it('says how many calls failed and were made again', () => {
    const lines: string[] = [];
    const write = logRun({ info: (line) => lines.push(line), trace: () => undefined });
    const failed: RunEvent = { ...aCall(0), error: 'rate-limit' };
    let summary = { ...emptySummary('r1', 0), skillName: 'dates' };
    for (const event of [failed, failed, aCall(7), { kind: 'run-ended', outcome: 'nothing', reason: '' } as const]) {
      summary = foldEvent(summary, event, 0);
      write(event, summary);
    }
    assert.match(lines.at(-1) ?? '', /7 tokens, 0\.0 s, 2 calls that failed and were made again$/);
  });
});

function aCall(tokens: number): Extract<RunEvent, { kind: 'call' }> {
  return { kind: 'call', role: 'target', tokens, usd: 0, exact: true, ms: 1, cached: false, error: undefined };
}

function anAttempt(taskId: string): RunEvent {
  return {
    kind: 'attempt',
    stage: 'baseline',
    step: 0,
    skillHash: '',
    taskId,
    attempt: 1,
    outcome: { kind: 'scored', hard: 1, soft: 1 },
    answerHash: undefined,
    tokens: 1,
    latencyMs: 1,
    cached: false,
    checks: [],
  };
}
