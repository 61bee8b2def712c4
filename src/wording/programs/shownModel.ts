/**
 * A model by name, as people read it. Of an agent program its version is part of what is stored, for it changes answers:
 * it stands apart here, and that no model was named is not said. Every other name is as it was written down.
 */
export function shownModel(name: string): string {
  const [, program, model, version] = /^([a-z-]+)\/(.+)\?version=(\d+(?:\.\d+)+)$/u.exec(name) ?? [];
  if (program === undefined || model === undefined) return name;
  return `${model === 'default' ? program : `${program}/${model}`} (${version})`;
}

/** Which model plays which role, as people read it. */
export function shownModels<Names extends Readonly<Record<'target' | 'optimizer' | 'judge', string>>>(
  names: Names,
): Names {
  const { target, optimizer, judge } = names;
  return { ...names, target: shownModel(target), optimizer: shownModel(optimizer), judge: shownModel(judge) };
}
