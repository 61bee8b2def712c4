import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { createUseCases } from '../../../src/app/useCases.js';
import { revealUsage } from '../../../src/editor/harvest/sessionCommands.js';
import { Overviews } from '../../../src/editor/skills/overviews.js';
import { SkillCatalog } from '../../../src/editor/skills/skillCatalog.js';
import { arranged, everything } from '../../../src/editor/tree/arrangement.js';
import type { Branch } from '../../../src/editor/tree/branch.js';
import type { KnownSkill } from '../../../src/editor/tree/skillNode.js';
import { SkillsTree } from '../../../src/editor/tree/skillsTree.js';
import type { FoundSkill } from '../../../src/editor/skills/discoverSkills.js';
import { aKnownSkill } from '../../builders/aKnownSkill.js';
import { answering } from '../answering.js';
import { rowsBeneath } from '../results/rowsBeneath.js';
import { aSkill, put } from '../tasks/taskWindow.js';
import { thisWindow } from '../thisWindow.js';
import { aClaudeHome } from './aClaudeHome.js';

/** A person whose agent used a skill of the open folder, and had to be corrected. */
describe('the use of skills in past sessions', function uses() {
  this.timeout(60_000);
  const claude = aClaudeHome();
  let skillPath = '';

  before(async () => {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    skillPath = aSkill('usage-notes', {});
    put(claude.folder, {
      'projects/here/s.jsonl': lines(workspace?.uri.fsPath ?? assert.fail()),
      'skills/usage-home/SKILL.md': '---\nname: usage-home\ndescription: Of all folders.\n---\n\nWrite it.\n',
    });
    await vscode.commands.executeCommand('whetstone.refresh'); // the window may know the skills of earlier tests alone
  });

  it('is counted after a yes, which says what is read, where, and how much', async () => {
    const asked = await answering({ warnings: ['Choose'], picks: ['Claude Code'] }, () =>
      vscode.commands.executeCommand('whetstone.showUsage'),
    );
    assert.deepEqual(asked.errors, []);
    assert.deepEqual(asked.warnings, ['May Whetstone read your past sessions with agents?']);
    const [details = ''] = asked.warningDetails;
    assert.match(details, /never what a tool was given or gave back/u);
    assert.ok(details.includes(`Claude Code: 1 file in ${path.join(claude.folder, 'projects')}`), details);
    assert.ok(
      asked.rows.includes(`Claude Code: 1 file in ${path.join(claude.folder, 'projects')}`),
      asked.rows.join('\n'),
    );
  });

  it('stands in the tree: a row for each skill, the corrected one first and marked', async () => {
    const { group, rows, skill } = await theTree(async (tree) => {
      const branch = (await tree.usageBranch()) ?? assert.fail();
      return { group: textOf(branch), rows: (await branch.load()).map(textOf), skill: await rowOf(tree) };
    });
    assert.equal(group, 'usage | Usage | 1 session, 2 messages');
    const [first = '', ...others] = rows;
    assert.match(first, /^usage\.skill \| usage-notes \| 1× · 1 corrected · \d+ tokens$/u);
    const home = others.find((row) => row.includes('usage-home'));
    assert.match(home ?? '', /^usage\.home \| usage-home \| home · never used · \d+ tokens$/u);
    assert.match(skill, / · corrected in 1 of 1 uses$/u);
  });

  it('is revealed with the skills beneath it, the first of them with the focus', async () => {
    const revealed: string[] = [];
    const reveal = async (row: Branch, { focus }: { readonly focus?: boolean } = {}): Promise<void> => {
      revealed.push(`${row.row().label}${focus === true ? ' with the focus' : ''}`);
    };
    const names = await theTree(async (tree) => {
      const branch = (await tree.usageBranch()) ?? assert.fail();
      await revealUsage({ reveal }, branch);
      return (await branch.load()).map((row) => row.row().label);
    });
    assert.deepEqual(revealed, ['Usage', names.slice(0, 5).at(-1), 'usage-notes with the focus']);
  });

  it('puts the corrected skill before one that needs nothing, where what needs attention comes first', () => {
    const [plain, corrected] = [found('a'), found('b')];
    const rested = aKnownSkill({ pending: false });
    const tasks = rested.overview?.tasks && { ...rested.overview.tasks, drafts: [] };
    const overview = rested.overview && { ...rested.overview, tasks };
    const known = (skill: FoundSkill): KnownSkill => ({
      ...rested,
      overview,
      usage: skill === corrected ? aUsage : undefined,
    });
    assert.deepEqual(arranged([plain, corrected], { ...everything, order: 'attention' }, known), [corrected, plain]);
    assert.deepEqual(arranged([plain, corrected], everything, known), [plain, corrected]);
  });

  it('puts the corrected skill first where one is chosen to be optimized', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const { rows, errors } = await answering({}, () => vscode.commands.executeCommand('whetstone.optimize'));
    assert.deepEqual(errors, []);
    assert.ok(rows.length > 1, 'there are others');
    assert.match(rows[0] ?? '', /^usage-notes: /u);
  });

  it('can be taken back', async () => {
    const none = await answering({ warnings: ['Choose'], picks: [[]] }, () =>
      vscode.commands.executeCommand('whetstone.chooseSessions'),
    );
    assert.deepEqual(none.messages, ['No program is ticked, so no sessions are read.']);
    await answering({ warnings: ['Choose'], picks: ['Claude Code'] }, () =>
      vscode.commands.executeCommand('whetstone.chooseSessions'),
    );
    await answering({ warnings: ['Choose'], picks: [] }, () =>
      vscode.commands.executeCommand('whetstone.chooseSessions'),
    );
    const useCases = createUseCases(thisWindow('simulated'));
    const signal = new AbortController().signal;
    const allowed = async () => (await useCases.sessionSources(signal)).filter((each) => each.allowed);
    assert.deepEqual(
      (await allowed()).map(({ source }) => source),
      ['claude-code'],
      'a menu that is closed changes nothing',
    );
    await useCases.allowSessions('claude-code', false, signal);
    assert.deepEqual(await allowed(), []);
  });

  async function rowOf(tree: SkillsTree): Promise<string> {
    const branch = await tree.branchOf(skillPath);
    for (let tries = 0; tries < 50 && branch?.row().description?.includes('corrected') !== true; tries += 1)
      await new Promise((done) => setTimeout(done, 100));
    return (await tree.branchOf(skillPath))?.row().description ?? '';
  }
});

function found(name: string): FoundSkill {
  return { realPath: `/f/${name}`, paths: [], name, workspaceFolder: '/f' };
}

const aUsage: NonNullable<KnownSkill['usage']> = {
  name: 'b',
  skillPath: '/f/b',
  place: 'workspace',
  fired: 3,
  sessions: 2,
  corrected: 2,
  lastFired: undefined,
  messages: 9,
  tokens: { listed: 5, body: 90, aMessage: 35 },
  sharesName: false,
};

async function theTree<Result>(look: (tree: SkillsTree) => Promise<Result>): Promise<Result> {
  const useCases = createUseCases(thisWindow('simulated'));
  const catalog = new SkillCatalog((file) => Promise.resolve(file));
  const overviews = new Overviews(() => Promise.resolve(useCases));
  const tree = new SkillsTree(catalog, overviews, rowsBeneath);
  try {
    return await look(tree);
  } finally {
    for (const each of [tree, overviews, catalog]) each.dispose();
  }
}

function textOf(branch: Branch): string {
  const { contextValue, label, description = '' } = branch.row();
  return [contextValue, label, description].join(' | ');
}

function lines(cwd: string): string {
  const timestamp = new Date(Date.now() - 60_000).toISOString();
  const common = { cwd, sessionId: 'uses', timestamp, turnOrigin: 'human' };
  const entries = [
    { ...common, type: 'user', uuid: 'u1', message: { content: 'Write the notes of the release.' } },
    {
      ...common,
      type: 'assistant',
      uuid: 'a1',
      message: { id: 'm1', content: [{ type: 'tool_use', name: 'Skill', input: { skill: 'usage-notes' } }] },
    },
    { ...common, type: 'assistant', uuid: 'a2', message: { id: 'm2', content: [{ type: 'text', text: 'Done.' }] } },
    { ...common, type: 'user', uuid: 'u2', parentUuid: 'a2', message: { content: 'No, that is wrong.' } },
    { ...common, type: 'assistant', uuid: 'a3', message: { id: 'm3', content: [{ type: 'text', text: 'Mended.' }] } },
  ];
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
