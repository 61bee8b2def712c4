import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createUseCases } from '../../../src/app/useCases.js';
import { rowItem, withTooltip } from '../../../src/editor/tree/rowItem.js';
import { tasksNode } from '../../../src/editor/tree/taskNodes.js';
import type { TreeNode } from '../../../src/editor/tree/treeNode.js';
import { requestFor } from '../../../src/editor/workbench.js';
import { answering } from '../answering.js';
import { aSkill, chooseSimulated, pagesOf, put } from '../tasks/taskWindow.js';
import { thisWindow } from '../thisWindow.js';
import { aClaudeHome, sessionLines } from './aClaudeHome.js';

const signal = new AbortController().signal;
const attack =
  '[Repair it](command:workbench.action.quit) $(rocket) <img src=x onerror="alert(1)"><script>alert(2)</script> ![x](https://evil.example/a.png) \u001B[2J\u001B]0;owned\u0007 \u202Egnp.exe';
const asked = `Write a welcome for the hostile-session harbour. ${attack}`;
/** As VS Code looks for links in what a message says. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)/i;
const icon = /\$\([\w-]+(?:~\w+)?\)/;
const unseen = /[^\P{Cc}\n\t]|[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** What somebody put into a session, and how it looks wherever the window shows it. */
describe('a session that attacks the window', function hostile() {
  this.timeout(60_000);
  const claude = aClaudeHome();
  let skillPath = '';

  before(async () => {
    await chooseSimulated();
    skillPath = aSkill('hostile-session', {});
    put(claude.folder, {
      'projects/here/one.jsonl': sessionLines('one', [asked, `No, that is wrong. ${attack}`], attack),
    });
  });

  it('makes no link, icon or unseen sign in messages, menus and dialogs, and is marked', async () => {
    const mined = await answering({ warnings: ['Choose'], picks: ['Claude Code', 'Without a model'] }, () =>
      vscode.commands.executeCommand('whetstone.mineSessions', skillPath),
    );
    assert.deepEqual(mined.errors, []);
    const reviewed = await answering({ modals: ['Skip'] }, () =>
      vscode.commands.executeCommand('whetstone.reviewDrafts', skillPath),
    );
    assert.match(reviewed.messages.join('\n'), /Look twice/u);
    for (const said of [...mined.messages, ...mined.rows, ...reviewed.messages]) assert.doesNotMatch(said, unseen);
    for (const said of [...mined.messages, ...mined.rows]) assert.doesNotMatch(said, link);
  });

  it('is plain text in the rows of the tree, and escaped on the page of the draft', async () => {
    const { tasks } = await createUseCases(thisWindow('simulated')).overview(requestFor(skillPath), signal);
    const listed = tasks ?? assert.fail();
    assert.deepEqual([listed.drafts.length, listed.onlySingly?.size], [1, 1]);
    for (const node of await allRows(tasksNode(skillPath, listed, () => Promise.resolve([])))) {
      const { label, description, tooltip } = withTooltip(rowItem(node.id, node.row()), node.row());
      assert.equal(typeof tooltip, 'string');
      for (const shown of [label, description, tooltip].map(String)) assert.doesNotMatch(shown, unseen);
      for (const shown of [label, description].map(String)) assert.doesNotMatch(shown, icon);
    }
    const [page] = await pagesOf(() =>
      vscode.commands.executeCommand('whetstone.showTask', { skillPath, taskId: listed.drafts[0]?.id }),
    );
    const html = page?.html() ?? assert.fail('no page');
    assert.ok(html.includes('&lt;script&gt;alert(2)'), 'it is shown');
    assert.doesNotMatch(html, /<img src=x|<script>alert|href="command:workbench|src="https:\/\/evil/u);
    assert.doesNotMatch(html, unseen);
  });

  it('is seen as it is in what is kept of it', async () => {
    await answering({ picks: ['Show What Was Kept First'] }, () =>
      vscode.commands.executeCommand('whetstone.mineSessions', skillPath),
    );
    const shown = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(shown, /Write a welcome for the hostile-session harbour/u);
    assert.doesNotMatch(shown, unseen);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});

async function allRows(node: TreeNode): Promise<readonly TreeNode[]> {
  const below = await Promise.all((await node.children()).map(allRows));
  return [node, ...below.flat()];
}
