import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../src/parseJson.js';
import { aMinedFolder, mineWords, nowhere, type MinedFolder } from '../builders/aMinedFolder.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { isFull } from '../builders/few.js';
import { ChatServer, json, stream } from '../fakes/ChatServer.js';
import { releaseNotes } from './miningWorld.js';

const Mined = z.object({
  skills: z.array(z.object({ drafts: z.array(z.object({ task: z.object({ id: z.string(), prompt: z.string() }) })) })),
});

/** What is typed to see drafts and to confirm them. */
function commands(word: string, drafts: number): string {
  return drafts === 1
    ? `“whetstone tasks list ${word}” shows it, “whetstone tasks confirm ${word} <id>” makes it count.`
    : `“whetstone tasks list ${word}” shows them, “whetstone tasks confirm ${word} <id>...” makes the good ones count.`;
}

const news = [
  'the search finds misspelled brands of lamps.',
  'gift cards can be split over two orders.',
  'invoices are sent as documents by night.',
  'a clerk approves the catalogues of suppliers.',
  'delivery dates skip public holidays.',
  'passkeys are accepted at the login.',
  'wish lists are shared by link.',
];

describe('whetstone mine', () => {
  let place: MinedFolder;
  let base = '';
  let folder = '';
  let skill = '';
  const word = path.join('skills', 'release-notes'); // from where the person is
  const line = (answers?: readonly string[]): CommandLine =>
    aCommandLine({ at: { base }, answers, environment: nowhere, findSkills: () => Promise.resolve([skill]) });
  const session = (id: string, said: readonly string[]): void => place.session(id, said);

  beforeEach(() => {
    place = aMinedFolder(releaseNotes);
    ({ base, folder, skill } = place);
  });
  afterEach(() => place.dispose());

  const since = ['--since', '2026-11-01'];
  const asked = mineWords;

  it('shows what would be kept, sent and spent, and does none of it', async () => {
    await line().run('harvest', '--since', '2026-11-01', '--allow', 'claude-code');
    const { code, out, err } = await line().run(
      'mine',
      '--since',
      '2026-11-01',
      '--dry-run',
      '--model',
      'openai/gpt-5-mini',
    );
    assert.equal(code, 0, err);
    assert.match(out, /3 drafts would wait for your word:/u);
    assert.match(out, /This would be sent:[\s\S]*api\.openai\.com/u);
    assert.match(out, /asked-1-[0-9a-f]{12}/u);
    assert.match(err, /usually 3, at most 6 calls/u);
    assert.ok(!out.includes('AKIAIOSFODNN7EXAMPLE'));
    assert.equal(existsSync(path.join(base, 'home', 'harvested-drafts')), false);
  });

  it('tells before as many drafts as come of the sessions that a model is shown', async () => {
    session('x', ['Write the release notes for version 4.1 of the shop: maps of the shelves.']);
    session('y', ['Write the release notes for version 4.2 of the shop: greeting cards by post.']);
    const words = [...asked, '--model', 'simulated', '--max-sessions', '2'];
    await line().run('harvest', ...since, '--allow', 'claude-code');
    const told = await line().run('mine', ...since, '--model', 'simulated', '--max-sessions', '2', '--dry-run');
    const made = await line().run(...words, '--allow-sending', '--yes');
    assert.match(told.out, /^2 drafts would wait for your word:/mu);
    assert.match(made.out, /^2 drafts wait for your word:/mu, made.err);
  });

  it('drafts without a model; what is confirmed is in evals/, and what carries instructions waits for its own word', async () => {
    const cli = line();
    const mined = await cli.run(...asked, '--without-model');
    assert.equal(mined.code, 0, mined.err);
    assert.match(mined.out, /3 drafts wait for your word:/u);
    assert.match(mined.out, /look twice/u);
    assert.match(
      mined.out,
      /^\S+: Look twice: it, or its session, carries text that sets aside what was said before\./mu,
    );
    assert.equal(existsSync(path.join(path.dirname(skill), 'evals')), false);
    assert.match((await cli.run('tasks', 'list', skill)).out, / draft, secret removed .*version 2\.0/u);
    const refused = await cli.run('tasks', 'confirm', skill, '--all');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /usually committed[^]*Nothing was confirmed: nobody is at the terminal to agree\./u);
    assert.ok(refused.err.includes(`“whetstone tasks confirm ${word} --all --yes”`), refused.err);
    assert.equal(existsSync(path.join(path.dirname(skill), 'evals')), false);
    const confirmed = await cli.run('tasks', 'confirm', skill, '--all', '--yes');
    assert.equal(confirmed.code, 0, confirmed.err);
    assert.match(confirmed.err, /written to evals\/, which is usually committed/u);
    assert.match(confirmed.err, /Secrets were taken out of 1 draft: marks that begin with REDACTED_/u);
    assert.match(confirmed.err, /The skill has 2 tasks now\. At least 7 are needed, .*: 5 more\./u);
    assert.match(confirmed.err, /Next: 1 draft still waits\. whetstone tasks list \S+, then whetstone tasks confirm /u);
    assert.doesNotMatch(confirmed.err, /whetstone optimize/u);
    assert.match(confirmed.err, /Left for you to look at, and to confirm by name: \S+\./u);
    const evals = readFileSync(path.join(path.dirname(skill), 'evals', 'evals.json'), 'utf8');
    assert.match(evals, /version 1\.2 of the shop/u);
    assert.doesNotMatch(evals, /Acme|AKIAIOSFODNN7EXAMPLE/u);
    const left = await cli.run('tasks', 'list', skill);
    assert.ok(left.out.endsWith(`\n  whetstone tasks confirm ${word} <id>...\n`), left.out);
    assert.equal(left.out.split('\n').filter((row) => / draft, look twice /u.test(row)).length, 1);
  });

  it('leaves drafts that status, optimize and night tell of, with what to type', async () => {
    const cli = line();
    assert.equal((await cli.run(...asked, '--without-model')).code, 0);
    const { out } = await cli.run('status', skill);
    assert.ok(out.includes(`  3 drafts wait for release-notes: ${commands('release-notes', 3)}\n`), out);
    const { code, err } = await cli.run('optimize', skill);
    assert.equal(code, 2);
    assert.match(err, /release-notes has no confirmed task yet\. Drafts that wait for you: 3\./u);
    assert.ok(err.includes(`“whetstone tasks show ${skill} <id>”`), err);
    assert.ok(err.includes(`“whetstone tasks confirm ${skill} <id>...”`), err);
    assert.doesNotMatch(err, /--all/u);
    const night = await cli.run('night', skill);
    assert.ok(night.out.includes(`\n3 drafts wait for release-notes: ${commands(skill, 3)}`), night.out + night.err);
    await cli.run('tasks', 'confirm', skill, '--all', '--yes');
    const planned = await cli.run('optimize', skill, '--dry-run');
    assert.ok(
      planned.out.includes(`\n1 draft waits for release-notes: ${commands(skill, 1)}`),
      planned.out + planned.err,
    );
    const again = await cli.run('tasks', 'confirm', skill, '--all', '--yes');
    assert.equal(again.code, 2);
    assert.match(again.err, /Look at each with “whetstone tasks show \S+ <id>”, then confirm by name/u);
    assert.doesNotMatch((await cli.run('tasks', 'confirm', skill)).err, /--all/u);
    assert.match(
      (await cli.run('tasks', 'confirm', '--help')).out,
      /every draft of the skill but those to look at\s+first/u,
    );
  });

  it('asks at a terminal before words of a session are written to evals/, where no is the usual answer', async () => {
    const evals = path.join(path.dirname(skill), 'evals', 'evals.json');
    assert.equal((await line().run(...asked, '--without-model')).code, 0);
    const { out } = await line().run('tasks', 'list', skill, '--json');
    const [{ id } = { id: '' }] = z
      .object({ tasks: z.array(z.object({ id: z.string() })) })
      .parse(parseJson(out)).tasks;
    for (const answer of ['', 'no']) {
      const { code, err } = await line([answer]).run('tasks', 'confirm', skill, id);
      assert.equal(code, 2);
      assert.match(err, /Write 1 draft there\? \(y\/N\)[^]*Nothing was confirmed\./u);
      assert.ok(err.includes(`To look at one first: whetstone tasks show ${word} ${id}\n`), err);
      assert.ok(err.includes(`“whetstone tasks confirm ${word} ${id} --yes”`), err);
      assert.equal(existsSync(evals), false);
    }
    const agreed = await line(['y']).run('tasks', 'confirm', skill, '--all');
    assert.equal(agreed.code, 0, agreed.err);
    assert.match(agreed.err, /Write 2 drafts there\? \(y\/N\)/u);
    assert.ok(existsSync(evals));
  });

  it('says what comes next: tasks where there are none, and training once there are enough', async () => {
    const cli = line();
    const ways =
      'whetstone mine release-notes” looks for some in your past sessions with agents, “whetstone tasks draft';
    assert.ok((await cli.run('status', skill)).out.includes(`  next: “${ways}`));
    const none = await cli.run('tasks', 'list', skill);
    assert.deepEqual(
      [none.code, /“whetstone mine \S+” looks for some in your past/u.test(none.err)],
      [2, true],
      none.err,
    );
    for (let at = 0; at < 7; at += 1) session(`s${at}`, [`Write release notes of the shop: ${news[at] ?? ''}`]);
    assert.equal((await cli.run(...asked, '--without-model')).code, 0);
    const { err } = await cli.run('tasks', 'confirm', skill, '--all', '--yes');
    assert.ok(err.endsWith(`\nNext: whetstone optimize ${word}\n`), err);
  });

  it('counts what fits no skill, names the program that was asked for, and says where nothing is new', async () => {
    const cli = line();
    session('weather', ['Explain in two sentences how a heat pump works in winter.']);
    const mined = await cli.run(...asked, '--without-model');
    assert.match(mined.out, /^1 more request fits no skill here: none was loaded for it, and none is near/mu);
    const other = await cli.run('mine', ...since, '--source', 'pi', '--without-model');
    assert.equal(other.code, 2);
    assert.match(other.err, /Allow it with “whetstone harvest --allow pi”, then try again\./u);
    await cli.run('tasks', 'confirm', skill, '--all', '--yes');
    await cli.run('tasks', 'remove', skill, ...(await waiting(cli, skill)));
    const again = await cli.run(...asked, '--without-model');
    assert.match(again.out, /^Nothing new was found\.$/mu);
  });

  it('says in the plan of a night what new sessions it looks through first', async () => {
    const cli = line();
    assert.equal((await cli.run(...asked, '--without-model')).code, 0);
    session('later', [`Write release notes of the shop: ${news[0] ?? ''}`]);
    const { out, err } = await cli.run('night', '--dry-run', '--model', 'simulated');
    assert.match(out, /^First it looks for tasks in \d+ new sessions?, /mu, err);
  });

  it('lists the same sessions with “harvest” before and after, then with a word that they were used', async () => {
    const cli = line();
    const listed = async (): Promise<string> => (await cli.run('harvest', ...since, '--allow', 'claude-code')).out;
    const before = await listed();
    assert.match(before, /^3 sessions would be kept:$/mu);
    assert.doesNotMatch(before, /used before/u);
    assert.equal((await cli.run(...asked, '--without-model')).code, 0);
    const after = await listed();
    assert.match(after, /^3 sessions would be kept:$/mu);
    assert.equal(after.match(/ used before /gu)?.length, 3);
  });

  it('says in JSON too what was not read or may not be, and which sessions were mined before', async () => {
    const file = path.join(base, 'home', '.gemini/tmp/shop/chats/session-2026-11-15.json');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '{}');
    truncateSync(file, 65 * 1024 * 1024);
    const cli = line();
    const words = [...asked, '--allow', 'gemini-cli', '--without-model'];
    const Told = z.object({
      unread: z.array(z.object({ why: z.string() })),
      counts: z.object({ 'claude-code': z.object({ kept: z.number() }) }),
      notes: z.array(z.string()),
      minedBefore: z.number(),
    });
    const told = async (...more: readonly string[]): Promise<z.infer<typeof Told>> =>
      Told.parse(parseJson((await cli.run(...more, '--json')).out));
    const { unread, counts, notes, minedBefore } = await told(...words);
    assert.deepEqual([unread, counts['claude-code'].kept, minedBefore], [[{ why: 'too-long' }], 3, 0]);
    assert.match(notes.join('\n'), /session-2026-11-15\.json was not read: it is too large\./u);
    const dry = await told('mine', ...since, '--dry-run', '--without-model');
    assert.deepEqual([dry.unread.length, dry.minedBefore], [1, 3]);
    assert.match((await cli.run(...words)).out, /^3 sessions were mined before, and are not mined again/mu);
  });

  it('leads to the drafts of the skills that have any, and to no other', async () => {
    const other = path.join(folder, 'skills', 'recipes', 'SKILL.md');
    mkdirSync(path.dirname(other), { recursive: true });
    writeFileSync(other, '---\nname: recipes\ndescription: Cooks soup.\n---\n\nCook.\n');
    const both = aCommandLine({
      at: { base },
      environment: nowhere,
      findSkills: () => Promise.resolve([skill, other]),
    });
    assert.equal((await both.run(...asked, '--without-model')).code, 0);
    const { out } = await both.run(...asked, '--without-model');
    assert.match(out, /^Nothing new; 3 drafts already wait for your word\.$/mu);
    assert.ok(out.includes(`\n  whetstone tasks show ${word} <id>\n`), out);
    assert.doesNotMatch(out, /recipes/u);
  });

  it('finds tasks for one skill, by its name or its path, and takes those of others for theirs', async () => {
    const other = path.join(folder, 'skills', 'recipes', 'SKILL.md');
    mkdirSync(path.dirname(other), { recursive: true });
    writeFileSync(other, '---\nname: recipes\ndescription: Writes recipes of soups for a cook.\n---\n\nCook.\n');
    session('soup', ['Write a recipe of a soup for a cook: leek, and cream.']);
    const both = aCommandLine({
      at: { base },
      environment: nowhere,
      findSkills: () => Promise.resolve([skill, other]),
    });
    const found = async (...words: readonly string[]): Promise<readonly number[]> => {
      const { code, out, err } = await both.run('mine', ...words, '--since', '2026-11-01', '--dry-run', '--json');
      assert.equal(code, 0, err);
      return Mined.parse(parseJson(out)).skills.map(({ drafts }) => drafts.length);
    };
    await both.run('harvest', '--allow', 'claude-code');
    for (const words of [['recipes'], ['--skill', 'recipes'], [path.dirname(other)], [other]])
      assert.deepEqual(await found(...words, '--without-model'), [1], words.join(' '));
    assert.deepEqual(await found('release-notes', '--without-model'), [3]);
    assert.deepEqual(
      (await found('--without-model')).toSorted((a, b) => a - b),
      [1, 3],
    );
    assert.match((await both.run('mine', 'nothing-of-that-name')).err, /There is no folder .*nothing-of-that-name/u);
  });

  it('names a skill whose tasks cannot be read, and mines the others of the folder all the same', async () => {
    const other = path.join(folder, 'skills', 'recipes', 'SKILL.md');
    mkdirSync(path.join(path.dirname(other), 'evals'), { recursive: true });
    writeFileSync(other, '---\nname: recipes\ndescription: Writes recipes of soups for a cook.\n---\n\nCook.\n');
    const evals = path.join(path.dirname(other), 'evals', 'evals.json');
    writeFileSync(evals, '['.repeat(200_000));
    session('soup', ['Write a recipe of a soup for a cook: leek, and cream.']);
    const both = aCommandLine({
      at: { base },
      environment: nowhere,
      findSkills: () => Promise.resolve([other, skill]),
    });
    const { code, out, err } = await both.run(...asked, '--without-model');
    assert.equal(code, 1, out + err);
    assert.match(
      out,
      /^Nothing was looked for for \S+recipes\S+: \S+evals\.json, line 1, column \d+: .* fix it there\.$/mu,
    );
    assert.match(out, /^3 drafts wait for your word:/mu);
    writeFileSync(evals, '{"evals": []}');
    assert.match((await both.run(...asked, '--without-model')).out, /^1 draft waits for your word \(3 drafts/mu);
  });

  it('names the programs that were not read, with what is typed; a dry run allows nothing, and says so', async () => {
    const codex = path.join(base, 'home', '.codex', 'sessions', '2026', '11', '15');
    mkdirSync(codex, { recursive: true });
    writeFileSync(path.join(codex, 'rollout-2026-11-15T19-00-00-x.jsonl'), '');
    const dry = await line().run(...asked, '--without-model', '--dry-run');
    assert.equal(dry.code, 2);
    assert.ok(dry.err.includes('A dry run remembers nothing, so it cannot allow or forbid anything.'), dry.err);
    assert.ok(
      dry.err.includes('First “whetstone harvest --allow claude-code”, then the dry run without that'),
      dry.err,
    );
    const none = await line().run('mine', '--without-model');
    assert.match(
      none.err,
      /Claude Code and Codex left sessions here\. Allow one, such as with “whetstone mine --allow/u,
    );
    const { code, out, err } = await line().run(...asked, '--without-model');
    assert.equal(code, 0, err);
    const told = 'Sessions of Codex were not read, because you have not allowed it. To read them too:';
    assert.ok(out.includes(`${told}\n  whetstone mine --allow codex\n`), out);
    assert.equal((await line().run(...asked, '--without-model', '--dry-run')).code, 0, 'it is allowed already');
  });

  it('says of a request why no draft was made of it, and calls none about files that is not', async () => {
    session('f', ['Write release notes of the shop after a look at src/basket.ts.']);
    session('g', ['Write release notes of the shop for these changes: a faster search, and a new basket.']);
    const { out } = await line().run(...asked, '--without-model');
    assert.match(out, /No draft was made of these, because nobody could attempt them again:\n/u);
    assert.match(out, /Claude Code +it is about files, and the session does not tell their commit +.*src\/basket\.ts/u);
    assert.match(out, /^4 drafts wait/mu);
    assert.doesNotMatch(out, /about files.*these changes/u);
  });

  it('makes no draft of a message that was little more than a secret, and says so', async () => {
    session('d', ['Here is my key: AKIAIOSFODNN7EXAMPLE']);
    const { code, out, err } = await line().run(...asked, '--without-model');
    assert.equal(code, 0, err);
    assert.match(out, /3 drafts wait for your word:/u);
    assert.match(out, /1 message was little more than a secret, so no draft was made of it\./u);
  });

  it('drafts with a model, within a cap, and says what it did', async () => {
    const cli = line();
    const { code, out, err } = await cli.run(...asked, '--json', '--max-sessions', '2');
    assert.equal(code, 0, err);
    const { skills } = Mined.parse(parseJson(out));
    assert.equal(skills.flatMap(({ drafts }) => drafts).length, 2);
    const told = await cli.run(...asked);
    assert.match(told.out, /^1 draft waits for your word \(2 drafts already wait\):/u);
    assert.match(told.out, /A model was shown 1 session\./u);
    const again = await cli.run(...asked);
    assert.match(again.out, /^Nothing new; 3 drafts already wait for your word\.$/mu);
    assert.doesNotMatch(again.out, /was shown/u);
    await cli.run('tasks', 'remove', skill, skills[0]?.drafts[1]?.task.id ?? '');
    assert.match((await cli.run(...asked, '--dry-run')).out, /^Nothing new; 2 drafts already wait/mu);
    const shown = await cli.run('tasks', 'show', skill, skills[0]?.drafts[0]?.task.id ?? '');
    assert.match(shown.out, /Out of a session with Claude Code\./u);
  });

  it('reads no session without a yes, and sends none without another', async () => {
    const refused = await line().run('mine', '--since', '2026-11-01');
    assert.deepEqual([refused.code, refused.out], [2, '']);
    const reply = JSON.stringify({ tasks: [] });
    const server = (await ChatServer.start()).answers(
      stream({ deltas: [{ content: reply }], usage: { prompt_tokens: 10, completion_tokens: 3 } }),
    );
    try {
      const words = [...asked, '--model', `${server.baseUrl}#m`, '--yes'];
      const { code, err } = await line().run(...words);
      assert.equal(code, 2, err);
      assert.match(err, /not sent to .* without your word/u);
      assert.deepEqual(server.requests, []);
      const allowed = await line().run(...words, '--allow-sending');
      assert.equal(allowed.code, 0, allowed.err);
      assert.match(allowed.err, /may be sent to .* from now on/u);
      assert.equal(server.requests.length, 3);
      assert.doesNotMatch(JSON.stringify(server.requests), /AKIAIOSFODNN7EXAMPLE/u);
      assert.equal((await line().run(...words)).code, 0, 'asked once');
    } finally {
      await server.stop();
    }
  });

  if (isFull)
    it('says that it waits for a server that drips, and gives a call up after the time that runs have', async () => {
      mkdirSync(path.join(folder, '.whetstone'), { recursive: true });
      writeFileSync(path.join(folder, '.whetstone', 'config.yaml'), 'timeouts:\n  optimizer: 8\n');
      const server = (await ChatServer.start()).answers((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const drip = setInterval(() => response.write(': thinking\n\n'), 200);
        response.on('close', () => clearInterval(drip));
      });
      try {
        const words = [...asked, '--model', `${server.baseUrl}#m`, '--yes', '--allow-sending', '--max-sessions', '1'];
        const { out, err } = await line().run(...words);
        assert.match(err, /Waiting for the model, asked about 1 session: 5 s/u);
        assert.match(out, /was not mined: .*within 8 s/u);
      } finally {
        await server.stop();
      }
    }).timeout(120_000);

  it('keeps nothing of a session that steers a terminal, and confirms what is left as it is read', async () => {
    session('e', [
      'Write release notes for version 3.0 of the shop:\u001B]0;title\u0007 \u001B[31mnew\u001B[0m \u009B1mcart\u0085 \u001B]8;;https://x.example\u001B\\here\u001B]8;;\u001B\\,\b done.',
    ]);
    const cli = line();
    assert.equal((await cli.run(...asked, '--without-model')).code, 0);
    assert.equal((await cli.run('tasks', 'confirm', skill, '--all', '--yes')).code, 0);
    const evals = readFileSync(path.join(path.dirname(skill), 'evals', 'evals.json'), 'utf8');
    assert.match(evals, /version 3\.0 of the shop: new cart here, done\./u);
    assert.doesNotMatch(evals, /(?!\n)\p{Cc}|\\u00|title|x\.example/u);
  });

  it('says what is wrong with a folder, a program or a server before anything else, each once', async () => {
    for (const command of ['mine', 'harvest', 'usage']) {
      const { code, err } = await line().run(command, 'nowhere');
      assert.deepEqual([code, /There is no folder .*nowhere\./u.test(err)], [2, true], err);
    }
    assert.match((await line().run('mine', '--source', 'cladue')).err, /There is no program “cladue”/u);
    const server = (await ChatServer.start()).answers(json(400, { error: { message: 'Out of order.' } }));
    try {
      const words = [...asked, '--model', `${server.baseUrl}#m`, '--yes', '--allow-sending'];
      const { code, out, err } = await line().run(...words);
      assert.equal(code, 1, out + err);
      assert.match(out + err, /Out of order/u);
    } finally {
      await server.stop();
    }
  });

  it('lets a skill elsewhere take sessions of the folder only by a yes to it', async () => {
    const home = path.join(base, 'home', '.claude', 'skills', 'release-notes', 'SKILL.md');
    mkdirSync(path.dirname(home), { recursive: true });
    writeFileSync(home, releaseNotes);
    skill = home; // none in the workspace
    const none = aCommandLine({ at: { base }, environment: nowhere, findSkills: () => Promise.resolve([]) });
    const words = [...asked, '--without-model', '--json', '--skill', home];
    const before = Mined.parse(parseJson((await none.run(...words)).out));
    assert.deepEqual(
      before.skills.flatMap(({ drafts }) => drafts),
      [],
    );
    const pointed = ['mine', path.dirname(home), '--since', '2026-11-01', '--without-model', '--json'];
    const after = Mined.parse(parseJson((await none.run(...pointed, '--allow-folder')).out));
    assert.equal(after.skills.flatMap(({ drafts }) => drafts).length, 3);
    const told = [...asked, '--without-model', '--skill', home];
    assert.match((await none.run(...told, '--forbid-folder')).out, /takes no task from your sessions in \S+ without/u);
    assert.match((await none.run(...told)).out, /takes no task from your sessions in \S+ without your word/u);
  });
});

/** The drafts that wait for a skill. */
async function waiting(cli: CommandLine, skill: string): Promise<readonly string[]> {
  const { out } = await cli.run('tasks', 'list', skill, '--json');
  const { tasks } = z.object({ tasks: z.array(z.object({ id: z.string(), side: z.string() })) }).parse(parseJson(out));
  return tasks.filter(({ side }) => side === 'draft').map(({ id }) => id);
}
