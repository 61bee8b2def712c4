// What `npm test` says last: a line for each step, what needed a second try, what failed, and the sum of all.

/** Prints it, and says whether everything passed. */
export function printOutcome(outcomes) {
  const lines = [...stepsOf(outcomes)].map(lineOf);
  const again = outcomes.flatMap(({ firstTry = [] }) => firstTry);
  const failures = outcomes.flatMap(({ problems }) => problems);
  process.stdout.write(`\n${lines.join('\n')}\n${list('needed a second try', again)}${list('failed', failures)}`);
  const { passed, failed, skipped } = sumOf(outcomes);
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  return failed === 0;
}

function stepsOf(outcomes) {
  const steps = new Map();
  for (const outcome of outcomes) steps.set(outcome.step, [...(steps.get(outcome.step) ?? []), outcome]);
  return steps;
}

function lineOf([step, outcomes]) {
  const { passed, failed, seconds } = sumOf(outcomes);
  return `${failed > 0 ? 'FAILED' : 'ok    '}  ${step.padEnd(10)} ${passed} passed, ${failed} failed (${seconds} s)`;
}

function sumOf(outcomes) {
  const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), seconds: sum('seconds') };
}

function list(title, lines) {
  return lines.length === 0 ? '' : `\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
