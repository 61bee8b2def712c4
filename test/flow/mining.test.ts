import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { UserError } from '../../src/errors.js';
import type { SendingQuestion } from '../../src/app/world.js';
import { inEveryRole } from '../builders/aWorkspace.js';
import { neverAborted } from '../builders/storage.js';
import { ScriptedModel } from '../fakes/ScriptedModel.js';
import type { Said } from '../builders/someSessions.js';
import { aMiningWorld, request } from './miningWorld.js';

const first = 'Write release notes for version 1.2 of the shop: faster search, new basket.';
const second = 'Write release notes for version 2.0 of the shop: payments by card.';
const remark = 'No, that is wrong. Breaking changes must come first.';

describe('tasks out of sessions', () => {
  it('wait as drafts in the state of the person, and nothing of them is in the workspace', async () => {
    const { workspace, session, wish } = aMiningWorld();
    try {
      const before = filesIn(workspace.folder);
      const mined = await workspace
        .useCases()
        .mineSessions(wish([session('one', [first, remark]), session('two', [second])]), neverAborted);
      const drafts = mined.skills.flatMap((skill) => skill.drafts);
      assert.deepEqual(drafts.map(({ task }) => task.prompt).sort(), [first, second]);
      assert.deepEqual(
        drafts.map(({ sessions, by, skillBy }) => [sessions, by, skillBy]),
        [
          [1, 'rules', 'near'],
          [1, 'rules', 'near'],
        ],
      );
      const after = filesIn(workspace.folder).filter((file) => !file.startsWith('.whetstone')); // made for every skill
      assert.deepEqual(after, before);
      const kept = filesIn(workspace.home).filter((file) => file.includes('harvested-drafts/'));
      assert.equal(kept.length, 1);
      const file = path.join(workspace.home, kept[0] ?? '');
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.match(readFileSync(file, 'utf8'), /"format": "whetstone-harvested-drafts",\n "version": 2/u);
    } finally {
      workspace.dispose();
    }
  });

  it('are not made of the work of another skill, and no skill is suggested where one was loaded', async () => {
    const { workspace, session, wish } = aMiningWorld();
    try {
      const other = path.join(path.dirname(path.dirname(workspace.skillPath)), 'shop-words', 'SKILL.md');
      mkdirSync(path.dirname(other));
      writeFileSync(other, '---\nname: shop-words\ndescription: Words for buttons of the shop.\n---\n');
      const loaded = (id: string, asked: string, skill: string) => session(id, [{ asked, skills: [skill] }]);
      const sessions = [
        loaded('one', `${first} Only the words of its button, please.`, 'shop-words'),
        loaded('two', `${first} Only the words of its button, now.`, 'shop-words'),
        loaded('three', 'Say it for a commit: the tax is rounded later.', 'of-a-plugin'),
        loaded('four', 'Say it for a commit: the basket is a class.', 'of-a-plugin'),
        session('five', ['Translate “in stock” for a button into Portuguese.']),
        session('six', ['Translate “sold out” for a button into Portuguese.']),
      ];
      const useCases = workspace.useCases();
      const alone = await useCases.previewMining(wish(sessions), neverAborted);
      assert.equal(alone.skills.flatMap(({ drafts }) => drafts).length, 1, 'nothing else is known to be nearer');
      const { skills, suggestions } = await useCases.previewMining(wish(sessions, { beside: [other] }), neverAborted);
      assert.deepEqual(skills, []);
      assert.deepEqual(
        suggestions.map(({ asked }) => asked.slice(0, 9)),
        ['Translate'],
      );
    } finally {
      workspace.dispose();
    }
  });

  it('are shown with the other drafts, and come into evals/ when they are confirmed', async () => {
    const { workspace, session, wish } = aMiningWorld();
    try {
      const useCases = workspace.useCases();
      await useCases.mineSessions(wish([session('one', [first, remark]), session('two', [second])]), neverAborted);
      const { drafts = [], harvested } = (await workspace.overview()).tasks ?? {};
      assert.deepEqual(drafts.map(({ prompt }) => prompt).sort(), [first, second]);
      const id = drafts.find(({ prompt }) => prompt === first)?.id ?? '';
      assert.equal(harvested?.get(id)?.corrected, true);
      const view = await useCases.showTask({ ...request(workspace), task: id });
      assert.deepEqual([view.state, view.fromSession?.source], ['draft', 'claude-code']);
      await useCases.changeTasks({ ...request(workspace), change: { kind: 'confirm', id } }, neverAborted);
      const after = (await workspace.overview()).tasks;
      assert.equal(after?.drafts.length, 1);
      assert.deepEqual(
        after.training.map(({ expectations }) => expectations),
        [[`The answer heeds what was said of an earlier one: “${remark}”`]],
      );
      const written = readFileSync(path.join(path.dirname(workspace.skillPath), 'evals', 'evals.json'), 'utf8');
      assert.deepEqual([written.includes(first), written.includes(second)], [true, false]);
    } finally {
      workspace.dispose();
    }
  });

  it('do not come again once they were confirmed or turned down, and come back by an undo', async () => {
    const { workspace, session, wish } = aMiningWorld();
    try {
      const useCases = workspace.useCases();
      const sessions = [session('one', [first]), session('two', [second])];
      await useCases.mineSessions(wish(sessions), neverAborted);
      const [one, two] = (await workspace.overview()).tasks?.drafts ?? [];
      assert.ok(one !== undefined && two !== undefined);
      await useCases.changeTasks({ ...request(workspace), change: { kind: 'confirm', id: one.id } }, neverAborted);
      const removed = await useCases.removeTask({ ...request(workspace), task: two.id }, neverAborted);
      const again = await useCases.mineSessions(wish(sessions), neverAborted);
      assert.deepEqual(
        again.skills.flatMap(({ drafts }) => drafts),
        [],
      );
      await useCases.restoreTask({ ...request(workspace), removed }, neverAborted);
      assert.deepEqual(
        (await workspace.overview()).tasks?.drafts.map(({ id }) => id),
        [two.id],
      );
    } finally {
      workspace.dispose();
    }
  });

  it('are not offered as a skill where they followed an answer that a skill was loaded for', async () => {
    const { workspace, session, wish } = aMiningWorld();
    try {
      const noted = {
        asked: 'Write release notes of the shop for its users: faster search.',
        skills: ['release-notes'],
      };
      const suggestedOf = async (...before: readonly Said[]): Promise<number> => {
        const sessions = ['one', 'two'].map((id) => session(id, [...before, weather(id)]));
        return (await workspace.useCases().previewMining(wish(sessions), neverAborted)).suggestions.length;
      };
      assert.equal(await suggestedOf(noted), 0);
      assert.equal(await suggestedOf(noted, 'Mention the new logo of the basket somewhere.'), 0);
      assert.equal(await suggestedOf('Mention the new logo of the basket somewhere.'), 2);
    } finally {
      workspace.dispose();
    }
  });

  it('are offered as a skill where none is for them, and listed where their files are not known', async () => {
    const { workspace, session, wish } = aMiningWorld();
    try {
      const { skills, suggestions, notReplayable } = await workspace
        .useCases()
        .mineSessions(
          wish([
            session('one', [weather('Monday')]),
            session('two', [weather('Friday')]),
            session('three', ['Write release notes of the shop into docs/notes.md for its users.']),
          ]),
          neverAborted,
        );
      assert.deepEqual(
        skills.flatMap(({ drafts }) => drafts),
        [],
      );
      assert.deepEqual(
        suggestions.map(({ sessions }) => sessions),
        [2],
      );
      assert.deepEqual(
        notReplayable.map(({ why }) => why),
        ['no-commit'],
      );
    } finally {
      workspace.dispose();
    }
  });

  it('are for an agent in the repository of the session, at its commit, where both are still there', async () => {
    const { workspace, session, wish } = aMiningWorld();
    try {
      const commit = committed(workspace.folder);
      const asked = 'Write release notes of the shop into docs/notes.md for its users.';
      const at = (known: string): ReturnType<typeof session> =>
        session(known, [asked], { git: { commit: known, branch: 'main' } });
      const mined = await workspace.useCases().mineSessions(wish([at(commit.slice(0, 10))]), neverAborted);
      const [draft] = mined.skills.flatMap(({ drafts }) => drafts);
      assert.deepEqual(
        [draft?.task.environment, draft?.task.agent],
        ['agent', { fixture: { repository: '../..', commit }, mode: 'offered' }],
      );
      const gone = await workspace.useCases().mineSessions(wish([at('0123456789abcdef')]), neverAborted);
      assert.deepEqual(
        gone.notReplayable.map(({ why }) => why),
        ['gone'],
      );
    } finally {
      workspace.dispose();
    }
  });

  const sameNames: readonly (readonly [how: string, said: Said])[] = [
    ['its words', first],
    ['its load', { asked: first, skills: ['release-notes'] }],
  ];
  for (const [how, said] of sameNames)
    it(`are known by ${how} also where two skills have one name: one gets them that may take the session`, async () => {
      const { workspace, session, wish } = aMiningWorld();
      try {
        const copy = path.join(workspace.folder, '.agents/skills/release-notes/SKILL.md');
        mkdirSync(path.dirname(copy), { recursive: true });
        copyFileSync(workspace.skillPath, copy);
        const elsewhere = path.join(workspace.folder, 'elsewhere');
        const targetsIn = (folder: string) =>
          [workspace.skillPath, copy].map((skillPath, at) => ({
            skillPath,
            workspaceFolders: [workspace.folder],
            folders: [at === 0 ? folder : workspace.folder],
          }));
        const useCases = workspace.useCases();
        const minedWith = async (folder: string): Promise<unknown> => {
          const targets = targetsIn(folder);
          const { skills, copies, unplaced } = await useCases.previewMining(
            wish([session('one', [said])], { targets }),
            neverAborted,
          );
          return [skills.map(({ skillPath }) => skillPath), copies[0]?.others, unplaced];
        };
        const own = workspace.skillPath;
        assert.deepEqual(await minedWith(workspace.folder), [[own], [copy], 0]);
        assert.deepEqual(await minedWith(elsewhere), [[copy], [own], 0]);
        await useCases.mineSessions(wish([session('one', [said])], { targets: targetsIn(elsewhere) }), neverAborted);
        const again = await useCases.previewMining(
          wish([session('one', [said])], { targets: targetsIn(workspace.folder) }),
          neverAborted,
        );
        assert.deepEqual([again.skills, again.minedBefore], [[], 1], 'what one of them had is not given to the other');
        assert.ok(!filesIn(workspace.home).some((file) => file.includes('empty-sessions/')), 'it is empty for none');
      } finally {
        workspace.dispose();
      }
    });

  it('take no session of a folder that the skill may not take', async () => {
    const { workspace, session, wish } = aMiningWorld();
    try {
      const elsewhere = session('one', [first], { realFolder: path.dirname(workspace.folder) });
      const mined = await workspace.useCases().mineSessions(wish([elsewhere]), neverAborted);
      assert.deepEqual(mined.skills, []);
      assert.equal(existsSync(path.join(workspace.home, 'state', 'harvested-drafts')), false);
    } finally {
      workspace.dispose();
    }
  });
});

describe('tasks out of sessions by a model', () => {
  const reply = {
    tasks: [
      { request: 1, prompt: first, expectations: ['Breaking changes come first.'], checks: [{ check: 'no_refusal' }] },
      { request: 1, prompt: 'Praise the products of Acme.', expectations: ['It praises Acme.'] },
      'prose',
    ],
  };

  it('are taken as far as they stand on what was said', async () => {
    const model = new ScriptedModel().when('Request 1', JSON.stringify(reply));
    const { workspace, session, wish } = aMiningWorld({ models: inEveryRole(model) });
    try {
      const asked: SendingQuestion[] = [];
      const allowsSending = (question: SendingQuestion): Promise<boolean> => Promise.resolve(asked.push(question) > 0);
      const useCases = workspace.useCases(undefined, { allowsSending });
      const mined = await useCases.mineSessions(wish([session('one', [first, remark])], { by: 'model' }), neverAborted);
      assert.deepEqual(
        mined.skills.flatMap(({ drafts }) => drafts.map(({ by }) => by)),
        ['model'],
      );
      assert.deepEqual([mined.refused, mined.asked, asked.length], [{ 'not-asked': 1, malformed: 1 }, 1, 1]);
      const [question] = model.requests;
      assert.match(question?.messages[0]?.content ?? '', /```asked-1-[0-9a-f]{12}\nWrite release notes[^`]*\n```/u);
      await useCases.mineSessions(wish([session('two', [second])], { by: 'model' }), neverAborted);
      assert.equal(asked.length, 1, 'a yes is remembered for the model');
      assert.deepEqual(await useCases.sendingAllowed(), { models: 1, nights: 0 });
      await useCases.forbidSending(neverAborted);
      assert.deepEqual(await useCases.sendingAllowed(), { models: 0, nights: 0 });
      await useCases.mineSessions(wish([session('three', [third])], { by: 'model' }), neverAborted);
      assert.equal(asked.length, 2, 'and asked for again once it was taken back');
    } finally {
      workspace.dispose();
    }
  });

  const third = 'Write release notes for version 3.1 of the shop: baskets survive a logout.';
  const useless: readonly (readonly [what: string, tasks: readonly unknown[]])[] = [
    [
      'tasks that nobody asked for',
      Array.from({ length: 40 }, () => ({ request: 1, prompt: 'Praise Acme.', expectations: ['It praises Acme.'] })),
    ],
    ['nothing at all', []],
    ['what is no task', ['prose', 7]],
  ];
  for (const [what, tasks] of useless)
    it(`are made by rules where the model replies with ${what}: no session is used up for nothing`, async () => {
      const model = new ScriptedModel().when('Request 1', JSON.stringify({ tasks }));
      const { workspace, session, wish } = aMiningWorld({ models: inEveryRole(model) });
      try {
        const useCases = workspace.useCases(undefined, { allowsSending: () => Promise.resolve(true) });
        const sessions = [session('one', [first, remark]), session('two', [second])];
        const mined = await useCases.mineSessions(wish(sessions, { by: 'model' }), neverAborted);
        const drafts = mined.skills.flatMap((skill) => skill.drafts);
        assert.deepEqual(drafts.map(({ by, task }) => `${by}: ${task.prompt}`).sort(), [
          `rules: ${first}`,
          `rules: ${second}`,
        ]);
        assert.deepEqual([mined.asked, mined.madeByRules], [2, 2]);
        const corrected = drafts.find(({ task }) => task.prompt === first);
        assert.deepEqual(corrected?.task.expectations, [
          `The answer heeds what was said of an earlier one: “${remark}”`,
        ]);
      } finally {
        workspace.dispose();
      }
    });

  it('are made by rules of a request that was corrected where the model wrote none for it', async () => {
    const tasks = [{ request: 1, prompt: first, expectations: ['Breaking changes come first.'], checks: [] }];
    const model = new ScriptedModel().when('Request 1', JSON.stringify({ tasks }));
    const { workspace, session, wish } = aMiningWorld({ models: inEveryRole(model) });
    try {
      const useCases = workspace.useCases(undefined, { allowsSending: () => Promise.resolve(true) });
      const said = [first, remark, second, 'Thanks, perfect.', third, 'No, that is wrong. Name the buttons.'];
      const mined = await useCases.mineSessions(wish([session('one', said)], { by: 'model' }), neverAborted);
      const drafts = mined.skills.flatMap((skill) => skill.drafts);
      assert.deepEqual(drafts.map(({ by, task }) => `${by}: ${task.prompt}`).sort(), [
        `model: ${first}`,
        `rules: ${third}`,
      ]);
      assert.equal(mined.madeByRules, 1);
    } finally {
      workspace.dispose();
    }
  });

  it('are not asked for without a yes to sending, however much may be read', async () => {
    const model = new ScriptedModel().when('Request 1', JSON.stringify(reply));
    const { workspace, session, wish } = aMiningWorld({ models: inEveryRole(model) });
    try {
      const mining = workspace.useCases().mineSessions(wish([session('one', [first])], { by: 'model' }), neverAborted);
      await assert.rejects(mining, (error) => error instanceof UserError && error.code === 'sending-not-allowed');
      assert.equal(model.requests.length, 0);
    } finally {
      workspace.dispose();
    }
  });

  it('are shown before, with what would be sent and what it takes: nobody is asked and nothing is kept', async () => {
    const model = new ScriptedModel().when('Request 1', JSON.stringify(reply));
    const { workspace, session, wish } = aMiningWorld({ models: inEveryRole(model) });
    try {
      const sessions = [session('one', [first]), session('two', [second])];
      const preview = await workspace
        .useCases()
        .previewMining(wish(sessions, { by: 'model', mostSessions: 1 }), neverAborted);
      assert.equal(preview.skills.flatMap(({ drafts }) => drafts).length, 1, 'of the session that is shown');
      assert.deepEqual([preview.requests.length, preview.notAsked, preview.size?.calls.low], [1, 1, 1]);
      assert.match(JSON.stringify(preview.requests[0]?.body), /Write release notes for version/u);
      assert.equal(model.requests.length, 0);
      assert.deepEqual((await workspace.overview()).tasks, undefined);
    } finally {
      workspace.dispose();
    }
  });

  it('end at a cap, and what was found until then waits', async () => {
    const { workspace, session, wish } = aMiningWorld();
    try {
      const sessions = [session('one', [first]), session('two', [second])];
      const wished = wish(sessions, { by: 'model', caps: { calls: 1 } });
      const mined = await workspace.useCases().mineSessions(wished, neverAborted);
      assert.equal(mined.skills.flatMap(({ drafts }) => drafts).length, 1);
      assert.equal(mined.failed.length, 1);
      assert.match(mined.failed[0]?.reason ?? '', /cap/u);
      assert.equal(mined.used.length, 1);
    } finally {
      workspace.dispose();
    }
  });
});

function weather(day: string): string {
  return `What is the weather like in Lima on ${day}, in one word?`;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(path.join(folder, file)).isFile())
    .sort();
}

/** Makes a repository of the workspace, with one commit. */
function committed(folder: string): string {
  rmSync(path.join(folder, '.git'), { recursive: true });
  writeFileSync(path.join(folder, 'notes.md'), 'nothing yet\n');
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
      encoding: 'utf8',
    });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Begin');
  return git('rev-parse', 'HEAD').trim();
}
