import type { ProgramResult } from '../ports/programs.js';

/** Why a program did not start; the system only names a number where the file is not there. */
export function notStarted(reason: string): string {
  const [, missing] = /^spawn (.+) ENOENT$/u.exec(reason) ?? [];
  return `The program could not be started: ${missing === undefined ? asSentence(reason) : `“${missing}” was not found.`}`;
}

/** How a program ended that did not end well, and all that the sandbox says of it. */
export function endedWith({ code, errorOutput, told }: Extract<ProgramResult, { kind: 'exited' }>): string {
  const said = lastWords(errorOutput);
  return andTold(said === '' ? `The program ended with ${code}.` : `The program ended with ${code}: ${said}`, { told });
}

/** Never cut: it holds the line to add. */
export function andTold(sentence: string, { told = [] }: Pick<ProgramResult, 'told'>): string {
  return [sentence, ...told].join(' ');
}

/**
 * What a program said when it ended badly, as the end of a sentence: of a Python traceback its last line, with the file
 * and line of the program's own that it comes from; else the end of what it wrote. Files are named as they lie in the
 * program's folder, not in the throw-away copy.
 */
function lastWords(errorOutput: string): string {
  const text = errorOutput
    .trim()
    .replaceAll(/[^\s'"()]+/gu, withoutCopy)
    .replaceAll(loader, '');
  return asSentence(tracebackEnd(text) ?? text.slice(-longest));
}

/** Another sentence may follow. */
function asSentence(said: string): string {
  return said === '' || /[.!?]$/u.test(said) ? said : `${said}.`;
}

const longest = 400; // characters

/** A path in the folder that it ran in, from that folder on. One look at each mark: output may be slashes alone. */
function withoutCopy(word: string): string {
  let [kept, from] = ['', 0];
  for (const { 0: mark, index } of word.matchAll(/whetstone-[A-Za-z0-9]{6}[\\/]/gu)) {
    const before = word.slice(from, index);
    const root = before.search(/(?:file:\/\/)?(?:[A-Za-z]:)?[\\/]/u);
    if (root < 0) continue;
    kept += before.slice(0, root);
    from = index + mark.length;
  }
  return kept + word.slice(from);
}

/** What loads a module names itself as the one that asks for it. */
const loader = / imported from \[eval\d*\]/gu;

function tracebackEnd(text: string): string | undefined {
  const frames = [...text.matchAll(/^ *File "([^"\n]+)", line (\d+)/gmu)];
  const own = frames.findLast(([, file = '']) => !/^(?:[A-Za-z]:)?[\\/<]/u.test(file)) ?? frames.at(-1);
  const lines = text.split('\n');
  const end = lines.slice(lines.findLastIndex((line) => /^\s/u.test(line)) + 1).join(' ');
  if (own === undefined || end === '') return undefined;
  return `${end.slice(0, longest)} (${own[1]}, line ${own[2]})`;
}
