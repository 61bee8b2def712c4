// What each test file takes of the processor, for `node scripts/unit.mjs --costs`: in this process, and in those that it
// started and saw end. Wall time says little on a machine that does other things beside.
const { readFileSync } = require('node:fs');

const mark = 'file: ';
const mostFiles = 40;
const ticksInSecond = 100;

/** Modules that say, between the tests of a bundle, which file the suites after them are from. */
const fileMarks = {
  name: 'file-marks',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^file: / }, ({ path }) => ({ path, namespace: 'file-marks' }));
    onLoad({ filter: /./, namespace: 'file-marks' }, ({ path }) => ({
      contents: `describe(${JSON.stringify(path)}, () => {});`,
    }));
  },
};

/** Follows a mocha runner; gives a function that tells the dearest files once it has ended. */
function followCosts(runner) {
  const files = filesOf(runner.suite.suites);
  const costs = new Map();
  const loaded = usedSoFar();
  let last = loaded;
  const book = (suite) => {
    const now = usedSoFar();
    const file = files.get(outermost(suite)) ?? '?';
    const { here, children, tests } = costs.get(file) ?? { here: 0, children: 0, tests: 0 };
    costs.set(file, {
      here: here + now.here - last.here,
      children: children + now.children - last.children,
      tests: tests + 1,
    });
    last = now;
  };
  runner.on('test end', ({ parent }) => book(parent));
  return () => told(costs, loaded, usedSoFar());
}

/** The suites that a file begins with, by the mark before them. */
function filesOf(suites) {
  const files = new Map();
  let file;
  for (const suite of suites) {
    if (suite.title.startsWith(mark)) file = suite.title.slice(mark.length);
    else files.set(suite, file);
  }
  return files;
}

function outermost(suite) {
  return suite.parent === undefined || suite.parent.root ? suite : outermost(suite.parent);
}

/** In seconds. Where the system does not tell of children, they count as nothing. */
function usedSoFar() {
  const { user, system } = process.cpuUsage();
  return { here: (user + system) / 1e6, children: secondsOfChildren() };
}

function secondsOfChildren() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(13, 15);
    return (Number(user) + Number(system)) / ticksInSecond;
  } catch {
    return 0;
  }
}

function told(costs, loaded, whole) {
  const rows = [...costs].sort(([, a], [, b]) => sum(b) - sum(a)).slice(0, mostFiles);
  return [
    'Seconds of the processor: together, here, in other processes',
    ...rows.map(([file, cost]) => line(cost, `${file} (${cost.tests} tests)`)),
    line(loaded, 'until the first test'),
    line(whole, 'all'),
    '',
  ].join('\n');
}

function line(cost, words) {
  const figures = [sum(cost), cost.here, cost.children].map((each) => each.toFixed(1).padStart(7));
  return `${figures.join('')}  ${words}`;
}

function sum({ here, children }) {
  return here + children;
}

module.exports = { fileMarks, followCosts, mark };
