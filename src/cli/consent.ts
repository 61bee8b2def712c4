import { createTwoFilesPatch } from 'diff';
import type { PreferencesToAllow, PromptToAllow } from '../app/world.js';
import type { ProgramQuestion } from '../ports/programs.js';
import { containmentSentences } from '../wording/programs/containment.js';
import { exactText } from '../wording/shownText.js';
import { oneLine, type Terminal } from './terminal.js';

/** What the person allowed with this command. */
export interface Allowed {
  readonly allowPrograms?: boolean | undefined;
  readonly allowPrompts?: boolean | undefined;
  readonly allowPreferences?: boolean | undefined;
  readonly allowLogin?: boolean | undefined;
}

/**
 * Consent on a command line: nobody is asked in the middle of a run; a flag says yes, and what it was about is shown. About
 * a login, which is looked at before a run begins, a person at the terminal is asked.
 */
export function consentBy(
  { allowPrograms = false, allowPrompts = false, allowPreferences = false, allowLogin = false }: Allowed,
  terminal: Pick<Terminal, 'err' | 'ask'>,
): {
  readonly consent: {
    allows(question: ProgramQuestion): Promise<boolean>;
  };
  readonly allowsPrompt: (prompt: PromptToAllow) => Promise<boolean>;
  readonly allowsPreferences: (preferences: PreferencesToAllow) => Promise<boolean>;
  readonly allowsLogin: (label: string, signal: AbortSignal) => Promise<boolean>;
} {
  return {
    consent: {
      async allows(question) {
        const { what, shown = what, folder, unbound = [] } = question;
        const contained = containmentSentences(question).join(' ');
        const command = exactText(shown);
        const place = folder === undefined ? '' : ` in ${oneLine(folder)}`;
        terminal.err(
          allowPrograms
            ? `Allowed from now on, as it is: ${command}. ${contained}\n`
            : `Not allowed to run: ${command}. Look at it${place}, then add --allow-programs once. ${contained}\n`,
        );
        if (unbound.length > 0) terminal.err(`Not looked at again: ${oneLine(unbound.join(' '))}\n`);
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
  };
}

async function askedAboutLogin(label: string, { ask }: Pick<Terminal, 'ask'>, signal: AbortSignal): Promise<boolean> {
  if (ask === undefined) return false;
  const answer = await ask(`May your login to ${label} be used? ${loginUse} (y/N) `, signal);
  return /^\s*y(?:es)?\s*$/i.test(answer);
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
