import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import * as vscode from 'vscode';
import { createUseCases } from '../../../src/app/useCases.js';
import { tellingPace } from '../../../src/editor/run/firstPace.js';
import { leaveTasksOut } from '../../../src/editor/run/leaveTasksOut.js';
import { RunControls } from '../../../src/editor/run/runControls.js';
import { Overviews } from '../../../src/editor/skills/overviews.js';
import { emptySummary } from '../../../src/engine/journal/runSummary.js';
import { aCall } from '../../builders/runEvents.js';
import { answering } from '../answering.js';
import { aSkill } from '../tasks/taskWindow.js';
import { thisWindow } from '../thisWindow.js';
import { until } from '../until.js';

const evals = {
  evals: ['Ada', 'Bo', 'Cem', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana'].map((name) => ({
    id: name,
    prompt: `Greet ${name} at work`,
    expectations: ['The answer contains “harbour”.'],
  })),
};

describe('a small model that is chosen', () => {
  let server: Server;
  let address = '';
  before(async () => {
    server = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":"qwen:1.5b"}]}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const at = server.address();
    address = `http://127.0.0.1:${at instanceof Object ? at.port : 0}/v1`;
  });
  after(async () => {
    server.close();
    await vscode.workspace
      .getConfiguration('whetstone')
      .update('model.target', undefined, vscode.ConfigurationTarget.Global);
  });

  it('is said to be weak, with what a stronger one costs in a run of the skill that is open', async () => {
    await vscode.window.showTextDocument(vscode.Uri.file(aSkill('small-model', { 'evals/evals.json': evals })));
    const answers = { picks: ['$(edit) Other…', 'qwen:1.5b'], inputs: [address] };
    await answering(answers, async ({ messages }) => {
      await vscode.commands.executeCommand('whetstone.chooseModel', 'target');
      const said = await until(() => messages.find((each) => each.includes('is small')), 'what is said of its size');
      assert.match(said, /weak at proposing edits and at grading\. Keep it as the target/);
      assert.match(said, /usually about \d+ calls and [\d,]+ tokens a run, with openai\/gpt-5\.4 about \d+\.\d\d USD/);
    });
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  }).timeout(60_000);
});

describe('a run that is paid for in time', () => {
  const size = {
    paidInTime: { tokensPerSecond: undefined, capMinutes: undefined },
    usual: { calls: 100, tokens: 1, usd: 0, minutes: 1 },
  };
  const skillPath = '/no/skills/x/SKILL.md';

  /** What happens where calls take so many seconds each and the person presses that button. */
  async function pressed(button: string, secondsOfCall = 30) {
    const controls = new RunControls();
    const { signal, end } = controls.begin(skillPath, new vscode.CancellationTokenSource().token);
    signal.addEventListener('abort', () => setTimeout(end, 20));
    const [log, begun]: [string[], boolean[]] = [[], []];
    const quickly = (): Promise<void> => Promise.resolve(void begun.push(controls.paths().length === 0));
    const fewer = (stop: () => Promise<void>): Promise<void> => stop().then(quickly);
    const parts = { controls, log: { info: (text: string) => void log.push(text) } };
    const asked = await answering({ buttons: [button] }, async ({ messages }) => {
      const observe = tellingPace(size, parts, { skillPath, fewer, quickly })(() => undefined);
      for (let at = 0; at < 8; at += 1) observe(aCall(), emptySummary('', at * secondsOfCall * 1_000));
      if (secondsOfCall > 1) await until(() => messages.length > 0, 'what is said of its pace');
      if (button !== '') await until(() => begun.length > 0, 'the run with the preset quick');
    });
    return { signal, log, begun, messages: asked.messages };
  }

  it('has stopped when the person chooses tasks to leave out', async () => {
    const { signal, begun } = await pressed('Fewer Tasks');
    assert.deepEqual([signal.aborted, begun], [true, [true]]);
  });

  it('goes on where the person turns the list of tasks away, and without those that they pick once they say so', async () => {
    const useCases = createUseCases(thisWindow('simulated'));
    const overviews = new Overviews(() => Promise.resolve(useCases));
    const skill = aSkill('fewer', { 'evals/evals.json': evals });
    try {
      const [out] = (await overviews.of(skill)).tasks?.training ?? [];
      assert.ok(out);
      const done: string[] = [];
      const offered = () =>
        leaveTasksOut(
          skill,
          { useCases: () => Promise.resolve(useCases), overviews },
          {
            stop: () => Promise.resolve(void done.push('stopped')),
            begin: () => Promise.resolve(done.push('begun')),
          },
        );
      const turnedAway = await answering({}, offered);
      assert.deepEqual([turnedAway.menus.length, turnedAway.messages, done], [1, [], []]);
      const asked = await answering({ picks: [[out.id]], buttons: ['Optimize'] }, offered);
      const { training = [], disabled = [] } = (await overviews.of(skill)).tasks ?? {};
      assert.deepEqual([disabled.map(({ id }) => id), training.some(({ id }) => id === out.id)], [[out.id], false]);
      assert.match(asked.messages[0] ?? '', /^1 task is left out\. A new run goes without it/);
      assert.deepEqual(done, ['stopped', 'begun']);
    } finally {
      overviews.dispose();
    }
  });

  it('is started again with the preset quick once it has stopped', async () => {
    const { signal, begun, messages, log } = await pressed('Quick Preset');
    assert.equal(messages.length, 1);
    assert.match(messages[0] ?? '', /At this pace the run takes about 50 min: 5 calls .* It can be left at any time/);
    assert.deepEqual([signal.aborted, begun, log.length], [true, [true], 1]);
  });

  it('is not stopped by what was offered for the run before it', async () => {
    const controls = new RunControls();
    const begin = () => controls.begin(skillPath, new vscode.CancellationTokenSource().token);
    const first = begin();
    const parts = { controls, log: { info: () => undefined } };
    let begun = 0;
    const anew = (): Promise<unknown> => Promise.resolve((begun += 1));
    await answering({ buttons: ['Fewer Tasks'] }, async ({ messages }) => {
      const observe = tellingPace(size, parts, { skillPath, fewer: anew, quickly: anew })(() => undefined);
      for (let at = 0; at < 8; at += 1) observe(aCall(), emptySummary('', at * 30_000));
      first.end();
      const second = begin();
      assert.equal(await until(() => messages[1], 'what is said of it'), 'x: that run has ended already.');
      assert.deepEqual([second.signal.aborted, begun], [false, 0]);
      second.end();
    });
  });

  it('is not stopped by a list of tasks that was opened for the run before it', async () => {
    const controls = new RunControls();
    const begin = () => controls.begin(skillPath, new vscode.CancellationTokenSource().token);
    const first = begin();
    const chosen: AbortSignal[] = [];
    const fewer = async (stop: () => Promise<void>): Promise<void> => {
      first.end();
      const second = begin();
      await stop();
      chosen.push(second.signal);
      second.end();
    };
    await answering({ buttons: ['Fewer Tasks'] }, async () => {
      const parts = { controls, log: { info: () => undefined } };
      const observe = tellingPace(size, parts, { skillPath, fewer })(() => undefined);
      for (let at = 0; at < 8; at += 1) observe(aCall(), emptySummary('', at * 30_000));
      await until(() => chosen.length > 0, 'the tasks are chosen');
    });
    assert.deepEqual(
      [first.signal, ...chosen].map(({ aborted }) => aborted),
      [false, false],
    );
  });

  it('goes on where the person presses nothing', async () => {
    const { signal, begun } = await pressed('');
    assert.deepEqual([signal.aborted, begun], [false, []]);
  });

  it('is not spoken of where it is short', async () => {
    const { messages, log } = await pressed('', 0.1);
    assert.deepEqual(messages, []);
    assert.match(log[0] ?? '', /less than a minute/);
  });
});
