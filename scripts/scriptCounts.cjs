// Counts what came of each script (test file) of a run: the runners of windows wrap each of them in a suite of its name.

/** Follows a mocha runner; the object that it returns fills up, and is whole when the runner ends. */
function followScripts(runner) {
  const scripts = {};
  const count = (key) => (test) => {
    const counts = (scripts[scriptOf(test)] ??= { passed: 0, failed: 0, skipped: 0, retried: 0 });
    counts[key] += 1;
  };
  runner.on('pass', count('passed'));
  runner.on('fail', count('failed'));
  runner.on('pending', count('skipped'));
  runner.on('retry', count('retried'));
  return scripts;
}

/** The title of the outermost suite. */
function scriptOf(test) {
  let suite = test.parent;
  while (suite?.parent !== undefined && !suite.parent.root) suite = suite.parent;
  return suite?.title ?? '';
}

module.exports = { followScripts };
