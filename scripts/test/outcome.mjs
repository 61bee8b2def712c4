// What `npm test` says last: how long each job took, a line for each step, what needed a second try, what was left out and
// why, what failed, and the sum of all.
import { judgeSecondTries } from './secondTries.mjs';

/** Prints it, and says whether everything passed. */
export function printOutcome(outcomes, wallSeconds) {
  const again = judgeSecondTries(outcomes);
  const judged = again.problem === undefined ? outcomes : [...outcomes, failedStep('second try', again.problem)];
  const jobs = outcomes
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ name, seconds }) => `${inSeconds(seconds)}  ${name}`);
  const lines = [...stepsOf(judged)].map(lineOf);
  const failures = judged.flatMap(({ problems }) => problems);
  const leftOut = judged.flatMap(({ leftOut: why = [] }) => why);
  process.stdout.write(
    [
      `\n${jobs.join('\n')}\n${inSeconds(wallSeconds)}  together\n`,
      `\n${lines.join('\n')}\n`,
      again.lines.length > 0 ? list(again.title, again.lines) : `\n${again.title}\n`,
      list('left out here', leftOut),
      list('failed', failures),
    ].join(''),
  );
  const { passed, failed, skipped } = sumOf(judged);
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  return failed === 0;
}

function failedStep(step, problem) {
  return { step, name: step, seconds: 0, passed: 0, failed: 1, skipped: 0, problems: [problem] };
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

function inSeconds(seconds) {
  return `${String(seconds).padStart(5)} s`;
}

function list(title, lines) {
  return lines.length === 0 ? '' : `\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
