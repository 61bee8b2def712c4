import { printCron } from './cronExpression.js';
import { refused, type OsEntry, assertEnvironment, assertWritable } from './osEntry.js';

/** Debian's cron cuts a command here without a word. */
const longestCommand = 998;

/**
 * The exact line of the crontab. Wrapped in `/bin/sh -c`, because the person's crontab may name another shell;
 * `%` is escaped, because cron takes it for a line break.
 */
export function crontabLine(entry: OsEntry): string {
  const plain = `/bin/sh -c ${shellQuote(shellCommand(entry))}`;
  // Crons disagree on what a backslash before another one, or before %, means.
  if (/\\[\\%]/u.test(plain)) throw refused('A path or argument holds “\\\\” or “\\%”', 'Rename the folder.');
  const command = plain.replaceAll('%', String.raw`\%`);
  if (new TextEncoder().encode(command).length > longestCommand)
    throw refused('The paths are too long for a line of the crontab', 'Move the workspace to a shorter path.');
  return `${printCron(entry.cron)} ${command}`;
}

/** Our block: what `--print` shows and `--install` writes. */
export function crontabBlock(entry: OsEntry): string {
  return `${opening(entry.id)}\n# ${entry.root}\n${crontabLine(entry)}\n${closing(entry.id)}\n`;
}

/** The crontab with the entry's block in place of its former one, else at the end. Every other line keeps its bytes. */
export function withEntry(crontab: string, entry: OsEntry): string {
  const block = crontabBlock(entry);
  const found = findBlock(crontab, entry.id);
  if (found !== undefined) return crontab.slice(0, found.from) + block + crontab.slice(found.to);
  const lastLineEnds = crontab === '' || crontab.endsWith('\n');
  return `${crontab}${lastLineEnds ? '' : '\n'}${block}`;
}

/** The crontab without the block of that id; unchanged where there is none. */
export function withoutEntry(crontab: string, id: string): string {
  const found = findBlock(crontab, id);
  return found === undefined ? crontab : crontab.slice(0, found.from) + crontab.slice(found.to);
}

/** The block of that id as it stands in the crontab; undefined where there is none. */
export function entryIn(crontab: string, id: string): string | undefined {
  const found = findBlock(crontab, id);
  return found === undefined ? undefined : crontab.slice(found.from, found.to);
}

function opening(id: string): string {
  return `# >>> whetstone ${id} (managed: whetstone schedule) >>>`;
}

function closing(id: string): string {
  return `# <<< whetstone ${id} <<<`;
}

interface Line {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Refuses a crontab in which a block is torn or doubled: guessing its end could cost the person a line. */
function findBlock(crontab: string, id: string): { readonly from: number; readonly to: number } | undefined {
  const lines = linesOf(crontab);
  const opens = lines.filter(({ text }) => text.startsWith(`# >>> whetstone ${id} `));
  const closes = lines.filter(({ text }) => text === closing(id));
  const [open] = opens;
  const [close] = closes;
  if (open === undefined && close === undefined) return undefined;
  if (open === undefined || close === undefined || opens.length > 1 || closes.length > 1 || close.from < open.from)
    throw refused(
      `The crontab holds a damaged Whetstone block (${id})`,
      'Run “crontab -e”, remove the lines between and with the markers, and try again.',
    );
  return { from: open.from, to: close.to };
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (const match of text.matchAll(/[^\n]*(?:\n|$)/gu)) {
    if (match[0] === '') continue;
    lines.push({
      text: match[0].replace(/\r?\n$/u, ''),
      from: match.index,
      to: match.index + match[0].length,
    });
  }
  return lines;
}

/**
 * The night as one command for `/bin/sh -c`: everything it says goes to the log from the first moment on, the
 * environment file is read, and the program takes the shell's place.
 */
export function shellCommand(entry: OsEntry): string {
  assertWritable(entry, (path) => path.startsWith('/'));
  const program = [entry.program, ...entry.arguments].map(shellQuote).join(' ');
  return [
    'umask 077',
    `exec >>${shellQuote(entry.logFile)} 2>&1`,
    'set -a',
    `. ${shellQuote(entry.environmentFile)}`,
    'set +a',
    `exec ${program}`,
  ].join('; ');
}

/** The environment file for a POSIX shell: one quoted assignment a line. */
export function shellEnvironmentFile(variables: Readonly<Record<string, string>>): string {
  assertEnvironment(variables);
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${shellQuote(value)}\n`)
    .join('');
}

/** One word for a POSIX shell; plain words stay readable. */
function shellQuote(word: string): string {
  return /^[\w@%+:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
