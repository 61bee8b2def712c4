import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { aForgetfulWorkspace } from '../builders/aForgetfulWorkspace.js';
import type { TestWorkspace } from '../builders/aWorkspace.js';
import { few, inFull } from '../builders/few.js';
import type { TrainOrder, TrainReport } from './children/trainChild.js';
import { callLogIn, callsIn, runTraining, storedReplies, trainingScript } from './children/trainProcess.js';
import { aNightRequest, silent } from './nightWorkspace.js';

const neverAborted = new AbortController().signal;
const settings = {
  edits: { budget: 1, minimum: 1 },
  gate: { rule: 'strict', attribution: false },
  concurrency: 2,
};
/** Each training task once under the text of the last night. */
const compared = 7;
const minutes = 60_000;

describe('a night that is killed while it holds the text of the last one against today’s', function killed() {
  this.timeout(180_000);
  let script = '';
  let unbroken: TrainReport & { readonly calls: readonly string[] };

  before(async () => {
    script = await trainingScript();
    await withSecondNight(async (workspace) => {
      const report = await finished(workspace, { night: 'next' });
      unbroken = { ...report, calls: callsIn(workspace) };
    });
    assert.equal(unbroken.counts.comparing, compared);
    const [document] = unbroken.proposal?.documents ?? [];
    assert.deepEqual(
      document?.edits.map(({ edit }) => edit.op),
      ['append', 'slow_update'],
    );
  });

  const goesOn = [
    ['next', 'by the next night'],
    ['resumed', 'by the person'],
  ] as const;
  for (const [night, by] of few(goesOn)) {
    for (const at of few([4, 1, compared])) {
      inFull(
        `at call ${at} of ${compared} comes to the same proposal, taken up ${by}, and pays only again for what was under way`,
        () =>
          withSecondNight(async (workspace) => {
            const text = workspace.skillText();
            const first = await runTraining(script, orderFor(workspace, { night, kill: { kind: 'comparing', at } }));
            assert.equal(first.signal, 'SIGKILL', first.complaints);
            const stored = storedReplies(workspace);
            const asked = callsIn(workspace);
            const report = await finished(workspace, { night, aheadMs: 2 * minutes });
            const again = callsIn(workspace).slice(asked.length);
            assert.deepEqual(
              again.filter((key) => stored.has(key)),
              [],
              'stored replies were asked for again',
            );
            assert.deepEqual(report.proposal, unbroken.proposal);
            assert.equal(workspace.skillText(), text);
            const all = [...asked, ...again];
            assert.deepEqual(new Set(all), new Set(unbroken.calls));
            const repeated = all.length - new Set(all).size;
            assert.ok(repeated <= settings.concurrency, `${repeated} replies were lost, more than were under way`);
          }),
      );
    }
  }

  async function finished(workspace: TestWorkspace, more: Partial<TrainOrder>): Promise<TrainReport> {
    const { code, said, complaints } = await runTraining(script, orderFor(workspace, more));
    assert.equal(code, 0, complaints);
    return JSON.parse(said);
  }
});

/** After a night on the skill as it was; since then the person added a rule. */
async function withSecondNight(work: (workspace: TestWorkspace) => Promise<void>): Promise<void> {
  const workspace = aForgetfulWorkspace();
  try {
    const { folder, skillPath } = workspace;
    const request = aNightRequest(folder, { skills: [skillPath], preset: 'standard', settings: [settings] });
    await workspace.useCases().night(request, silent, neverAborted);
    const rule = '- Keep the answer to at most 120 characters, and let what matters most come first.';
    writeFileSync(skillPath, `${workspace.skillText()}\n${rule}\n`);
    await work(workspace);
  } finally {
    workspace.dispose();
  }
}

function orderFor(workspace: TestWorkspace, more: Partial<TrainOrder>): TrainOrder {
  const { folder, home, skillPath } = workspace;
  return { folder, home, skillPath, callLog: callLogIn(workspace), settings, aheadMs: 0, ...more };
}
