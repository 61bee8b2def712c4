import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inEveryRole } from '../builders/aWorkspace.js';
import type { Said } from '../builders/someSessions.js';
import { neverAborted } from '../builders/storage.js';
import { ScriptedModel } from '../fakes/ScriptedModel.js';
import { aMiningWorld, type MiningWorld } from './miningWorld.js';

const shown = 8; // requests of a session at once
const remark = 'No, that is wrong. Keep it short.';
const news: readonly string[] = [
  'the search finds misspelled brands of lamps.',
  'gift cards can be split over two orders.',
  'invoices are sent as documents by night.',
  'a clerk approves the catalogues of suppliers.',
  'delivery dates skip public holidays.',
  'passkeys are accepted at the login.',
  'wish lists are shared by link.',
  'returns are booked by their own number.',
].map((what) => `Write release notes of the shop: ${what}`);
const labels = ['lamps to Lima, fragile.', 'carpets to Oslo, keep dry.'].map((what) => `Write a label for ${what}`);

describe('a session with more requests than a model is shown at once', () => {
  it('is shown what was corrected first, and the rest the next time, for every skill', async () => {
    const model = new ScriptedModel().when('Request 1', JSON.stringify({ tasks: [] }));
    const world = aMiningWorld({ models: inEveryRole(model) });
    const { workspace, session, wish } = world;
    try {
      const useCases = workspace.useCases(undefined, { allowsSending: () => Promise.resolve(true) });
      const wished = wish([session('long', said())], { by: 'model', targets: targetsOf(world) });
      const asked = (): string => model.requests.at(-1)?.messages[0]?.content ?? '';
      const isAsked = (text: string): boolean => asked().includes(text);
      const preview = await useCases.previewMining(wished, neverAborted);
      assert.equal(preview.partlyShown, 1);
      const first = await useCases.mineSessions(wished, neverAborted);
      assert.deepEqual([first.asked, first.partlyShown], [1, 1]);
      assert.deepEqual([...news, ...labels].map(isAsked), [...news.map((_, at) => at < shown - 1), false, true]);
      const second = await useCases.mineSessions(wished, neverAborted);
      assert.deepEqual([second.asked, second.partlyShown, model.requests.length], [1, 0, 2]);
      assert.deepEqual([...news, ...labels].filter(isAsked), [news.at(-1), labels[0]]);
      const third = await useCases.mineSessions(wished, neverAborted);
      assert.deepEqual([third.asked, third.minedBefore, model.requests.length], [0, 1, 2]);
    } finally {
      workspace.dispose();
    }
  });
});

/** Eight requests for one skill, then two for another, of which the last was corrected. */
function said(): readonly Said[] {
  return [
    ...news.map((asked) => ({ asked, skills: ['release-notes'] })),
    ...labels.map((asked) => ({ asked, skills: ['parcel-labels'] })),
    remark,
  ];
}

function targetsOf({ workspace: { folder, skillPath } }: MiningWorld): readonly {
  readonly skillPath: string;
  readonly workspaceFolders: readonly string[];
  readonly folders: readonly string[];
}[] {
  const other = path.join(path.dirname(path.dirname(skillPath)), 'parcel-labels', 'SKILL.md');
  mkdirSync(path.dirname(other));
  writeFileSync(other, '---\nname: parcel-labels\ndescription: Writes labels.\n---\n\nWrite labels.\n');
  return [skillPath, other].map((each) => ({ skillPath: each, workspaceFolders: [folder], folders: [folder] }));
}
