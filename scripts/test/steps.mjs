/** The steps of `npm test`, by the names that `--only` and `--skip` take. */
export const quickSteps = ['package', 'types', 'lint', 'dead code', 'format', 'unit', 'flow'];
export const windowSteps = ['test host', 'host', 'e2e'];
/** Only with `--full`. */
export const benchSteps = ['bench', 'bench:gate', 'bench:truth'];

/** The names after each `--only` and `--skip`; `--only quick` is all that needs no window. Throws at an unknown one. */
export function readChoice(argv) {
  const namedAfter = (flag) => argv.flatMap((word, at) => (argv[at - 1] === flag ? [word] : []));
  const only = namedAfter('--only').flatMap((name) => (name === 'quick' ? quickSteps : [name]));
  const skipped = namedAfter('--skip');
  const known = [...quickSteps, ...windowSteps, ...benchSteps];
  const unknown = [...only, ...skipped].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no step “${unknown}”; there are ${known.join(', ')}.`);
  return { skipped, isWanted: (step) => (only.length === 0 || only.includes(step)) && !skipped.includes(step) };
}
