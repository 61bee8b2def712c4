// Mocha's spec reporter, closing with the line that every floor of the tests prints: `N passed, N failed`.
// WHETSTONE_RESULT names a file that receives the counts, whole and by script, and the names of what failed as JSON, for
// the runner that adds the floors up. What was left out is told with its reason, and with the option `costs` which files
// take most of the processor.
const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');
const { followCosts } = require('./fileCosts.cjs');
const { followScripts } = require('./scriptCounts.cjs');

/** Where tests say why they were left out; see `test/builders/leaveOut.ts`. */
const leftOutKey = Symbol.for('whetstone: tests left out');

class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const problems = [];
    const failedTitles = [];
    const scripts = followScripts(runner);
    const tellCosts = options.reporterOptions?.costs ? followCosts(runner) : () => '';
    runner.on('fail', (test, error) => {
      problems.push(nameOf(test, error));
      failedTitles.push(test.fullTitle());
    });
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      const leftOut = globalThis[leftOutKey] ?? [];
      process.stdout.write(tellCosts());
      if (leftOut.length > 0)
        process.stdout.write(`\nleft out here:\n${leftOut.map((line) => `  ${line}\n`).join('')}`);
      process.stdout.write(`\n${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}\n`);
      if (process.env.WHETSTONE_RESULT) {
        writeFileSync(
          process.env.WHETSTONE_RESULT,
          JSON.stringify({
            passed: passes,
            failed: failures,
            skipped: pending,
            problems,
            failedTitles,
            leftOut,
            scripts,
          }),
        );
      }
    });
  }
}

/** What a window was waited for in vain stands in a later line of the browser's message. */
function nameOf(test, error) {
  const [first, ...more] = String(error?.message ?? error).split('\n');
  const waited = more.find((line) => line.includes('waiting for '));
  return `${test.fullTitle()}: ${first}${waited === undefined ? '' : ` ${waited.trim()}`}`;
}

module.exports = CountingReporter;
