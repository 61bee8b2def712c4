// A window may lose a step to what the machine does beside it, so a script that fails in it has a second try, in a new
// window. Each of them is named, and where they become many the run fails: then it is not the machine.
const mostInTen = 1;

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
    scripts: { ...Object.fromEntries(kept), ...second.scripts },
    repeated,
    firstTry: first.problems,
  };
}

/**
 * The scripts of all jobs that needed a second try: whole, in a new window, or a test of theirs in the same one. `problem`
 * is set where they are more than one in ten.
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
  const title = `needed a second try, ${lines.length} of ${total} window scripts`;
  const isTooMany = lines.length * 10 > total * mostInTen;
  return { lines, title, problem: isTooMany ? `${title}: more than one in ten` : undefined };
}

/** The names of tests begin with their script. */
function reasonOf(script, problems) {
  const own = problems.find((problem) => problem.startsWith(script));
  return own?.slice(script.length).trim() ?? problems[0] ?? 'it did not run';
}
