import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomFor, shuffled } from '../../src/engine/random.js';
import { everythingBelow } from './attack/commandPlace.js';
import { hostileWorkspaces, layPlain, skillInside, type HostileWorkspace } from './attack/hostileWorkspaces.js';
import type { ReplyReport } from './attack/replyChild.js';
import { unsafeInTerminal } from './attack/replyLaws.js';
import { ReplyProcess } from './attack/replyProcess.js';
import { figure, isWhole, seed } from './figures.js';

/** A few of them in `npm test`, others with another seed. */
const chosen = isWhole ? hostileWorkspaces : shuffled(hostileWorkspaces, randomFor('workspaces', seed)).slice(0, 4);
const patienceMs = 120_000;

interface Harm {
  readonly crashes: readonly string[];
  readonly written: readonly string[];
  readonly ran: readonly string[];
}

describe('a workspace that means harm', function workspaces() {
  this.timeout(isWhole ? 180 * 60_000 : 180_000);
  let child: ReplyProcess;

  before(async () => {
    child = await ReplyProcess.start(patienceMs);
  });
  after(() => child.stop());

  it(`writes nothing outside, runs nothing without leave and ends no command by a crash, in ${chosen.length} kinds`, async () => {
    const harms: { readonly name: string; readonly harm: Harm }[] = [];
    for (const workspace of chosen) harms.push({ name: workspace.name, harm: await visit(workspace, child) });
    const say = (kind: keyof Harm): readonly string[] =>
      harms.flatMap(({ name, harm }) => harm[kind].map((what) => `${name}: ${what}`));
    figure({
      what: 'hostile workspaces',
      tried: chosen.length,
      result: `code run without consent ${say('ran').length}, writes outside ${say('written').length}, crashes and hangs ${say('crashes').length}`,
    });
    assert.deepEqual([...say('ran'), ...say('written'), ...say('crashes')], []);
  });
});

const commands: readonly (readonly string[])[] = [
  ['status', '{skill}'],
  ['tasks', 'list', '{skill}'],
  ['show', '{skill}'],
  ['optimize', '{skill}', '--dry-run', '--model', 'simulated', '--preset', 'quick'],
  ['optimize', '{skill}', '--model', 'simulated', '--preset', 'quick', '--max-calls', '40'],
  ['adopt', '{skill}'],
  ['check', '{skill}', '--update', '--model', 'simulated', '--max-calls', '20'],
  ['tasks', 'add', '{skill}', '--id', 'one-more', '--prompt', 'Say one more thing.', '--expect', 'It says it.'],
  ['night', '{skill}/SKILL.md', '--model', 'simulated', '--preset', 'quick', '--max-calls', '40'],
  ['report', '{skill}'],
  ['undo', '{skill}'],
  ['history', '{skill}'],
];

async function visit(workspace: HostileWorkspace, child: ReplyProcess): Promise<Harm> {
  const base = realpathSync(
    mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'whetstone-hostile-')),
  );
  const folder = path.join(base, 'workspace');
  const ground = { folder, skill: path.join(folder, skillInside), outside: path.join(base, 'outside') };
  mkdirSync(path.join(base, 'home'));
  try {
    layPlain(ground);
    await workspace.lay(ground);
    const before = notOurs(base);
    const report = await child.carryOut({ base, skill: skillInside, commands });
    const after = notOurs(base);
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (file) => before.get(file) !== after.get(file),
    );
    return {
      crashes: typeof report === 'string' ? [`it ${report}`] : crashesIn(report),
      written: changed.filter((file) => !file.endsWith('RAN')),
      ran: changed.filter((file) => file.endsWith('RAN')),
    };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Everything that none of these commands may change: all but our state, the tasks and the skill itself. */
function notOurs(base: string): ReadonlyMap<string, string> {
  const skill = `workspace/${skillInside}`;
  const tasks = ['evals', 'evals.json', 'whetstone.json'].map((name) => `${skill}/${name}`); // a link may lead back into the skill
  const ours = ['home', 'workspace/.whetstone', ...tasks, `${skill}/SKILL.md`];
  return new Map(
    [...everythingBelow(base)].filter(
      ([file]) => !ours.some((place) => file === place || file.startsWith(`${place}/`)),
    ),
  );
}

function crashesIn({ ends, thrown, polluted }: ReplyReport): readonly string[] {
  const said = ends.map(({ out, err }) => `${out}${err}`).join('');
  const crash =
    /TypeError|RangeError|Maximum call stack|Cannot read propert|is not a function|Invalid array length/u.exec(said);
  return [
    ...(thrown === undefined ? [] : [thrown]),
    ...(crash === null ? [] : [said.slice(Math.max(0, crash.index - 100), crash.index + 200)]),
    ...ends.flatMap(({ code }, at) => (code > 2 ? [`${commands[at]?.[0]} ended with ${code}`] : [])),
    ...unsafeInTerminal(said).map((name) => `the terminal was given ${name}`),
    ...(polluted ? ['the prototype of objects was changed'] : []),
  ];
}
