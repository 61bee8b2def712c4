import { createTwoFilesPatch } from 'diff';
import type { PreferencesToAllow, PromptToAllow, SendingQuestion } from '../app/world.js';
import type { ProgramQuestion } from '../ports/programs.js';
import { changedLine, containmentSentences, reachLine } from '../wording/programs/containment.js';
import { exactText } from '../wording/shownText.js';
import { oneLine, type Terminal } from './terminal.js';

/** What the person allowed with this command. */
export interface Consent {
  readonly allowPrograms?: boolean | undefined;
  readonly allowPrompts?: boolean | undefined;
  readonly allowPreferences?: boolean | undefined;
  readonly allowLogin?: boolean | undefined;
  readonly allowSending?: boolean | undefined;
}

/**
 * Consent on a command line: a flag says yes, and what it was about is shown. About programs and a login, which are looked at
 * before a run begins, a person at the terminal is asked; nobody is in the middle of a run.
 */
export function consentBy(
  { allowPrograms = false, allowPrompts = false, allowPreferences = false, allowLogin = false, allowSending }: Consent,
  terminal: Pick<Terminal, 'err' | 'ask'>,
): {
  readonly consent: {
    allows(question: ProgramQuestion, signal: AbortSignal): Promise<boolean>;
  };
  readonly allowsPrompt: (prompt: PromptToAllow) => Promise<boolean>;
  readonly allowsPreferences: (preferences: PreferencesToAllow) => Promise<boolean>;
  readonly allowsLogin: (label: string, signal: AbortSignal) => Promise<boolean>;
  readonly allowsSending: (question: SendingQuestion, signal: AbortSignal) => Promise<boolean>;
} {
  return {
    consent: {
      async allows(question, signal) {
        if (!allowPrograms && terminal.ask !== undefined) return askedAboutProgram(question, terminal, signal);
        const { contained, command, place, more } = programText(question);
        terminal.err(
          allowPrograms
            ? `Allowed from now on, as it is: ${command}. ${contained}\n`
            : `Not allowed to run: ${command}. Look at it${place}, then add --allow-programs once. ${contained}\n`,
        );
        for (const line of more) terminal.err(`${line}\n`);
        return allowPrograms;
      },
    },
    async allowsPrompt(prompt) {
      terminal.err(`${promptChange(prompt)}\n`);
      if (allowPrompts) terminal.err(`Allowed from now on, as it is: ${exactText(prompt.path)}\n`);
      return allowPrompts;
    },
    async allowsPreferences({ source, text }) {
      terminal.err(`${exactText(source)}:\n\n${text.trim()}\n\n`);
      if (allowPreferences) terminal.err(`Allowed from now on, as it is: ${exactText(source)}\n`);
      return allowPreferences;
    },
    async allowsLogin(label, signal) {
      const allowed = allowLogin || (await askedAboutLogin(label, terminal, signal));
      terminal.err(
        allowed ? `Your login to ${label} may be used from now on. ${loginForgotten}\n` : loginUnused(label),
      );
      return allowed;
    },
    allowsSending: async (question, signal) => mayBeSent({ ...question, said: allowSending }, terminal, signal),
  };
}

async function mayBeSent(
  { model, address, sessions, said = false }: SendingQuestion & { readonly said: boolean | undefined },
  { ask, err }: Pick<Terminal, 'ask' | 'err'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (said) err(`${oneLine(`Words of your sessions may be sent to ${model} at ${address} from now on.`)}\n`);
  if (said || ask === undefined) return said;
  const what = `what you asked in ${sessions} of your sessions, and how the answers began, without secrets`;
  return isYes(
    await ask(
      oneLine(`May ${what}, be sent to ${model} at ${address}? Asked once for this model.`) + ' (y/N) ',
      signal,
    ),
  );
}

async function askedAboutLogin(label: string, { ask }: Pick<Terminal, 'ask'>, signal: AbortSignal): Promise<boolean> {
  if (ask === undefined) return false;
  return isYes(await ask(`May your login to ${label} be used? ${loginUse} (y/N) `, signal));
}

async function askedAboutProgram(
  question: ProgramQuestion,
  { ask, err }: Pick<Terminal, 'ask' | 'err'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { contained, command, place, more } = programText(question);
  err(`A task needs this program: ${command}. You can look at it${place}. ${contained}\n`);
  for (const line of more) err(`${line}\n`);
  const allowed = ask !== undefined && isYes(await ask('May it run, as it is now, from now on? (y/N) ', signal));
  if (!allowed) err(`Not allowed to run: ${command}.\n`);
  return allowed;
}

/** Whether a person at the terminal said yes; anything else is no. */
export function isYes(answer: string): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer);
}

/** What a person is told of a program. */
function programText(question: ProgramQuestion): {
  readonly contained: string;
  readonly command: string;
  readonly place: string;
  readonly more: readonly string[];
} {
  const { what, shown = what, folder, unbound = [] } = question;
  return {
    contained: containmentSentences(question).join(' '),
    command: exactText(shown),
    place: folder === undefined ? '' : ` in ${oneLine(folder)}`,
    more: [
      changedLine(question),
      reachLine(question),
      unbound.length === 0 ? '' : `Not looked at again: ${oneLine(unbound.join(' '))}`,
    ].filter((line) => line !== ''),
  };
}

const loginForgotten = '“whetstone logins --forget” takes that back.';

function loginUnused(label: string): string {
  return `Your login to ${label} is not used without your word: add --allow-login once. ${loginUse}\n`;
}

const loginUse =
  'Each answer is a start of the program with its tools off, in an empty folder; it is handed its own access token, nothing else, and calls are taken from your plan.';

const farthestDiff = 1_000; // lines; a prompt that differs by more is shown whole

/** What a prompt of the workspace changes, as a patch against the one that ships. */
function promptChange({ path, text, shipped }: PromptToAllow): string {
  const options = { context: 2, maxEditLength: farthestDiff };
  return createTwoFilesPatch('as it ships', exactText(path), shipped, text, undefined, undefined, options) ?? text;
}
