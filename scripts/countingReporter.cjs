// Mocha's spec reporter, closing with the line that every floor of the tests prints: `N passed, N failed`.
// WHETSTONE_RESULT names a file that receives the counts as JSON, for the runner that adds the floors up.
const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');

class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const again = [];
    runner.on('retry', (test, error) => again.push(`${test.fullTitle()}: ${error.message.split('\n')[0]}`));
    runner.once('end', () => {
      if (again.length > 0) process.stdout.write(`\nneeded a second try:\n  ${again.join('\n  ')}\n`);
      const { passes, failures, pending } = this.stats;
      process.stdout.write(`\n${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}\n`);
      if (process.env.WHETSTONE_RESULT) {
        writeFileSync(
          process.env.WHETSTONE_RESULT,
          JSON.stringify({ passed: passes, failed: failures, skipped: pending }),
        );
      }
    });
  }
}
module.exports = CountingReporter;
