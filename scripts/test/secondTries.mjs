// A window may lose a step to what the machine does beside it, so a script that fails in it has a second try, in a new
// window. Each of them is named, and where they become many the run fails: then it is not the machine.
const mostInTen = 1;
// A test in plain Node has one too, for it runs beside the windows: by itself, in a new process.
const mostPlain = 3;

/** Which scripts of a job to try again: those with a failed test, and those that did not get as far as running one. */
export function scriptsToRepeat(job, { scripts = {} }) {
  const failed = job.scripts.filter((script) => scripts[script] === undefined || scripts[script].failed > 0);
  return failed.length > 0 ? failed : job.scripts; // it failed after its tests, and says nothing of which
}

/** What came of a job in both tries: of a script that was repeated only the second try counts. */
export function joinTries(first, second, repeated) {
  const kept = Object.entries(first.scripts).filter(([script]) => !repeated.includes(script));
  const sum = (key) => kept.reduce((total, [, counts]) => total + counts[key], second[key]);
  return {
    ...second,
    name: first.name,
    seconds: first.seconds + second.seconds,
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    leftOut: [...new Set([...(first.leftOut ?? []), ...(second.leftOut ?? [])])],
    scripts: { ...Object.fromEntries(kept), ...second.scripts },
    repeated,
    firstTry: first.problems,
  };
}

/** A pattern that finds exactly the tests that failed; undefined where none did, or more than the machine could cause. */
export function repeatable({ failedTitles = [] }) {
  if (failedTitles.length === 0 || failedTitles.length > mostPlain) return undefined;
  return `^(?:${failedTitles.map((title) => title.replaceAll(/[^\p{L}\p{N} ]/gu, '\\$&')).join('|')})$`;
}

/** What came of a job in plain Node in both tries. What the second one did not run, such as a hook, has failed. */
export function joinPlainTries(first, second) {
  const missing = first.failed - second.passed - second.failed;
  return {
    ...first,
    seconds: first.seconds + second.seconds,
    passed: first.passed + second.passed,
    failed: second.failed + Math.max(0, missing),
    problems: missing > 0 ? first.problems : second.problems,
    repeatedTests: first.problems,
  };
}

/**
 * The scripts of all jobs that needed a second try: whole, in a new window, or a test of theirs in the same one; and the
 * tests in plain Node that did. `problem` is set where they are more than one script in ten, or more than three tests.
 */
export function judgeSecondTries(outcomes) {
  const windows = outcomes.filter(({ scriptCount }) => scriptCount > 0);
  const total = windows.reduce((sum, { scriptCount }) => sum + scriptCount, 0);
  const lines = windows.flatMap(({ repeated = [], scripts = {}, firstTry = [] }) => [
    ...repeated.map((script) => `${script}: ${reasonOf(script, firstTry)}`),
    ...Object.keys(scripts)
      .filter((script) => scripts[script].retried > 0 && !repeated.includes(script))
      .map((script) => `${script}: a test of it, in the same window`),
  ]);
  const plain = outcomes.flatMap(({ repeatedTests = [] }) => repeatedTests);
  const title = `needed a second try, ${lines.length} of ${total} window scripts and ${plain.length} tests without a window`;
  const isTooMany = lines.length * 10 > total * mostInTen;
  const tooMany = isTooMany ? 'more than one script in ten' : plain.length > mostPlain ? 'too many tests' : undefined;
  return { lines: [...lines, ...plain], title, problem: tooMany === undefined ? undefined : `${title}: ${tooMany}` };
}

/** The names of tests begin with their script. */
function reasonOf(script, problems) {
  const own = problems.find((problem) => problem.startsWith(script));
  return own?.slice(script.length).trim() ?? problems[0] ?? 'it did not run';
}
