import assert from 'node:assert/strict';
import { cpSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { osPlaces, readInstalled, writeInstalled } from '../../../src/app/osSchedule/installedSchedule.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import { openUserStore, type UserStore } from '../../../src/storage/state/store.js';
import { aCommandLine, type CommandLine, type CommandResult } from '../../builders/commandLine.js';
import { inFull } from '../../builders/few.js';

const own = '.claude/skills/incident-summary';
const stranger = 'vendor/stranger/skills/helper';
const neverAborted = new AbortController().signal;

describe('auto-adopt on the command line', () => {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  // By the settings it is in the short numbers, in the tests of nights.
  inFull('adopts neither of two skills that bear the name, and says to name one by its path', async () => {
    const { shell, bytes, outcomes, places } = open({ withStranger: true });
    const before = bytes();
    const night = await shell.run('night', ...places, ...quick, '--auto-adopt', 'incident-summary');
    assert.deepEqual(bytes(), before);
    for (const { reason } of outcomes(night).values())
      assert.match(reason, /Not adopted by itself: 2 skills here are named “incident-summary”; .* by its path/);
  });

  inFull('adopts the skill at a path, and leaves the stranger with its name alone', async () => {
    const { shell, bytes, places } = open({ withStranger: true });
    const before = bytes();
    await shell.run('night', ...places, ...quick, '--auto-adopt', path.join(shell.folder, own));
    assert.notEqual(bytes().get(own), before.get(own));
    assert.equal(bytes().get(stranger), before.get(stranger));
  });

  it('finds the name in a schedule of an earlier version where one skill bears it', async () => {
    const { shell, bytes, outcomes, places } = open({ withStranger: false });
    const before = bytes();
    const fired = await shell.run('night', '--scheduled', await installedBefore(shell, places), '--json');
    assert.equal(outcomes(fired).get(own)?.outcome, 'adopted', fired.out + fired.err);
    assert.notEqual(bytes().get(own), before.get(own));
  });

  function open({ withStranger }: { readonly withStranger: boolean }) {
    const shell = aCommandLine({ copy: path.resolve('test/fixtures/workspaces/probe') });
    shells.push(shell);
    cpSync(path.resolve('media/demo', own), path.join(shell.folder, own), { recursive: true });
    if (withStranger) cpSync(path.join(shell.folder, own), path.join(shell.folder, stranger), { recursive: true });
    const skills = withStranger ? [own, stranger] : [own];
    return {
      shell,
      places: skills.map((each) => path.join(shell.folder, each)),
      bytes: () =>
        new Map(skills.map((each) => [each, readFileSync(path.join(shell.folder, each, 'SKILL.md'), 'utf8')])),
      outcomes: ({ out }: CommandResult) =>
        new Map(Night.parse(JSON.parse(out)).skills.map((each) => [nameOf(shell, each.skillPath), each])),
    };
  }
});

const quick = ['--model', 'simulated', '--preset', 'quick', '--json'];
const Night = z.object({
  skills: z.array(z.object({ skillPath: z.string(), outcome: z.string(), reason: z.string() })),
});

function nameOf(shell: CommandLine, skillPath: string): string {
  return path.relative(realpathSync(shell.folder), realpathSync(skillPath));
}

/** As a version wrote it that knew skills by their names. */
async function installedBefore(shell: CommandLine, folders: readonly string[]): Promise<string> {
  const store: UserStore = await openUserStore(shell.home, nodeClock);
  const { id } = osPlaces(shell.home, folders);
  const entry = {
    folders,
    at: '03:17',
    models: { target: 'simulated', optimizer: undefined, judge: undefined },
    preset: 'quick' as const,
    settings: [],
    excluded: [],
    autoAdopt: ['incident-summary'],
    onBattery: 'run' as const,
    caps: { night: {}, day: {}, month: {} },
  };
  await writeInstalled(store, id, entry, neverAborted);
  assert.ok((await readInstalled(store, id)) !== undefined);
  return id;
}
