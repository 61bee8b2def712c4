/** The words, `--grep <pattern>`, `--full`, `--no-build`, `--no-pictures`, `--packaged` and `--bench` that the test runners here understand. */
export function readArguments(argv) {
  const rest = [...argv];
  const grepAt = rest.indexOf('--grep');
  const [, grep] = grepAt < 0 ? [] : rest.splice(grepAt, 2);
  return {
    grep,
    full: rest.includes('--full'),
    noBuild: rest.includes('--no-build'),
    noPictures: rest.includes('--no-pictures'),
    packaged: rest.includes('--packaged'),
    bench: rest.includes('--bench'),
    words: rest.filter((word) => !word.startsWith('--')),
  };
}
