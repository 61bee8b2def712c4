import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { aReviewDocument } from '../../builders/aReviewProposal.js';
import { stageProposal, type StagedSkill } from '../../builders/stageProposal.js';
import { closeAll, place, rowsOf } from '../../host/review/reviewWindow.js';

const lines = 3_000;
const changes = 40;
const rounds = 15; // a skill and a pair of files for each: what was opened before is opened faster
const limit = 1.5;
// Of the extension host’s processor time, which other work on the machine changes less; what the window does is not in it.
const processorLimit = 2.5;

/** Runs inside VS Code; `openReview.bench.ts` starts it and reads what it wrote. */
describe('a review of 40 changes in a skill of 3,000 lines', () => {
  it('opens and follows a keystroke about as fast as the plain diff of the same texts opens', async function () {
    this.timeout(300_000);
    const result = process.env['WHETSTONE_BENCH_RESULT'];
    assert.ok(result !== undefined, 'the bench says where its figures go');
    const [plain, review, keystroke]: [Took[], Took[], Took[]] = [[], [], []];
    const cases = await prepared();
    for (const [round, { skillPath, pair }] of cases.entries()) {
      const times = round % 2 === 0 ? [await openPlain(pair)] : [];
      const { opened, followed } = await openAndType(skillPath);
      times.push(...(round % 2 === 0 ? [] : [await openPlain(pair)]));
      if (round === 0) continue; // code that runs for the first time
      plain.push(...times);
      review.push(opened);
      keystroke.push(followed);
    }
    const row = (name: string, ours: readonly Took[], of: keyof Took = 'ms') => {
      const [ms, plainMs] = [median(ours.map((took) => took[of])), median(plain.map((took) => took[of]))];
      return { name, ratio: ms / plainMs, limit: of === 'ms' ? limit : processorLimit, ms, plainMs, rounds };
    };
    const figures = [
      row('opening a review', review),
      row('opening a review, processor time', review, 'processorMs'),
      row('recomputing after a keystroke', keystroke),
    ];
    await writeFile(result, JSON.stringify(figures));
  });
});

interface Took {
  readonly ms: number;
  readonly processorMs: number;
}

interface Case {
  readonly skillPath: string;
  readonly pair: readonly [before: vscode.Uri, after: vscode.Uri];
}

/** As a person finds it: the skill and the text before are open, and Whetstone knows what waits. */
async function prepared(): Promise<readonly Case[]> {
  const cases: Case[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const skill = hugeSkill(round);
    cases.push({ skillPath: await stageProposal(place(), skill), pair: await writePair(skill, round) });
  }
  await vscode.commands.executeCommand('whetstone.refresh');
  for (const { skillPath, pair } of cases) {
    await vscode.workspace.openTextDocument(pair[0]);
    const { uri } = await vscode.workspace.openTextDocument(skillPath);
    assert.match((await rowsOf(uri)).join(), /Review 40 Proposed Edits/);
  }
  return cases;
}

async function openPlain([before, after]: readonly [vscode.Uri, vscode.Uri]): Promise<Took> {
  const took = await timed(async () => {
    await vscode.commands.executeCommand('vscode.diff', before, after, 'plain', { preview: true });
    await rowsOf(after); // the window answers again once it has drawn
  });
  assert.equal(shownDiff().modified.toString(), after.toString());
  await closeAll();
  return took;
}

async function openAndType(skillPath: string): Promise<{ readonly opened: Took; readonly followed: Took }> {
  let rows: readonly string[] = [];
  const opened = await timed(async () => {
    await vscode.commands.executeCommand('whetstone.review', skillPath);
    rows = await rowsOf(shownDiff().modified);
  });
  assert.equal(rows.length, changes + 1, 'a row for each change, and one for the whole');
  const candidate = shownDiff().modified;
  const document = await vscode.workspace.openTextDocument(candidate);
  const at = document.positionAt(document.getText().indexOf('precisely'));
  const edit = new vscode.WorkspaceEdit();
  edit.insert(candidate, at, 'x');
  await vscode.workspace.applyEdit(edit);
  const followed = await timed(async () => {
    rows = await rowsOf(candidate);
  });
  assert.match(rows.join('\n'), /edited by you/);
  await closeAll();
  return { opened, followed };
}

function shownDiff(): vscode.TabInputTextDiff {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  assert.ok(input instanceof vscode.TabInputTextDiff, 'a diff is in front');
  return input;
}

async function timed(work: () => Promise<void>): Promise<Took> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - started, processorMs: (user + system) / 1000 };
}

function hugeSkill(round: number): StagedSkill {
  const paragraphs = Array.from({ length: (lines - 10) / 2 }, (_, index) => `${rule(index, 'what')}\n`);
  const name = `huge-${round}`;
  return {
    name,
    text: `---\nname: ${name}\ndescription: Has a rule for every case.\n---\n\n# Huge\n\n${paragraphs.join('\n')}`,
    edits: Array.from({ length: changes }, (_, index) => ({
      op: 'replace' as const,
      anchor: rule(index * 37, 'what'),
      content: rule(index * 37, 'precisely what'),
      rationale: `Case ${index * 37} was not clear.`,
    })),
  };
}

function rule(index: number, how: string): string {
  return `Rule ${index} of this skill says ${how} to do in case ${index}.`;
}

async function writePair(skill: StagedSkill, round: number): Promise<readonly [vscode.Uri, vscode.Uri]> {
  const folder = path.join(place().workspace, `plain-${round}`);
  await mkdir(folder, { recursive: true });
  const { candidateText } = aReviewDocument(skill.text, skill.edits);
  const files = [path.join(folder, 'before.md'), path.join(folder, 'after.md')] as const;
  await writeFile(files[0], skill.text);
  await writeFile(files[1], candidateText);
  return [vscode.Uri.file(files[0]), vscode.Uri.file(files[1])];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  assert.ok(middle !== undefined, 'nothing was measured');
  return middle;
}
