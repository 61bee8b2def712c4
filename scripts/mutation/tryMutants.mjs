// Runs the tests of each mutant: a build with the changed file in place of its own, and mocha up to the first failure.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { context } from 'esbuild';

const near = 2; // imports away
const most = { own: 4, close: 8, rest: 10 };
const unit = 'test/unit/';
/** They start programs, windows or thousands of runs, or take many seconds: too long to be run for each mutant. */
const slow = new RegExp(
  [
    'flow/(?:killed|nightProcesses|modelStorm|nightOsSchedule|serveSimulated|demoCommand|nightFanOut|nightFive)',
    'flow/(?:environmentExamples|programEnvironment|plantedKey|demoEdits|nightSilence)',
    'unit/(?:cli/models|cli/autoAdopt|review/editSubsets|skill/edits/editTime|app/environments/tasksEnvironments)',
  ].join('|'),
);
const mostMs = 120_000;

/** Results in the order in which they came; those for which there was no time are missing. */
export async function tryMutants(mutants, { root, out, graph, lanes, deadline, say, keep }) {
  const files = [...new Set(mutants.map(({ file }) => file))];
  const results = [];
  const lane = async (number) => {
    for (let file = files.shift(); file !== undefined && Date.now() < deadline; file = files.shift()) {
      const own = mutants.filter((each) => each.file === file);
      const bench = { root, out: path.join(out, `lane-${number}`), deadline, say };
      for (const result of await tryFile(file, own, graph.testsOf(file), bench)) {
        results.push(result);
        keep(result);
      }
      say(`${String(results.length).padStart(4)} of ${mutants.length}  ${file}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, at) => lane(at)));
  return results;
}

async function tryFile(file, mutants, reached, bench) {
  const usable = reached.filter(({ test }) => !slow.test(test));
  let results = mutants.map((mutant) => ({ ...mutant, outcome: 'untested' }));
  for (const tests of rounds(usable)) results = await tryOn(tests, file, results, bench);
  return results;
}

/** Those named for the file first: most mutants die there, and within a second. Each round is for who is left. */
function rounds(usable) {
  const own = usable.filter(({ test, rank }) => rank < 0 && test.startsWith(unit)).slice(0, most.own);
  const left = (before) => usable.filter((each) => !before.includes(each));
  const close = left(own)
    .filter(({ steps }) => steps <= near)
    .slice(0, most.close);
  const rest = left([...own, ...close])
    .filter(({ test }) => test.startsWith(unit))
    .slice(0, most.rest);
  return [own, close, rest];
}

/** Those that are not dead yet are tried on these tests. Tests that fail by themselves say nothing, and are left out. */
async function tryOn(tests, file, mutants, bench) {
  if (!mutants.some(isAlive)) return mutants;
  const { builder, ms } = await passing(tests, file, bench);
  if (builder === undefined) return mutants;
  try {
    const results = [];
    for (const mutant of mutants) {
      const isTried = isAlive(mutant) && Date.now() < bench.deadline;
      const { outcome } = isTried ? await builder.run(mutant.text, ms * 4 + 8_000) : mutant;
      results.push({ ...mutant, outcome });
    }
    return results.filter(({ outcome }) => outcome !== 'untested' || Date.now() < bench.deadline);
  } finally {
    await builder.close();
  }
}

function isAlive({ outcome }) {
  return outcome === 'untested' || outcome === 'survived';
}

/** A build of those of the tests that pass as they are; halved where some do not. */
async function passing(tests, file, bench) {
  if (tests.length === 0) return {};
  const builder = await openBuild(tests, file, bench);
  const { outcome, ms } = await builder.run(undefined, mostMs);
  if (outcome === 'survived') return { tests, builder, ms };
  await builder.close();
  if (tests.length === 1) {
    bench.say(`left out, for it fails as it is: ${tests[0].test}`);
    return {};
  }
  const middle = Math.ceil(tests.length / 2);
  const halves = [];
  for (const half of [tests.slice(0, middle), tests.slice(middle)]) {
    const found = await passing(half, file, bench);
    await found.builder?.close();
    halves.push(...(found.tests ?? []));
  }
  return passing(halves, file, bench);
}

async function openBuild(reached, file, { root, out }) {
  let text;
  const outfile = path.join(out, 'tests.mjs');
  const mutate = {
    name: 'mutate',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path: loaded }) =>
        text !== undefined && loaded === path.join(root, file) ? { contents: text, loader: 'ts' } : undefined,
      ),
  };
  const building = await context({
    stdin: { contents: reached.map(({ test }) => `import './${test}';`).join('\n'), resolveDir: root },
    absWorkingDir: root,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    loader: { '.md': 'text', '.child.cjs': 'text' },
    logLevel: 'silent',
    plugins: [mutate],
  });
  return {
    async run(mutated, limitMs) {
      text = mutated;
      try {
        await building.rebuild();
      } catch {
        return { outcome: 'broken', ms: 0, said: '' };
      }
      return runTests(root, outfile, limitMs);
    },
    close: () => building.dispose(),
  };
}

function runTests(root, bundle, limitMs) {
  const started = Date.now();
  const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
  const words = [mocha, bundle, '--reporter', 'dot', '--bail', '--exit', '--timeout', '20000'];
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let said = '';
  const hear = (data) => (said = `${said}${data}`.slice(-600));
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  let isSlow = false;
  const timer = setTimeout(() => {
    isSlow = true;
    process.kill(-child.pid, 'SIGKILL'); // with what the tests started
  }, limitMs);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      const outcome = isSlow ? 'slow' : code === 0 ? 'survived' : 'killed';
      resolve({ outcome, ms: Date.now() - started, said });
    });
  });
}
