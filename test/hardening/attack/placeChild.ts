import { createSandbox } from '../../../src/storage/programs/sandbox/sandbox.js';
import { drawCanaries } from '../../../src/storage/programs/workplace/canaries.js';
import { createWorkplaces } from '../../../src/storage/programs/workplace/workplaces.js';

/**
 * Lets a shell work as an agent, again and again, until somebody kills this process: `node placeChild.js <helper> <script>
 * <workspace>`. Says a line when the sandbox is there.
 */
const [helper = '', script = '', workspace = '/nonexistent'] = process.argv.slice(2);
const environment = { PATH: process.env['PATH'] };
const sandbox = createSandbox({
  helper,
  environment,
  platform: process.platform,
  home: '/nonexistent',
  closed: [workspace],
  masks: true,
});
const workplaces = createWorkplaces({
  sandbox: () => sandbox,
  sandboxState: (signal) => sandbox.state(signal),
  isThrowAway: async () => false,
  environment,
  workspace: () => [workspace],
});
const { signal } = new AbortController();
const file = { kind: 'file', path: 'a.txt', bytes: Buffer.from('a\n'), executable: false } as const;
process.stdout.write(`${(await workplaces.state(signal)).kind}\n`);
for (let round = 0; ; round += 1) {
  const fixture = { hash: String(round), entries: [{ ...file, bytes: Buffer.from(`${round}\n`) }] };
  const canaries = drawCanaries();
  const place = await workplaces.open({ fixture, skill: undefined, skillsFolder: '.agents/skills', canaries }, signal);
  const run = {
    program: { path: '/bin/bash', command: '/bin/bash', before: [] },
    start: () => ({ arguments: ['-c', script], environment: {}, input: '' }),
    onLine: () => undefined,
    outputLimitBytes: 1_000_000,
    reach: {},
  };
  await place.run(run, signal);
  await place.left([], signal);
  await place.judge({ command: '/bin/bash', arguments: ['-c', script], timeLimitMs: 30_000 }, signal);
  await place.close();
}
