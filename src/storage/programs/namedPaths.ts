import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where a program runs, as far as its words can name something there. */
export interface NamingPlace {
  readonly home: string;
  /** The folder that the throw-away copy is made in, under a name that nobody knows beforehand. */
  readonly temporary: string;
}

/** What the words of a command name beside the files of its folder. */
interface NamedPaths {
  /** Absolute, each once, there or not. */
  readonly paths: readonly string[];
  /** What runs and cannot be bound to bytes, as sentences. */
  readonly unbound: readonly string[];
}

const mostPaths = 200; // a command names a few; one that names more is looked at no further, and that is said

/**
 * Finds every file that a command names outside of its folder: as a word, behind an equals sign or an option letter, as
 * a `file:` address, and inside text that an interpreter is handed. Text can put paths together that nobody finds: it is
 * named among what is not bound.
 */
export function namedPaths(words: readonly string[], place: NamingPlace): NamedPaths {
  const paths = new Set(words.flatMap((word) => pathsIn(word, place)));
  const tooMany = paths.size > mostPaths ? [`The command names more than ${mostPaths} files.`] : [];
  const unbound = [
    ...words.flatMap((word, index) => unboundIn(word, words[index - 1])),
    ...fetching(words),
    ...tooMany,
  ];
  return { paths: [...paths].slice(0, mostPaths), unbound: [...new Set(unbound)] };
}

const rooted = /(?:~|\$HOME|\$\{HOME\})?\/[^\s'"`;|&<>(){}$,=:*?]*/gu;
const rootedOnWindows = /(?:~|[A-Za-z]:)?[/\\][^\s'"`;|&<>(){}$,=:*?]*/gu;

function pathsIn(word: string, place: NamingPlace): readonly string[] {
  const afterSign = word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : [];
  const addresses = [...word.matchAll(/file:\/\/[^\s'"`)]*/gu)].flatMap(([address]) => fromAddress(address));
  const inText = [...word.matchAll(path.sep === '/' ? rooted : rootedOnWindows)];
  const upwards = [...word.matchAll(/(?:[^\s'"`;|&<>(){}$,=:*?]*\/)?\.\.\/[^\s'"`;|&<>(){}$,=:*?]*/gu)];
  const found = [word, ...afterSign, ...[...inText, ...upwards].map(([text]) => text)];
  return [...addresses, ...found.flatMap((text) => outsideOfCopy(text, place))];
}

/** Undefined for what lies in the throw-away copy: all of that is bound already. */
function outsideOfCopy(text: string, { home, temporary }: NamingPlace): readonly string[] {
  const expanded = text.replace(/^(?:~|\$HOME|\$\{HOME\})(?=[/\\])/u, home);
  if (expanded.includes('\0') || /^[/\\]+$/u.test(expanded)) return [];
  if (path.isAbsolute(expanded)) return [path.normalize(expanded)];
  if (!expanded.includes('..')) return [];
  const copy = path.join(temporary, 'copy');
  const there = path.resolve(copy, expanded);
  return there === copy || there.startsWith(copy + path.sep) ? [] : [there];
}

function fromAddress(address: string): readonly string[] {
  try {
    return [fileURLToPath(address)];
  } catch {
    return []; // No address of this machine.
  }
}

/** Options of interpreters and shells that are followed by the text of a program. */
const textFollows = /^(?:-[a-zA-Z]*[ecpE]|--eval|--print|--command|-Command|-EncodedCommand|\/[cC])$/u;

function unboundIn(word: string, before: string | undefined): readonly string[] {
  const isText = (before !== undefined && textFollows.test(before)) || /^--(?:eval|print|command)=/u.test(word);
  const text = isText ? ['What the text in the command reads or starts cannot all be found.'] : [];
  const addresses = [...word.matchAll(/\b(?!file:)[a-z][a-z+.-]{1,12}:\/\/[^\s'"`)]*/giu)];
  return [...text, ...addresses.map(([address]) => `What lies at ${address} may be something else the next time.`)];
}

/** Programs whose purpose it is to fetch what they run. */
const fetchers = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx', 'uv', 'pnpm', 'yarn', 'npm', 'bun', 'deno', 'docker']);

function fetching([command = '']: readonly string[]): readonly string[] {
  const name = path.basename(command).replace(/\.(?:exe|cmd)$/iu, '');
  return fetchers.has(name) ? [`${name} may fetch what it runs, and run something else the next time.`] : [];
}
