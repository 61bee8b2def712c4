import { english as say } from './translate.js';

/** Where a person reads a cure. */
type Face = 'editor' | 'terminal';

/**
 * A cure that knows both faces, in the words of one: a window names its command, a terminal what is typed there. What no
 * row tells apart is said as it is.
 */
export function ownCure(cure: string, face: Face): string {
  for (const { both, ...own } of cures) {
    const found = both.exec(cure);
    if (found !== null) return own[face](found[1] ?? '', found[2] ?? '');
  }
  return cure;
}

/** The same in a text that ends with a cure, as results of a night keep it. */
export function withOwnCure(text: string, face: Face): string {
  for (const { index } of text.matchAll(/(?<=[.!?]) /gu)) {
    const cure = text.slice(index + 1);
    const own = ownCure(cure, face);
    if (own !== cure) return `${text.slice(0, index)} ${own}`;
  }
  return text;
}

interface FacedCure extends Readonly<Record<Face, (name: string, more: string) => string>> {
  /** The cure as it is thrown, with at most two places. */
  readonly both: RegExp;
}

const cures: readonly FacedCure[] = [
  {
    both: /^Look at what would be sent \(on the command line with --dry-run\), then allow it \(--allow-sending\), or mine without a model\.$/,
    editor: () => say('Look at what would be sent, then allow it, or mine without a model.'),
    terminal: () => 'Look at what would be sent with --dry-run, then give --allow-sending, or --without-model.',
  },
  {
    both: /^Allow it \(“Choose Which Agent Sessions May Be Read”, on the command line “whetstone harvest --allow (\S+)”\), then try again\.$/,
    editor: () => say('Allow it with “Whetstone: Choose Which Agent Sessions May Be Read”, then try again.'),
    terminal: (source) => `Allow it with “whetstone harvest --allow ${source}”, then try again.`,
  },
  {
    both: /^Run “Whetstone: Choose Model”, or give --model on the command line(?: \(.*\))?\.$/,
    editor: () => say('Run “Whetstone: Choose Model” first.'),
    terminal: () => 'Give --model, or set WHETSTONE_MODEL (“simulated” needs no key and costs nothing).',
  },
  {
    both: /^Run “Whetstone: Set API Key”, or set (\S+)\.$/,
    editor: () => say('Run “Whetstone: Set API Key”.'),
    terminal: (name) => `Set ${name} in the environment.`,
  },
  {
    both: /^Run “Whetstone: Set API Key”\.$/,
    editor: () => say('Run “Whetstone: Set API Key”.'),
    terminal: () => 'Set the key of its provider in the environment; “whetstone doctor” names the variable.',
  },
  {
    both: /^Choose the model once more with “Whetstone: Choose Model” and allow it \(--allow-login on the command line\), or set an API key\.$/,
    editor: () => say('Choose the model once more with “Whetstone: Choose Model” and allow it, or set an API key.'),
    terminal: () => 'Add --allow-login, or set an API key.',
  },
  {
    both: /^Draft some \(“Draft Tasks”, in a terminal “(.+)”\), or write evals\/evals\.json by hand\.$/,
    editor: () => say('Draft some, take them from your sessions with agents, or write evals/evals.json by hand.'),
    terminal: (draft) =>
      `Draft some with “${draft}”, find some in your sessions with “${draft.replace('tasks draft', 'mine')}”, or write evals/evals.json by hand.`,
  },
  {
    both: /^Choose one as the target \((.+?)\), or the simulated model to try it: .* \(in a terminal (“.+”)\)\.$/,
    editor: (programs) =>
      say(
        'Choose one as the target ({0}), or the simulated model to try it: a scripted agent of Whetstone works on them then. Or disable the tasks.',
        programs,
      ),
    terminal: (programs, command) => {
      const [first = '', ...others] = programs.split(', ');
      return `Give one, such as with --target ${first} (${others.join(', ')} do it too), or --target simulated to try it: a scripted agent of Whetstone works on them then. Or leave the tasks out: ${command}.`;
    },
  },
  {
    both: /^Choose (\S+) as the target, or the simulated model to try it; or take “program” out .* \(in a terminal (“.+”)\)\.$/,
    editor: (program) =>
      say('Choose {0} as the target, or the simulated model to try it; or take “program” out of the tasks.', program),
    terminal: (program, command) =>
      `Give --target ${program}, or --target simulated to try it; or take “program” out of the tasks, or leave them out: ${command}.`,
  },
  {
    both: /^Look at the drafts and confirm those that are good \(in a terminal (“.+”), then (“.+”)\)\.$/,
    editor: () => say('Look at the drafts and confirm those that are good.'),
    terminal: (list, confirm) =>
      `Look at the drafts: ${list}, and at one of them: ${confirm.replace(' confirm ', ' show ').replace('...', '')}. Confirm those that are good: ${confirm}.`,
  },
  {
    both: /^Look at it, then allow it \(on the command line with (--[a-z-]+)\), or delete it\.$/,
    editor: () => say('Look at it, then allow it, or delete it.'),
    terminal: (option) => `Look at it, then allow it with ${option}, or delete it.`,
  },
  {
    both: /^Look at what would run, then start the run again and allow it \(--allow-programs on the command line\)\.$/,
    editor: () => say('Look at what would run, then start the run again and allow it.'),
    terminal: () =>
      'Look at what would run, then run “whetstone evaluate” or “whetstone optimize” once with --allow-programs.',
  },
  {
    both: /^Take it out; or look at these files and allow them as they are now, with “(.+)”\.$/,
    editor: () => say('Take it out; or look at these files and allow them as they are now.'),
    terminal: (words) => `Take it out; or look at these files and allow them as they are now: “${words}”.`,
  },
  {
    both: /^Correct the files in evals, then run again\. /,
    editor: () => say('Correct the files in evals, then run again. The view “Problems” lists what is wrong.'),
    terminal: () => 'Correct the files in evals, then run again. “whetstone tasks list” shows every problem.',
  },
  {
    both: /^Correct the file and import it again\. /,
    editor: () => say('Correct the file and import it again.'),
    terminal: () =>
      'Correct the file and import it again; “whetstone tasks import --help” shows an example of each format.',
  },
  {
    both: /^Have it written \(“New Skill”, in a terminal “(.+)”\)\.$/,
    editor: () => say('Have it written with “New Skill”.'),
    terminal: (words) => `Have it written: “${words}”.`,
  },
  {
    both: /^Run “whetstone check --update”, or restore the file\.$/,
    editor: () => say('Run “Whetstone: Record the Score for CI”, or restore the file.'),
    terminal: () => 'Run “whetstone check --update”, or restore the file.',
  },
];
