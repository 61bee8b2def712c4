interface LintMessage {
  readonly range: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly message: string;
}

const subjects = ['name', 'description', 'compatibility', 'front matter', 'frontmatter', 'header'];

/** Whether another source says something about the same subject on the same lines: twice is noise. */
export function saidAlready(ours: LintMessage, others: readonly LintMessage[]): boolean {
  const words = subjectsIn(ours.message);
  return others.some(
    (other) =>
      other.range.start.line <= ours.range.end.line &&
      other.range.end.line >= ours.range.start.line &&
      subjectsIn(other.message).some((word) => words.includes(word)),
  );
}

function subjectsIn(message: string): readonly string[] {
  const text = message.toLowerCase();
  return subjects
    .filter((subject) => text.includes(subject))
    .map((subject) => subject.replace('frontmatter', 'front matter'));
}
