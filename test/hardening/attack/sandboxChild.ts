import { createSandbox } from '../../../src/storage/programs/sandbox/sandbox.js';

/** Runs one script in a sandbox as whoever this process runs as: `node sandboxChild.js <helper> <script> [limits]`. */
const [helper = '', script = '', limits = '{}'] = process.argv.slice(2);
const sandbox = createSandbox({
  helper,
  environment: { PATH: process.env['PATH'] },
  platform: process.platform,
  home: '/nonexistent',
  closed: [],
  limits: JSON.parse(limits),
});
const request = {
  command: '/bin/bash',
  arguments: ['-c', script],
  folder: undefined,
  input: '',
  timeLimitMs: 20_000,
  outputLimitBytes: 1_000_000,
};
const { signal } = new AbortController();
const state = await sandbox.state(signal);
process.stdout.write(JSON.stringify({ state, result: await sandbox.run(request, signal) }));
