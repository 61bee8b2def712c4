/** The words, `--grep <pattern>`, `--full` and `--no-build` that every test runner here understands. */
export function readArguments(argv) {
  const rest = [...argv];
  const grepAt = rest.indexOf('--grep');
  const [, grep] = grepAt < 0 ? [] : rest.splice(grepAt, 2);
  return {
    grep,
    full: rest.includes('--full'),
    noBuild: rest.includes('--no-build'),
    words: rest.filter((word) => !word.startsWith('--')),
  };
}
