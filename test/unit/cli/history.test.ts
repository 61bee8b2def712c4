import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rejectedEditsOf } from '../../../src/storage/proposals/rejectedEdits.js';
import { aCommandLine, type CommandLine, type CommandResult } from '../../builders/commandLine.js';
import { stagedStore, stageProposal, type StagePlace } from '../../builders/stageProposal.js';

const text = '---\r\nname: dates\r\n---\r\n\r\n# Dates\r\n\r\nUse the local order.\r\n\r\nName the month.\r\n';
const edits = [
  { op: 'replace', anchor: 'Use the local order.', content: 'Use ISO order.', rationale: 'Tasks wanted ISO.' },
  { op: 'append', content: 'Say the time zone.', rationale: 'Two tasks failed without it.' },
] as const;

describe('a proposal on the command line', () => {
  let line: CommandLine;
  let place: StagePlace;
  let skillPath = '';
  const skillText = (): string => readFileSync(skillPath, 'utf8');
  const run = async (...words: readonly string[]): Promise<CommandResult> => {
    const [verb = '', ...more] = words;
    return line.run(verb, skillPath, '--root', line.folder, ...more);
  };
  const ran = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(...words);
    assert.equal(code, 0, err);
    return out;
  };

  beforeEach(async () => {
    line = aCommandLine();
    place = { workspace: line.folder, state: line.home, home: line.home };
    skillPath = await stageProposal(place, { name: 'dates', text, edits });
  });
  afterEach(() => line.dispose());

  it('shows verdict, edits and reasons of what waits', async () => {
    const shown = await ran('show');
    assert.match(shown, /E1 replace · not measured singly/);
    assert.match(shown, /Two tasks failed without it\./);
    assert.match(shown, /\+Use ISO order\./);
  });

  it('adopts, lists each version with its verdict, and undoes byte for byte', async () => {
    await ran('adopt');
    const whole = skillText();
    assert.equal(whole, `${text.replace('Use the local order.', 'Use ISO order.')}\r\nSay the time zone.\r\n`);
    assert.match(await ran('history'), /^1\s.*adopt\s+improved/m);
    await ran('undo');
    assert.equal(skillText(), text);
    assert.match(await ran('history'), /^2\s.*undo/m);
    await ran('history', '--restore', '1');
    assert.equal(skillText(), whole);
  });

  it('calls part of a proposal not measured', async () => {
    assert.match(await ran('adopt', '--edits', 'E1'), /holds only E1: that text was not measured/);
    assert.match(await ran('history'), /adopt\s+not measured/);
    assert.match(await ran('status'), /not measured: 1 of 2 edits in the file/);
    writeFileSync(skillPath, text);
    assert.doesNotMatch(await ran('status'), /not measured: 1 of 2/, 'nothing of it is in the file any more');
  });

  it('shows what changed since a version, and restores it whatever was written since', async () => {
    await ran('adopt');
    const whole = skillText();
    assert.equal(await ran('history', '--diff', '1'), 'Nothing changed since.\n');
    writeFileSync(skillPath, `${whole}Mine.\r\n`);
    const diff = await ran('history', '--diff', '1');
    assert.match(diff, /^\+Mine\./m);
    assert.doesNotMatch(diff, /^-/m);
    await ran('history', '--restore', '1');
    assert.equal(skillText(), whole);
    const again = await run('history', '--restore', '2');
    assert.deepEqual([again.code, skillText()], [2, whole]);
    assert.match(again.err, /The skill holds version 2 already\./);
    assert.equal((await run('history', '--diff', '9')).code, 2);
  });

  it('lists and gives back versions of a skill whose file cannot be read, or is gone', async () => {
    await ran('adopt');
    const whole = skillText();
    writeFileSync(skillPath, 'No skill.\u0000');
    assert.match(await ran('history'), /^1\s.*adopt\s+improved/m);
    await ran('history', '--restore', '1');
    assert.equal(skillText(), whole);
    rmSync(skillPath);
    assert.match(await ran('history'), /^2\s.*restore/m);
    await ran('history', '--restore', '1');
    assert.equal(skillText(), whole);
  });

  it('marks the edits that change what agents run, and adopts them one by one', async () => {
    const code = `${text}\`\`\`sh\r\nmake\r\n\`\`\`\r\n`;
    const change = { op: 'replace', anchor: 'make', content: 'make all', rationale: 'It built too little.' } as const;
    skillPath = await stageProposal(place, { name: 'code', text: code, edits: [edits[0], change] });
    const shown = await ran('show');
    assert.match(shown, /^E1 replace · not measured singly · open \(/m);
    assert.match(shown, /^E2 replace · not measured singly · open · changes what agents run \(/m);
    await ran('adopt', '--edits', 'E2');
    assert.equal(skillText(), code.replace('make', 'make all'));
  });

  it('shows what changed in texts that have nothing in common without stalling', async () => {
    await ran('adopt');
    const mixed = Array.from({ length: 20_000 }, (_, at) => `${(at * 7919) % 20_011} mixed\n`).join('');
    writeFileSync(skillPath, mixed);
    assert.match(await ran('history', '--diff', '1'), /too little in common for a diff\.$[^]*^\+7919 mixed$/m);
  });

  it('tells the optimizer why a proposal was rejected', async () => {
    await ran('reject', '--reason', 'too long');
    assert.equal(skillText(), text);
    assert.equal((await run('show')).code, 2);
    const remembered = await rejectedEditsOf(await stagedStore(place, skillPath)).all();
    assert.deepEqual(
      remembered.map(({ content, reason }) => [content, reason]),
      [
        ['Use ISO order.', 'too long'],
        ['Say the time zone.', 'too long'],
      ],
    );
  });
});
