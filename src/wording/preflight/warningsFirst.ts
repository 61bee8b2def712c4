/** What a person is told before a run. */
interface BeforeRun {
  readonly caps: readonly string[];
  readonly notes: readonly string[];
  /** Those of both without whose cure the run comes to nothing. */
  readonly cannotWork?: readonly string[] | undefined;
}

/**
 * The same with what keeps the run from working in front, and nowhere else: a dialog shows only its first lines, and who
 * does not scroll begins a run in vain.
 */
export function warningsFirst({ caps, notes, cannotWork = [] }: BeforeRun): Omit<BeforeRun, 'cannotWork'> & {
  readonly first: readonly string[];
} {
  const isOther = (line: string): boolean => !cannotWork.includes(line);
  return { first: cannotWork, caps: caps.filter(isOther), notes: notes.filter(isOther) };
}
