// Nothing outlives a run: what was started or written is undone when it ends, whichever way it ends.
const cleaners = new Set();
let watching = false;

/** Registers a synchronous undo for the end of this process, Ctrl+C included; returns what takes it back. */
export function atEnd(clean) {
  watch();
  cleaners.add(clean);
  return () => cleaners.delete(clean);
}

function watch() {
  if (watching) return;
  watching = true;
  process.on('exit', cleanAll);
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.on(signal, () => process.exit(code));
  }
}

function cleanAll() {
  for (const clean of [...cleaners].toReversed()) {
    try {
      clean();
    } catch (error) {
      process.stderr.write(`cleaning up: ${error.message}\n`);
    }
  }
  cleaners.clear();
}
