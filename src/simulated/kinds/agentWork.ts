import type { Instruction, InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { denies, quotesIn } from '../reading/wording.js';

const runs = /\b(?:run|runs|execute|executes|is run|are run)\b/;
const commandLine =
  /^(?:npm|npx|node|pnpm|yarn|make|git|python3?|pytest|cargo|go|deno|bun|\.\/[\w./-]+)(?: [\w./:=@-]+)+$/;
const touches =
  /\b(?:add|adds|added|record|records|note|notes|write|writes|update|updates|updated|change|changes|changed|edit|edits|append|appends|log|list|keep)\b/;
const fileName = /^(?:[\w.-]+\/)*[\w-]+\.[a-z]{1,5}$/i;
const contains = /\b(?:contains?|with|says?|holding|holds?|mentions?|naming)\b/;

/** `Run `npm test` before you finish`: an agent with a shell runs it. */
export const commands: InstructionKind = {
  name: 'commands of an agent',
  followed:
    'An agent that works in a folder tells the command; no program is started. A model that only answers does nothing with it.',
  otherwise: 'The command is not told.',
  phrasings: [
    'Run `npm test` before you finish.',
    'The command “npm test” is run.',
    'Always run `node check.js` at the end.',
    'Execute `make lint` after every change.',
    'When all is done, run `npm run check`.',
    'Make sure that `git status` is run.',
  ],
  read: (statement) => {
    if (!runs.test(statement.plain) || denies(statement.plain)) return [];
    return quotesIn(statement)
      .filter((quote) => commandLine.test(quote))
      .map(running);
  },
};

function running(command: string): Instruction {
  return {
    slot: `command ${command}`,
    sentence: `Run \`${command}\` before you finish.`,
    opposite: 'Keep the answer to at most 3 words.',
    follow: (plan) => ({ ...plan, commands: [...plan.commands.filter((each) => each !== command), command] }),
    heldBy: ({ answer, toolsCalled }) => answer.includes(command) || toolsCalled.includes(command),
  };
}

/** `Add a line to `CHANGELOG.md``: an agent writes it there. */
export const notedFiles: InstructionKind = {
  name: 'files of an agent',
  followed:
    'An agent that works in a folder adds a line about the task to the file, with the words asked for. A model that only answers does nothing with it.',
  otherwise: 'The file stays as it is.',
  phrasings: [
    'Add a line to `CHANGELOG.md` for every change.',
    'The file “CHANGELOG.md” is changed.',
    'Record each change in `docs/history.md`.',
    'Update `docs/history.md` with a line on what you did.',
    'Note every change in the file `NOTES.md`.',
    'Write a line to `log.txt` when you are done.',
  ],
  read: (statement) => {
    const { plain } = statement;
    const quotes = quotesIn(statement);
    const files = quotes.filter((quote) => fileName.test(quote));
    if (files.length === 0 || !touches.test(plain) || denies(plain) || !isAboutFiles(statement)) return [];
    const words = contains.test(plain) ? quotes.filter((quote) => !files.includes(quote)) : [];
    return files.map((file) => noting(file, words));
  },
};

const replacing = /⟦(\d+)⟧ (?:to|with|into|by) ⟦\d+⟧/;

/** “The answer contains `app.ts`” names a file and changes none; “change “A” to “B”” is a replacement, and no note. */
function isAboutFiles({ plain, quotes }: Statement): boolean {
  const replaced = quotes[Number(replacing.exec(plain)?.[1] ?? -1)];
  return (
    (replaced === undefined || fileName.test(replaced)) &&
    /\bfiles?\b|\b(?:in|into|to|of) (?:the |its |our )?(?:file )?⟦\d+⟧|\b(?:update|edit|change)s? ⟦\d+⟧/.test(plain) &&
    !/\b(?:answer|reply|response|mention|cite)s?\b/.test(plain)
  );
}

function noting(file: string, words: readonly string[]): Instruction {
  const holding = words.length === 0 ? '' : ` with ${words.map((word) => `“${word}”`).join(' and ')}`;
  return {
    // What its lines hold is asked for beside that there are any.
    slot: words.length === 0 ? `file ${file}` : `lines of ${file} ${words.join(' ')}`,
    sentence: `Add a line on each change to \`${file}\`${holding}.`,
    opposite: 'Keep the answer to at most 3 words.',
    follow: (plan) => {
      const before = plan.notes.find((note) => note.file === file)?.words ?? [];
      const others = plan.notes.filter((note) => note.file !== file);
      return { ...plan, notes: [...others, { file, words: [...new Set([...before, ...words])] }] };
    },
    heldBy: ({ answer, toolsCalled }) => answer.includes(file) || toolsCalled.includes(file),
  };
}
