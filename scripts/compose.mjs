// Starts the queue of deploy/ with Docker as docs/scale.md says: Redis over TLS and two workers from the npm package. Trains
// a demo skill over it, restarts Redis in between, and takes everything away again. Needs a Docker daemon that answers and
// `docker compose`; without them it says so and does nothing, which fails under CI=true.
//   node scripts/compose.mjs
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const root = path.resolve(import.meta.dirname, '..');
const patienceMs = 180_000;

const missing = whatIsMissing();
if (missing === undefined) await proveDeployment();
else {
  process.stdout.write(`${missing} The queue of deploy/ was not started.\n`);
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
}

function whatIsMissing() {
  const daemon = spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], { encoding: 'utf8' });
  if (daemon.error !== undefined) return 'There is no docker.';
  if (daemon.status !== 0) return `No Docker daemon answers: ${daemon.stderr.trim()}`;
  return spawnSync('docker', ['compose', 'version']).status === 0 ? undefined : 'docker has no compose.';
}

async function proveDeployment() {
  const folder = mkdtempSync(path.join(tmpdir(), 'whetstone-compose-'));
  const [deploy, secrets, npm] = ['deploy', 'private', 'npm'].map((name) => path.join(folder, name));
  const compose = (...words) =>
    run('docker', ['compose', '--env-file', path.join(secrets, 'compose.env'), ...words], { cwd: deploy });
  try {
    cpSync(path.join(root, 'deploy'), deploy, { recursive: true });
    run(process.execPath, [path.join(root, 'scripts/npm.mjs'), '--out', npm]);
    run('npm', ['pack', '--silent', '--pack-destination', deploy], { cwd: npm });
    run('sh', [path.join(deploy, 'prepare.sh'), secrets, 'localhost']);
    compose('up', '--detach', '--build', '--wait');
    const cli = commandLine(path.join(npm, 'dist/cli.js'), { secrets, folder });
    const workers = await twoWorkers(cli);
    compose('restart', 'redis');
    await twoWorkers(cli);
    cpSync(path.join(root, 'media/demo'), path.join(folder, 'demo'), { recursive: true });
    const words = [
      'optimize',
      '.claude/skills/incident-summary',
      '--preset',
      'quick',
      '--model',
      'simulated',
      '--json',
    ];
    cli([...words, '--yes'], path.join(folder, 'demo'));
    const after = await twoWorkers(cli);
    const answered = after.flatMap(({ lanes }) => lanes).reduce((sum, lane) => sum + lane.answered, 0);
    if (answered === 0) throw new Error('The workers have answered nothing.');
    process.stdout.write(
      `${workers.length} workers over TLS; Redis was restarted; a run was trained, ${answered} jobs by the workers\n`,
    );
  } finally {
    spawnSync('docker', ['compose', '--env-file', path.join(secrets, 'compose.env'), 'down', '--timeout', '5'], {
      cwd: deploy,
      stdio: 'inherit',
    });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The command line of the package, with what prepare.sh wrote for the machine that trains. */
function commandLine(cli, { secrets, folder }) {
  const address = readFileSync(path.join(secrets, 'queue.env'), 'utf8').trim().slice('WHETSTONE_QUEUE='.length);
  const env = {
    PATH: process.env.PATH,
    HOME: path.join(folder, 'home'),
    WHETSTONE_HOME: path.join(folder, 'home'),
    WHETSTONE_QUEUE: address,
    WHETSTONE_QUEUE_SECRET_FILE: path.join(secrets, 'queue-secret'),
    NODE_EXTRA_CA_CERTS: path.join(secrets, 'ca.pem'),
  };
  return (words, cwd = folder) => run(process.execPath, [cli, ...words], { cwd, env, quiet: true });
}

async function twoWorkers(cli) {
  for (const until = Date.now() + patienceMs; ; await wait(1_000)) {
    try {
      const { workers } = JSON.parse(cli(['queue', '--json']));
      if (workers.length === 2) return workers;
      if (Date.now() > until) throw new Error(`${workers.length} workers are there, not 2.`);
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

function run(program, words, { quiet = false, ...options } = {}) {
  const stdio = ['ignore', 'pipe', quiet ? 'pipe' : 'inherit'];
  const done = spawnSync(program, words, { encoding: 'utf8', stdio, ...options });
  if (done.status === 0) return done.stdout;
  throw new Error(`${path.basename(program)} ${words[0]} failed (${done.status}): ${done.stderr ?? ''}${done.stdout}`);
}
