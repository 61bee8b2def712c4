import assert from 'node:assert/strict';
import type { RunEvent } from '../../../src/engine/journal/runEvents.js';
import { stepTable } from '../../../src/engine/journal/reportTables.js';
import { foldEvent } from '../../../src/engine/journal/foldEvent.js';
import { emptySummary } from '../../../src/engine/journal/runSummary.js';
import { aRun, anOptimizer, edits, neverSay, say } from '../../builders/aRunContext.js';
import { aSplit, wants } from '../../builders/aSplit.js';

type StepEnded = Extract<RunEvent, { kind: 'step-ended' }>;

/** Nine of ten held-out tasks want alpha. The first step says it; the later ones take it back and are dropped early. */
describe('the scores of a step', () => {
  it('are of one text each, over the tasks that it was tried on, and say how many they were', async () => {
    const [first, second, third] = await stepsOfRun();
    assert.deepEqual(scoresOf(first), { candidate: '1 on 2', current: '1 on 2', best: '1 on 2', original: '0 on 10' });
    const kept = { candidate: '0 on 10', current: '0.9 on 10', best: '0.9 on 10', original: '0 on 10' };
    assert.deepEqual([second, third].map(scoresOf), [kept, kept], 'nothing was accepted, and nothing moves');
  });

  it('are shown as part of the tasks where they are', async () => {
    const steps = await stepsOfRun();
    const summary = steps.reduce((before, event) => foldEvent(before, event, 0), emptySummary('r', 0));
    const [, , first, second] = stepTable(summary.steps).split('\n');
    assert.match(first ?? '', /\| 100 % \(2 of 10 tasks\) \| 100 % \(2 of 10 tasks\) \|/);
    assert.match(second ?? '', /\| 0 % \| 90 % \|/);
  });
});

function scoresOf(step: StepEnded | undefined): Readonly<Record<string, string>> {
  const { candidateScore, currentScore, bestScore, originalScore, scoredOn } = step ?? assert.fail('no such step');
  return {
    candidate: `${candidateScore} on ${scoredOn?.candidate}`,
    current: `${currentScore} on ${scoredOn?.current}`,
    best: `${bestScore} on ${scoredOn?.best}`,
    original: `${originalScore} on ${scoredOn?.original}`,
  };
}

async function stepsOfRun(): Promise<readonly StepEnded[]> {
  const optimizer = anOptimizer({
    reflect: ({ messages }) =>
      messages.some(({ content }) => content.includes('Say “alpha”')) ? edits(neverSay('alpha')) : edits(say('alpha')),
  });
  const tasks = aSplit({ training: 4, heldOut: 10 }, (side, index) =>
    wants((side === 'heldOut' && index === 9) || (side === 'training' && index === 3) ? 'omega' : 'alpha'),
  );
  const { events } = await aRun({ optimizer, tasks, settings: { train: { epochs: 3 }, stop: { patience: 3 } } });
  return events.filter((event) => event.kind === 'step-ended');
}
