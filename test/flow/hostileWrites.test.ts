import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, snapshotOf, type CommandLine, type CommandResult } from '../builders/commandLine.js';

const skillText = '---\nname: greeter\ndescription: Greets people.\n---\n\n# Greeter\n\nGreet people.\n';

/** A workspace that somebody else made, and what they hope for. */
interface HostileWorkspace {
  readonly name: string;
  readonly prepare: (place: Place) => void;
  readonly words: (place: Place) => readonly string[];
  readonly says: RegExp;
  readonly code?: number;
}

interface Place {
  readonly workspace: string;
  readonly skill: string;
  /** What must stay as it is, whatever the workspace says. */
  readonly outside: string;
}

const imports = ({ skill, workspace }: Place): readonly string[] => [
  'tasks',
  'import',
  skill,
  path.join(workspace, 'new.jsonl'),
];

const cases: readonly HostileWorkspace[] = [
  {
    name: 'evals is a link out: tasks are not imported through it',
    prepare: ({ skill, outside }) => linkEvals(skill, outside),
    words: imports,
    says: /leads out/,
  },
  {
    name: 'evals is a link to where nothing is: it is not made there',
    prepare: ({ skill, outside }) => {
      rmSync(path.join(skill, 'evals'), { recursive: true });
      symlinkSync(path.join(outside, 'new'), path.join(skill, 'evals'));
    },
    words: imports,
    says: /leads out/,
  },
  {
    name: 'evals is a link out: no task is drafted there',
    prepare: ({ skill, outside }) => linkEvals(skill, outside),
    words: ({ skill }) => ['tasks', 'draft', skill, '--count', '2'],
    says: /leads out/,
  },
  {
    name: 'evals is a link to another folder of the workspace: no record is written there',
    prepare: ({ skill, workspace }) => {
      renameSync(path.join(skill, 'evals'), path.join(workspace, 'shared'));
      symlinkSync(path.join(workspace, 'shared'), path.join(skill, 'evals'));
    },
    words: ({ skill }) => ['check', skill, '--update'],
    says: /leads out/,
  },
  {
    name: 'evals.json is a link out: it is not read',
    prepare: ({ skill, outside }) => {
      renameSync(path.join(skill, 'evals', 'evals.json'), path.join(outside, 'evals.json'));
      symlinkSync(path.join(outside, 'evals.json'), path.join(skill, 'evals', 'evals.json'));
    },
    words: ({ skill }) => ['evaluate', skill],
    says: /leads out of .*, so it is not read/,
  },
  {
    name: 'the held-out file is a link out: it is not read',
    prepare: ({ skill, outside }) => {
      writeFileSync(path.join(outside, 'held.json'), JSON.stringify({ evals: [{ id: 'h', prompt: 'a secret' }] }));
      symlinkSync(path.join(outside, 'held.json'), path.join(skill, 'evals', 'held.json'));
      writeFileSync(
        path.join(skill, 'evals', 'whetstone.json'),
        JSON.stringify({ format: 'whetstone.tasks', version: 1, heldOutFile: 'held.json', tasks: {} }),
      );
    },
    words: ({ skill }) => ['evaluate', skill],
    says: /held\.json is a link that leads out/,
  },
];

describe('a workspace that wants to write somewhere', () => {
  let line: CommandLine;
  let place: Place;
  beforeEach(() => {
    line = aCommandLine();
    const skill = path.join(line.folder, 'skills', 'greeter');
    place = { workspace: line.folder, skill, outside: path.join(path.dirname(line.folder), 'outside') };
    mkdirSync(path.join(skill, 'evals'), { recursive: true });
    mkdirSync(place.outside);
    mkdirSync(path.join(line.folder, '.git'), { recursive: true });
    writeFileSync(path.join(skill, 'SKILL.md'), skillText);
    writeFileSync(path.join(skill, 'evals', 'evals.json'), JSON.stringify({ skill_name: 'greeter', evals: tasks() }));
    writeFileSync(path.join(line.folder, 'new.jsonl'), '{"task_id":"n1","task":"Greet Nora."}\n');
  });
  afterEach(() => line.dispose());

  for (const { name, prepare, words, says, code = 2 } of cases) {
    it(name, async () => {
      prepare(place);
      const [outside, workspace] = [snapshotOf(place.outside), snapshotOf(place.workspace)];
      const result = await line.run(...words(place));
      assert.match(said(result), says);
      assert.equal(result.code, code, said(result));
      assert.deepEqual(snapshotOf(place.outside), outside);
      assert.deepEqual(snapshotOf(place.workspace), workspace);
    });
  }

  it('.whetstone becomes a link while a run goes on: nothing lands where it leads', async () => {
    const state = path.join(place.workspace, '.whetstone');
    const run = line.run('optimize', place.skill, '--preset', 'quick');
    while (!existsSync(path.join(state, 'runs'))) await new Promise((resolve) => setTimeout(resolve, 1));
    renameSync(state, `${state}-away`);
    symlinkSync(place.outside, state);
    const result = await run;
    assert.deepEqual(snapshotOf(place.outside), {}, said(result));
    assert.equal(readFileSync(path.join(place.skill, 'SKILL.md'), 'utf8'), skillText);
    assert.notEqual(result.code, 0, said(result));
  });
});

function said({ out, err }: CommandResult): string {
  return `${out}\n${err}`;
}

function tasks(): readonly object[] {
  return Array.from({ length: 10 }, (_, id) => ({
    id: `t${id}`,
    prompt: `Greet number ${id}, who likes ${'abcdefghij'[id]} and is ${id} years old.`,
    expectations: ['The answer greets the person by name.'],
  }));
}

function linkEvals(skill: string, outside: string): void {
  renameSync(path.join(skill, 'evals'), path.join(outside, 'evals'));
  symlinkSync(path.join(outside, 'evals'), path.join(skill, 'evals'));
}
