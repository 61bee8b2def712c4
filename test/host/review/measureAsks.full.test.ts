import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import * as vscode from 'vscode';
import { someFigures } from '../../builders/aReviewProposal.js';
import { inFull } from '../../builders/few.js';
import { answering } from '../answering.js';
import { until } from '../until.js';
import { press, reviewOf, rowsOf, tidy, twoEdits, writeTasks, type ReviewWindow } from './reviewWindow.js';

const { text, edits } = twoEdits;
const size =
  /^usually \d+\.\d\d USD, at most \d+\.\d\d USD · usually 30, at most \d+ calls · usually .+, at most \d+ (?:min|h)$/m;

/** Every small action after a run tells what it takes before, as the run did. */
describe('measuring on a model that costs money', () => {
  let server: Server;
  let posts = 0;
  before(async () => {
    server = createServer((request, response) => {
      if (request.method === 'POST') posts += 1;
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    await set('model.target', `http://127.0.0.1:${address instanceof Object ? address.port : 0}/v1#paid`);
    await set('model.prices', { paid: { input: 1, output: 5 } });
  });
  afterEach(async () => {
    await set('caps.runUsd', undefined);
    await tidy();
  });
  after(async () => {
    await set('model.target', undefined);
    await set('model.prices', undefined);
    server.close();
  });

  inFull('asks before what was accepted is measured, and a cap can be set there', async () => {
    const { candidate } = await accepted('asks-accepted');
    const answers = { modals: ['Set a Cap', undefined], picks: ['USD for each run'], inputs: ['0.05'] };
    const asked = await answering(answers, () => press(candidate, 'Measure What I Accepted', /Not measured/));
    assert.deepEqual(asked.errors, []);
    const questions = asked.messages.filter((each) => each.startsWith('Measure dates on held-out tasks?'));
    assert.equal(questions.length, 2, asked.messages.join('\n'));
    const [first = '', second = ''] = questions;
    assert.match(first, size);
    assert.match(first, /^No cap is set\.$/m);
    assert.match(second, /at most 0\.05 USD/);
    assert.match(second, /^Caps: 0\.05 USD a run\.$/m);
    assert.equal(posts, 0);
  });

  inFull('asks also in the moment after an edit was accepted, when nobody else has been told of it yet', async () => {
    const { candidate, skillPath } = await reviewOf({ name: 'asks-at-once', text, edits });
    writeTasks(skillPath, 'ISO');
    const asked = await answering({ modals: [undefined] }, async () => {
      await press(candidate, 'Accept', /1 of 2/);
      await vscode.commands.executeCommand('whetstone.measureAccepted', { candidate: candidate.toString() });
    });
    assert.deepEqual(asked.errors, []);
    assert.match(asked.messages.join('\n'), /^Measure dates on held-out tasks\?$/m);
    assert.equal(posts, 0);
  });

  // The same question, before other things that spend.
  inFull('asks before a proposal is measured on a file that changed', async () => {
    const now = text.replace('# Dates', '# Dates and times');
    const { candidate, skillPath } = await reviewOf({ name: 'asks-here', text, edits, now });
    writeTasks(skillPath, 'ISO');
    const { messages } = await answering({ modals: [undefined] }, () =>
      vscode.commands.executeCommand('whetstone.measureProposal', { candidate: candidate.toString() }),
    );
    assert.match(messages.join('\n'), /^Measure dates on held-out tasks\?$/m);
    assert.match(messages.join('\n'), size);
    assert.equal(posts, 0);
  });

  inFull('tells what it takes at most, too, before more evidence is gathered', async () => {
    const verdict = {
      kind: 'inconclusive',
      cause: 'cap',
      reason: 'Undecided after 2 of at most 8 passes.',
      cure: 'At most 6 more passes.',
      figures: someFigures(),
    } as const;
    const { skillPath } = await reviewOf({ name: 'asks-gather', text, edits, proposal: { verdict } });
    writeTasks(skillPath, 'ISO');
    const { messages } = await answering({ modals: [undefined] }, () =>
      vscode.commands.executeCommand('whetstone.gatherEvidence', skillPath),
    );
    const told = messages.join('\n');
    assert.match(told, /^Go on measuring: usually \d.* USD, at most \d.* USD · usually 30, at most 160 calls/m);
    assert.match(told, /^At most 6 more passes\.$/m);
    assert.match(told, /^No cap is set\.$/m);
    assert.equal(posts, 0);
  });

  inFull('asks before tasks are drafted', async () => {
    const { skillPath } = await reviewOf({ name: 'asks-draft', text, edits });
    const { messages } = await answering({ modals: [undefined] }, () =>
      vscode.commands.executeCommand('whetstone.draftTasks', skillPath),
    );
    assert.match(messages.join('\n'), /^Draft 10 tasks for dates\?$/m);
    assert.match(messages.join('\n'), /^usually \d\.\d+ USD, at most \d\.\d\d USD · usually 1, at most 2 calls/m);
    assert.equal(posts, 0);
  });

  // In the short numbers a window measures on it, where a question would stay open.
  inFull('asks nothing on the simulated model', async function () {
    this.timeout(60_000);
    const before = vscode.workspace.getConfiguration('whetstone').get('model.target');
    await set('model.target', 'simulated');
    const { candidate } = await accepted('asks-nothing');
    const { messages, warnings } = await answering({}, () =>
      press(candidate, 'Measure What I Accepted', /Not measured/),
    );
    await set('model.target', before);
    assert.doesNotMatch(messages.join('\n'), /\?$/m);
    assert.ok(messages.length + warnings.length > 0, 'the verdict was told');
  });
});

/** One of two edits is in the file: it was never measured by itself. */
async function accepted(name: string): Promise<ReviewWindow> {
  const window = await reviewOf({ name, text, edits });
  writeTasks(window.skillPath, 'ISO');
  await press(window.candidate, 'Accept', /1 of 2/);
  await until(async () => /Not measured: 1 of 2/.test((await rowsOf(window.candidate)).join()), 'it is not measured');
  return window;
}

function set(name: string, value: unknown): Thenable<void> {
  return vscode.workspace.getConfiguration('whetstone').update(name, value, vscode.ConfigurationTarget.Global);
}
