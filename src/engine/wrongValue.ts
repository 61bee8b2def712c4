import type * as z from 'zod';

/**
 * In words, what is wrong with the value of an option, with an example of how it is written. `namesAt` are the options
 * that stand below a name.
 */
export function wrongValue(
  issue: z.core.$ZodIssue,
  namesAt: (path: readonly PropertyKey[]) => readonly string[],
): string {
  // What is wrong with one value of a list is told of the list.
  const path = issue.path.filter((part) => typeof part !== 'number');
  const name = path.join('.');
  if (issue.code === 'invalid_type') return wrongKind(name, issue.expected, namesAt(path));
  if (issue.code === 'too_small') return tooSmall(name, issue);
  if (issue.code === 'too_big') return `The option “${name}” must be at most ${issue.maximum}.`;
  if (issue.code !== 'invalid_value') return `The option “${name}” is not right: ${issue.message}.`;
  return path.length < issue.path.length
    ? `The option “${name}” takes a list of these: ${issue.values.join(', ')}.`
    : `The option “${name}” takes one of these: ${issue.values.join(', ')}.`;
}

function tooSmall(name: string, { minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  return inclusive === false
    ? `The option “${name}” must be above ${minimum}.`
    : `The option “${name}” must be at least ${minimum}.`;
}

function wrongKind(name: string, expected: string, below: readonly string[]): string {
  switch (expected) {
    case 'object':
      return `“${name}” is no option but a group of them: set one by one, such as ${name}.${below[0] ?? '…'}. It holds: ${below.join(', ')}.`;
    case 'array':
      return `The option “${name}” takes a list, such as ${name}=score,skill-tokens.`;
    case 'boolean':
      return `The option “${name}” takes true or false.`;
    case 'int':
      return `The option “${name}” takes a whole number.`;
    case 'number':
      return `The option “${name}” takes a number.`;
    default:
      return `The option “${name}” takes a text.`;
  }
}
