import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../../builders/commandLine.js';

const skillName = '.claude/skills/incident-summary';

describe('a mistake in the options', () => {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  it('is said to stand in the workspace’s file where it does, and not where it was typed', async () => {
    const shell = aWorkspace(shells, { 'config.yaml': 'train: { epoch: 2 }\n' });
    const { err } = await shell.run('optimize', skillOf(shell), '--dry-run');
    assert.match(err, /no option “train\.epoch”.*train\.epochs.* Correct it in \.whetstone\/config\.yaml/s);
    put(shell, 'config.yaml', 'train: { epochs: 2 }\n');
    const typed = await shell.run('optimize', skillOf(shell), '--dry-run', '--set', 'train.epoch=2');
    assert.doesNotMatch(typed.err, /config\.yaml/);
  });
});

describe('preferences of a workspace', () => {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));
  const open = (files: Readonly<Record<string, string>>): CommandLine => aWorkspace(shells, files);

  const sources = [
    { source: '.whetstone/preferences.md', files: { 'preferences.md': 'Mention zeppelins.\n' } },
    { source: '.whetstone/config.yaml', files: { 'config.yaml': 'preferences: Mention zeppelins.\n' } },
    {
      source: '.whetstone/config.yaml',
      files: { 'config.yaml': `skills: { ${skillName}: { preferences: Mention zeppelins. } }\n` },
    },
  ];
  for (const { source, files } of sources) {
    it(`are shown and refused at first, said once they are allowed, and asked about again as ${source} changes`, async () => {
      const shell = open(files);
      const refused = await shell.run('preview', skillOf(shell));
      assert.equal(refused.code, 2);
      assert.ok(refused.err.includes(`${source}:\n\nMention zeppelins.`), refused.err);
      assert.match(refused.err, /you have not allowed that text yet.*--allow-preferences/s);
      assert.equal(refused.out, '');

      assert.match((await shell.run('preview', skillOf(shell), '--allow-preferences')).out, /Mention zeppelins\./);
      assert.match((await shell.run('preview', skillOf(shell))).out, /Mention zeppelins\./);
      for (const [name, text] of Object.entries(files)) put(shell, name, text.replace('zeppelins', 'submarines'));
      assert.equal((await shell.run('preview', skillOf(shell))).code, 2);
    });
  }

  it('of the person need nobody’s leave, and win over those of the file', async () => {
    const shell = open({ 'config.yaml': 'preferences: Mention zeppelins.\n' });
    const { code, out } = await shell.run('preview', skillOf(shell), '--set', 'preferences=Mention trains.');
    assert.equal(code, 0);
    assert.match(out, /Mention trains\./);
    assert.doesNotMatch(out, /zeppelins/);
  });

  it('keep nobody from measuring: what asks no optimizer says none', async () => {
    const shell = open({ 'preferences.md': 'Mention zeppelins.\n' });
    assert.equal((await shell.run('evaluate', skillOf(shell))).code, 0);
  });

  it('are not read through a link that leads out of the workspace', async () => {
    const shell = open({});
    const secret = path.join(path.dirname(shell.folder), 'secret.txt');
    writeFileSync(secret, 'The password is zeppelin.\n');
    symlinkSync(secret, path.join(shell.folder, '.whetstone/preferences.md'));
    const previewed = await shell.run('preview', skillOf(shell), '--allow-preferences');
    assert.equal(previewed.code, 0);
    assert.doesNotMatch(previewed.out + previewed.err, /zeppelin/);
    const run = await shell.run('optimize', skillOf(shell), '--dry-run', '--allow-preferences');
    assert.match(run.out, /\.whetstone\/preferences\.md is a link that leads out of the workspace, so it is not read/);
    assert.doesNotMatch(run.out + run.err, /zeppelin/);
  });

  it('are refused where .whetstone itself is such a link', async () => {
    const shell = open({});
    const outside = path.join(path.dirname(shell.folder), 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'preferences.md'), 'The password is zeppelin.\n');
    rmSync(path.join(shell.folder, '.whetstone'), { recursive: true });
    symlinkSync(outside, path.join(shell.folder, '.whetstone'));
    const previewed = await shell.run('preview', skillOf(shell), '--allow-preferences');
    assert.doesNotMatch(previewed.out + previewed.err, /zeppelin/);
  });
});

describe('options of a workspace', () => {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  const loosening = [
    {
      said: 'gate: { rule: "off" }',
      flags: [],
      note: /config\.yaml would loosen the gate \(gate\.rule: off\).*confident is kept/,
    },
    { said: 'gate.rule: "off"', flags: [], note: /would loosen the gate \(gate\.rule: off\)/ },
    {
      said: 'edits: { code: true }',
      flags: [],
      note: /config\.yaml would let edits change the code that agents run \(edits\.code: true\), which only you can allow/,
    },
    {
      said: 'agent: { maxTokens: 90000000, maxTurns: 29, minutes: 11 }',
      flags: [],
      note: /more in an attempt \(agent\.maxTokens: 90000000\), which only you can allow; 500000 is kept[^]*agent\.minutes: 11/,
    },
    { said: 'gate: { rule: strict }', flags: [], note: /would loosen the gate \(gate\.rule: strict\)/ },
    {
      said: `skills: { ${skillName}: { gate: { noRegression: false } } }`,
      flags: ['--set', 'gate.noRegression=true'],
      note: /would loosen the gate \(gate\.noRegression: false\), which only you can do; true is kept/,
    },
  ];
  for (const { said, flags, note } of loosening) {
    it(`do not loosen the gate with ${said}, which is said`, async () => {
      const shell = aWorkspace(shells, { 'config.yaml': `${said}\n` });
      const dry = await shell.run('optimize', skillOf(shell), '--dry-run', ...flags);
      assert.equal(dry.code, 0, dry.err);
      assert.match(dry.out, note);
      const bare = aWorkspace(shells, {});
      assert.deepEqual(await callsOf(shell, flags), await callsOf(bare, flags));
    });
  }

  it('make the gate stricter than the default', async () => {
    const shell = aWorkspace(shells, { 'config.yaml': 'gate: { noRegression: true }\n' });
    const dry = await shell.run('optimize', skillOf(shell), '--dry-run');
    assert.doesNotMatch(dry.out, /loosen/);
  });

  it('leave code to the person who allows it', async () => {
    const shell = aWorkspace(shells, { 'config.yaml': 'edits.code: true\n' });
    const dry = await shell.run('optimize', skillOf(shell), '--dry-run', '--set', 'edits.code=true');
    assert.doesNotMatch(dry.out, /would let/);
    assert.match(dry.out, /The option edits\.code is on/);
  });

  it('leave the gate to the person who asks for a looser one', async () => {
    const shell = aWorkspace(shells, { 'config.yaml': 'gate: { rule: "off" }\n' });
    const dry = await shell.run('optimize', skillOf(shell), '--dry-run', '--rule', 'off');
    assert.doesNotMatch(dry.out, /loosen/);
  });

  for (const said of [
    'train: { epochs: 1000000000000000 }',
    'judge: { repeats: 50000000 }',
    'train: { attempts: 200000 }',
  ])
    it(`are refused with the bound for ${said}`, async () => {
      const shell = aWorkspace(shells, { 'config.yaml': `${said}\n` });
      const { code, err, out } = await shell.run('optimize', skillOf(shell), '--dry-run');
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, /The option “(?:train|judge)\.\w+” is \d+, and the most is \d+\. Set it lower and run again\./);
    });
});

function aWorkspace(shells: CommandLine[], files: Readonly<Record<string, string>>): CommandLine {
  const shell = aCommandLine({ copy: path.resolve('media/demo') });
  shells.push(shell);
  mkdirSync(path.join(shell.folder, '.whetstone'), { recursive: true });
  for (const [name, text] of Object.entries(files)) put(shell, name, text);
  return shell;
}

function put(shell: CommandLine, name: string, text: string): void {
  writeFileSync(path.join(shell.folder, '.whetstone', name), text);
}

function skillOf(shell: CommandLine): string {
  return path.join(shell.folder, skillName);
}

async function callsOf(shell: CommandLine, flags: readonly string[]): Promise<unknown> {
  const { out } = await shell.run('optimize', skillOf(shell), '--dry-run', '--json', ...flags);
  const read: unknown = JSON.parse(out);
  return typeof read === 'object' && read !== null && 'calls' in read ? read.calls : undefined;
}
