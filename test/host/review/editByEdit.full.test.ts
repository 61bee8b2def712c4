import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseSkill, printSkill } from '../../../src/skill/document/skillDocument.js';
import { applyEdits } from '../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { inFull } from '../../builders/few.js';
import { answering } from '../answering.js';
import { until } from '../until.js';
import { onDisk, press, reviewOf, rowsOf, textOf, tidy, type ReviewWindow } from './reviewWindow.js';
import { seeded } from './scriptedReviewer.js';

const text =
  '---\nname: dates\n---\n\n# Dates\n\nUse the local order.\n\n## Rules\n\n- Name the month.\n- Keep the year.\n';
/** As in the demo: four new lines at one place, and one that is rewritten. */
const edits: readonly Edit[] = [
  after('- Keep the year.', '- Say the time zone.'),
  { op: 'replace', anchor: 'Use the local order.', content: 'Use ISO order.', rationale: 'r' },
  after('- Keep the year.', '- Write the day in full.'),
  { op: 'append', content: '- Look twice.', rationale: 'r' },
  { op: 'append', content: '- Never guess.', rationale: 'r' },
];
const walks = 32; // every choice once

describe('a review, edit by edit', () => {
  afterEach(tidy);

  for (let walk = 0; walk < walks; walk += 1) {
    inFull(`writes exactly what the accepted edits make, in an order of its own (${walk + 1})`, async function () {
      const random = seeded(walk + 1);
      const window = await reviewOf({ name: `by-edit-${walk}`, text, edits });
      const [accepted, open] = [new Set<string>(), new Set(edits.map((_, at) => `E${at + 1}`))];
      while (open.size > 0) {
        const id = [...open][Math.floor(random() * open.size)] ?? '';
        const isTaken = ((walk >> (Number(id.slice(1)) - 1)) & 1) === 1;
        open.delete(id);
        if (isTaken) accepted.add(id);
        await decide(window, id, isTaken);
        await until(async () => (await onDisk(window.skillPath)) === made(accepted), `the file after ${id}`);
        await until(
          async () => (await textOf(window.candidate)) === made(new Set([...accepted, ...open])),
          `the proposal after ${id}`,
        );
        assert.deepEqual(await openInRows(window), [...open].toSorted(), 'one row for each open edit');
      }
    });
  }

  inFull('takes the buttons of an edit away in the turn of its decision, and a second press does nothing', async () => {
    const window = await reviewOf({ name: 'same-turn', text, edits });
    const [accept] = await buttonsOf(window, 'E3');
    assert.ok(accept);
    const { errors } = await answering({}, async () => {
      const first = vscode.commands.executeCommand(accept.command, ...(accept.arguments ?? []));
      const second = vscode.commands.executeCommand(accept.command, ...(accept.arguments ?? []));
      // While the first is still on its way into the file, no lens offers to decide once more.
      const seen: number[] = [];
      for (let looks = 0; looks < 5; looks += 1) seen.push((await buttonsOf(window, 'E3')).length);
      await Promise.all([first, second]);
      assert.equal(seen.at(-1), 0, seen.join(', '));
    });
    assert.match(errors.join('\n'), /This edit is decided already\./);
    assert.equal(await onDisk(window.skillPath), made(new Set(['E3'])));
    assert.deepEqual(await openInRows(window), ['E1', 'E2', 'E4', 'E5']);
  });

  // Two presses at once are in the short numbers.
  inFull('says that an edit is decided where a press comes too late, and does nothing', async () => {
    const window = await reviewOf({ name: 'too-late', text, edits });
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      window.candidate,
      1_000,
    );
    const accept = lenses.find(
      ({ command }) => command?.command === 'whetstone.acceptHunk' && JSON.stringify(command.arguments).includes('E3'),
    )?.command;
    assert.ok(accept);
    await decide(window, 'E3', false);
    const { errors } = await answering({}, () =>
      vscode.commands.executeCommand(accept.command, ...(accept.arguments ?? [])),
    );
    assert.match(errors.join('\n'), /This edit is decided already\./);
    assert.equal(await onDisk(window.skillPath), text);
  });
});

/** The lenses that decide on an edit, Accept first. */
async function buttonsOf({ candidate }: ReviewWindow, id: string): Promise<readonly vscode.Command[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    candidate,
    1_000,
  );
  return lenses.flatMap(({ command }) =>
    command !== undefined && /^whetstone\.(?:accept|reject)Hunk$/.test(command.command) && says(command, id)
      ? [command]
      : [],
  );
}

function says({ arguments: given }: vscode.Command, id: string): boolean {
  return JSON.stringify(given).includes(`"name":"${id}`);
}

async function decide(window: ReviewWindow, id: string, isTaken: boolean): Promise<void> {
  if (isTaken) return press(window.candidate, 'Accept', new RegExp(`of \\d+ · ${id}\\b`));
  const { skillPath } = window;
  await vscode.commands.executeCommand('whetstone.rejectHunk', { skillPath, edits: [id], reason: undefined });
}

async function openInRows({ candidate }: ReviewWindow): Promise<readonly string[]> {
  const rows = (await rowsOf(candidate)).join('\n');
  return [...rows.matchAll(/of \d+ · (E\d)/g)].map(([, id = '']) => id).toSorted();
}

function made(ids: ReadonlySet<string>): string {
  const chosen = edits.filter((_, at) => ids.has(`E${at + 1}`));
  return printSkill(applyEdits(parseSkill(text), chosen, { scope: 'body' }).document);
}

function after(anchor: string, content: string): Edit {
  return { op: 'insert_after', anchor, content, rationale: 'r' };
}
