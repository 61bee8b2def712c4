import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { reviewCommandIds, windowCommandIds } from '../../../src/editor/commands/commands.js';
import { aReviewDocument } from '../../builders/aReviewProposal.js';
import { forgeProposal } from '../../builders/forgeProposal.js';
import { answering } from '../answering.js';

const text = '---\nname: stranger\ndescription: Greets people.\n---\n\n# Greeter\n\nGreet people.\n';
const append = { op: 'append', content: 'Say hello.', rationale: 'Three tasks wanted it.' } as const;
const tasks = { skill_name: 'stranger', evals: [{ id: 't0', prompt: 'Greet Ada.', expectations: ['It greets Ada.'] }] };
/** They open something else, or ask for what only a person can give. */
const leftAlone = new Set(['whetstone.tryDemo', 'whetstone.chooseModel', 'whetstone.setApiKey', 'whetstone.nightly']);

describe('a clone in a window that the person does not trust', () => {
  let workspace: string;
  let stranger: string;
  let skillPath: string;
  before(async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    stranger = await mkdtemp(path.join(tmpdir(), 'whetstone-stranger-'));
    skillPath = path.join(workspace, '.claude/skills/stranger/SKILL.md');
    await mkdir(path.join(path.dirname(skillPath), 'evals'), { recursive: true });
    await writeFile(skillPath, text);
    await writeFile(path.join(path.dirname(skillPath), 'evals', 'evals.json'), JSON.stringify(tasks));
    await writeFile(path.join(workspace, '..', 'bashrc'), 'as it was\n');
    const memory = { ...aReviewDocument('as it was\n', [append], { kind: 'memory', path: '../bashrc' }) };
    const skill = aReviewDocument(text, [append], { path: '.claude/skills/stranger/SKILL.md' });
    await forgeProposal({ workspace, skillPath, stranger }, [skill, memory]);
  });
  after(() => rm(stranger, { recursive: true, force: true }));

  it('is looked at, and no command writes a byte: not in it, not beside it, not in the state of the user', async () => {
    const before = filesOf(workspace);
    const state = process.env['WHETSTONE_HOME'] ?? '';
    const stateBefore = existsSync(state) ? filesOf(state) : {};
    await vscode.commands.executeCommand('whetstone.refresh');
    await vscode.window.showTextDocument(vscode.Uri.file(skillPath));
    const given = { skillPath, taskId: 't0', edits: ['E1'], edit: 'E1', version: '1', realPath: skillPath };
    const errors: string[] = [];
    for (const id of [...windowCommandIds, ...reviewCommandIds].filter((each) => !leftAlone.has(each))) {
      for (const argument of [given, skillPath]) {
        const asked = await answering({ inputs: ['x'], warnings: ['Delete', 'Restore'] }, () =>
          Promise.race([vscode.commands.executeCommand(id, argument), pause(3_000)]),
        );
        errors.push(...asked.errors);
      }
    }
    assert.ok(errors.filter((error) => error.includes('not trusted')).length > 10, errors.join('\n'));
    assert.deepEqual(filesOf(workspace), before);
    assert.deepEqual(existsSync(state) ? filesOf(state) : {}, stateBefore);
    assert.equal(readFileSync(path.join(workspace, '..', 'bashrc'), 'utf8'), 'as it was\n');
    assert.equal(readFileSync(skillPath, 'utf8'), text);
  });
});

function filesOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const rows = files.map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(rows.sort().map((file) => [file, readFileSync(file).toString('base64')]));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
