/**
 * Notes of a run for people: what was noted again and again stands once, with how often, or in which steps. In the order
 * in which each was first noted.
 */
export function groupedNotes(notes: readonly string[]): readonly string[] {
  const groups = new Map<string, { readonly steps: string[]; times: number }>();
  for (const note of notes) {
    const [, step, rest] = /^Step (\d+): (.*)$/su.exec(note) ?? [];
    const text = rest ?? note;
    const group = groups.get(text) ?? { steps: [], times: 0 };
    group.times += 1;
    if (step !== undefined && !group.steps.includes(step)) group.steps.push(step);
    groups.set(text, group);
  }
  return [...groups].map(
    ([text, group]) => `${before(group)}${text}${group.times > 1 ? ` (${group.times} times)` : ''}`,
  );
}

function before({ steps }: { readonly steps: readonly string[] }): string {
  if (steps.length === 0) return '';
  return steps.length === 1 ? `Step ${steps[0]}: ` : `Steps ${steps.join(', ')}: `;
}
