import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { neverAborted } from '../builders/storage.js';
import { aMiningWorld, type MiningWorld } from './miningWorld.js';

const asked = (at: number): string =>
  `Write release notes of the shop, area${at}, team${at}, day${at}, into docs/notes${at}.md for its users.`;

/** A stand-in for git: notes when it begins and ends, and takes its time in between. */
const slowGit = (log: string): string =>
  `#!/bin/sh\necho begin >> "${log}"\n/bin/sleep 0.05\necho end >> "${log}"\nexit 1\n`;

describe('the commits of sessions', () => {
  it('are asked for once each, and a few at a time', async () => {
    await withGit(slowGit, async (world, { log, environment }) => {
      const sessions = Array.from({ length: 48 }, (_, at) =>
        world.session(`s${at}`, [asked(at)], { git: { commit: `${at % 12}`.padEnd(8, 'a'), branch: undefined } }),
      );
      const { notReplayable } = await world.workspace
        .useCases(undefined, { environment })
        .mineSessions(world.wish(sessions), neverAborted);
      assert.equal(notReplayable.length, 48);
      assert.ok(notReplayable.every(({ why }) => why === 'gone'));
      assert.equal(lookedThrough(world), 48, 'a night does not ask again; a person may');
      const lines = readFileSync(log, 'utf8').trim().split('\n');
      assert.equal(lines.filter((line) => line === 'begin').length, 12);
      let [running, most] = [0, 0];
      for (const line of lines) {
        running += line === 'begin' ? 1 : -1;
        most = Math.max(most, running);
      }
      assert.ok(most <= 4, `${most} at a time`);
    });
  });

  it('are not called gone where git could not be started, and are asked for again the next time', async () => {
    await withGit(
      () => '#!/nowhere/sh\n',
      async (world, { environment }) => {
        const commit = '0123456789abcdef';
        const sessions = [world.session('one', [asked(1)], { git: { commit, branch: undefined } })];
        const useCases = world.workspace.useCases(undefined, { environment });
        for (const time of ['first', 'second']) {
          const { notReplayable } = await useCases.mineSessions(world.wish(sessions), neverAborted);
          assert.deepEqual(
            notReplayable.map(({ why }) => why),
            ['not-asked'],
            time,
          );
        }
        assert.equal(lookedThrough(world), 0, 'no night takes it for done');
      },
    );
  });
});

/** How many sessions are noted as done for nights. */
function lookedThrough({ workspace: { home } }: MiningWorld): number {
  const folder = path.join(home, 'empty-sessions');
  const texts = existsSync(folder)
    ? readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'))
    : [];
  return texts.join('').match(/"mark of /gu)?.length ?? 0;
}

interface FakeGit {
  readonly log: string;
  readonly environment: Readonly<Record<string, string>>;
}

async function withGit(
  script: (log: string) => string,
  work: (world: MiningWorld, git: FakeGit) => Promise<void>,
): Promise<void> {
  const world = aMiningWorld();
  const { workspace } = world;
  try {
    const bin = path.join(workspace.home, 'bin');
    const log = path.join(workspace.home, 'git.log');
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, 'git'), script(log), { mode: 0o755 });
    await work(world, { log, environment: { WHETSTONE_HOME: workspace.home, PATH: bin } });
  } finally {
    workspace.dispose();
  }
}
