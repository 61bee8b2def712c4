import { english } from '../translate.js';

/** Where a person reads it. */
type Face = 'editor' | 'terminal';

/** What is said of a model that is too small for a role, with both ways to choose another one. */
const both =
  /^A stronger model for that \(“Choose Model”, or --optimizer and --judge\) and this one as the target: usually about (\S+) calls and (\S+) tokens a run, with (.+) about (\S+) USD\.$/u;

/** The same note with the way of one face: a window has no flags, a terminal no command to choose a model. Any other stays as it is. */
export function withOwnWay(note: string, face: Face): string {
  const found = both.exec(note);
  if (found === null) return note;
  const [, calls = '', tokens = '', name = '', usd = ''] = found;
  if (face === 'terminal')
    return `A stronger model for that (--optimizer and --judge) and this one as the target: usually about ${calls} calls and ${tokens} tokens a run, with ${name} about ${usd} USD.`;
  return english(
    'A stronger model for that (“Choose Model”) and this one as the target: usually about {0} calls and {1} tokens a run, with {2} about {3} USD.',
    calls,
    tokens,
    name,
    usd,
  );
}
