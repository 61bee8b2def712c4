import { sha256 } from '../../hash.js';
import type { ProgramRequest, Programs } from '../../ports/programs.js';
import type { ScriptParser } from '../../ports/scriptParser.js';
import type { ForeignLanguage } from '../../skill/package/packageFile.js';
import type { ParsedScript } from '../../skill/package/parsedScript.js';
import { beginningOf } from './sandbox/foundProgram.js';
import { findOutside } from './sandbox/sandboxTools.js';

/** What scripts are parsed with. */
export interface ScriptParserParts {
  /** The sandbox that parsers run in, or why there is none, as a sentence. Asked once for each text. */
  readonly sandbox: (signal: AbortSignal) => Promise<Programs | string>;
  /** Folders that no parser is taken from: a workspace could bring one of its own. */
  readonly closed: readonly string[];
  /** The PATH by which parsers are looked for. */
  readonly searched: string | undefined;
}

const timeLimitMs = 20_000; // a start takes a fraction of a second where the machine has time for it
const outputLimitBytes = 100_000;
const longestText = 300_000; // characters; a script that is longer is data, or made by a program

/**
 * Parses with the programs that would run a script, told to read and not to run it, in the sandbox: without network, with
 * nothing of the person's environment but a PATH, the text as their input. Each text is parsed once.
 */
export function createScriptParser({ sandbox, closed, searched }: ScriptParserParts): ScriptParser {
  const known = new Map<string, ParsedScript>();
  const found = new Map<string, Promise<string | undefined>>();
  const programOf = (name: string): Promise<string | undefined> => {
    const place = found.get(name) ?? programNamed(name, searched, closed);
    found.set(name, place);
    return place;
  };
  /** What parses a language here, in the order in which it is asked; or why nothing does. */
  const readersOf = async (language: ForeignLanguage): Promise<readonly Reader[] | string> => {
    const readers: Reader[] = [];
    for (const { program, ...reading } of programs[language]) {
      const command = program === 'node' ? process.execPath : await programOf(program);
      if (command === undefined) return `${program} is not installed here.`;
      readers.push({ ...reading, command });
    }
    return readers;
  };
  return {
    async lacks(language, signal) {
      const readers = await readersOf(language);
      const inside = typeof readers === 'string' ? readers : await sandbox(signal);
      return typeof inside === 'string' ? inside : undefined;
    },
    async parse(language, text, signal) {
      signal.throwIfAborted();
      const key = `${language} ${sha256(text)}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const readers = await readersOf(language);
      if (typeof readers === 'string') return unparsed(readers);
      const inside = await sandbox(signal);
      if (typeof inside === 'string') return unparsed(inside);
      const parsed = await readBy(readers, text, (request) => inside.run(request, signal));
      if (parsed !== notStarted) known.set(key, parsed); // the next one may find the sandbox at work again
      return parsed;
    },
  };
}

/** A program that reads a text without running it, and how it says what it found. */
interface Reader extends Pick<ProgramRequest, 'command' | 'arguments'> {
  readonly told: (exited: ExitedRun) => ParsedScript;
}

type ExitedRun = Extract<Awaited<ReturnType<Programs['run']>>, { kind: 'exited' }>;

/** All of them must be able to read it. */
async function readBy(readers: readonly Reader[], text: string, run: Run): Promise<ParsedScript> {
  if (text.length > longestText) return unparsed('It is too long.');
  for (const reader of readers) {
    const parsed = await readOnce(reader, text, run);
    if (parsed.kind !== 'parses') return parsed;
  }
  return { kind: 'parses' };
}

type Run = (request: ProgramRequest) => ReturnType<Programs['run']>;

async function readOnce({ command, arguments: words, told }: Reader, text: string, run: Run): Promise<ParsedScript> {
  const limits = { timeLimitMs, outputLimitBytes };
  // In the editor the Node that runs us is Electron, which is told to be nothing else.
  const environment = { PATH: '/usr/bin:/bin', ...(command === process.execPath ? { ELECTRON_RUN_AS_NODE: '1' } : {}) };
  const result = await run({ command, arguments: words, folder: undefined, input: text, environment, ...limits });
  switch (result.kind) {
    case 'timed-out':
      return unparsed(`Its parser took more than ${timeLimitMs / 1000} s.`);
    case 'output-too-large':
      return unparsed('Its parser found too much wrong with it.');
    case 'not-started':
      return notStarted;
    case 'exited':
      return result.told === undefined ? told(result) : unparsed('Its parser took more than it may.');
  }
}

function unparsed(reason: string): ParsedScript {
  return { kind: 'unparsed', reason };
}

const notStarted = unparsed('Its parser could not be started.');
const ended = unparsed('Its parser ended without a result.');

/** Compiles what it reads and runs nothing of it; warnings are no faults. */
const pythonReads = `
import sys
try:
    compile(sys.stdin.buffer.read(), "script", "exec", 0, True)
    told = "parses"
except (SyntaxError, ValueError) as error:
    line = getattr(error, "lineno", None) or 0
    told = "broken\\n%d\\n%s" % (line, getattr(error, "msg", None) or error)
except BaseException:
    told = "unparsed"
sys.stdout.buffer.write(told.encode("utf-8", "backslashreplace"))
`;

const shellReads = ['--norc', '--noprofile', '+H', '-n'];

/**
 * What reads each language, by the name of the program. What a shell of the system takes may be more than POSIX and less
 * than bash, and some pass over an open here-document, of which bash says something: a script for any shell is read by both.
 */
const programs: Readonly<Record<ForeignLanguage, readonly (Omit<Reader, 'command'> & { readonly program: string })[]>> =
  {
    python: [
      {
        program: 'python3',
        arguments: ['-I', '-S', '-B', '-X', 'utf8', '-W', 'ignore', '-c', pythonReads],
        told: toldByPython,
      },
    ],
    bash: [{ program: 'bash', arguments: shellReads, told: toldByShell }],
    sh: [
      { program: 'sh', arguments: ['-n'], told: toldByShell },
      { program: 'bash', arguments: ['--posix', ...shellReads], told: toldByShell },
    ],
    module: [{ program: 'node', arguments: ['--check', '--input-type=module', '-'], told: toldByNode }],
  };

function toldByPython({ code, output }: ExitedRun): ParsedScript {
  if (code !== 0) return ended;
  if (output === 'parses') return { kind: 'parses' };
  const [, line = '', message = ''] = /^broken\n(\d+)\n(.*)$/su.exec(output) ?? [];
  return message === '' ? ended : broken(message, line);
}

/** A shell that has something to say of what it reads would stumble over it: also where it only warns. */
function toldByShell({ code, errorOutput }: ExitedRun): ParsedScript {
  if (code === 0 && errorOutput === '') return { kind: 'parses' };
  const [first = ''] = errorOutput.split('\n');
  const [, line = '', message = ''] = /: (?:line )?(\d+): (.+)$/u.exec(first) ?? [];
  return message === '' || code > lastOfItsOwn ? ended : broken(message, line);
}

const lastOfItsOwn = 2; // beyond it somebody else ended it, or it did not begin

function toldByNode({ code, errorOutput }: ExitedRun): ParsedScript {
  if (code === 0) return { kind: 'parses' };
  const [, message = ''] = /^SyntaxError: (.+)$/mu.exec(errorOutput) ?? [];
  const [, line = ''] = /^[^\n]*:(\d+)\n/u.exec(errorOutput) ?? [];
  return message === '' || code > lastOfItsOwn ? ended : broken(message, line);
}

function broken(message: string, line: string): ParsedScript {
  return Number(line) > 0 ? { kind: 'broken', message, line: Number(line) } : { kind: 'broken', message };
}

/** Version managers put scripts in the place of programs, which look in the person's home for what they start: not those. */
async function programNamed(
  name: string,
  searched: string | undefined,
  closed: readonly string[],
): Promise<string | undefined> {
  return findOutside(name, { searched, closed, isIt: async (file) => !(await beginningOf(file)).startsWith('#!') });
}
