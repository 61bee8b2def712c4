import { createTwoFilesPatch } from 'diff';
import type { PreferencesToAllow, PromptToAllow } from '../app/world.js';
import { exactText } from '../wording/shownText.js';
import { oneLine, type Terminal } from './terminal.js';

/** What the person allowed with this command. */
export interface Allowed {
  readonly allowPrograms?: boolean | undefined;
  readonly allowPrompts?: boolean | undefined;
  readonly allowPreferences?: boolean | undefined;
}

/** Consent on a command line: nobody is asked in the middle of a run; a flag says yes, and what it was about is shown. */
export function consentBy(
  { allowPrograms = false, allowPrompts = false, allowPreferences = false }: Allowed,
  terminal: Pick<Terminal, 'err'>,
): {
  readonly consent: {
    allows(request: { readonly what: string; readonly folder?: string | undefined }): Promise<boolean>;
  };
  readonly allowsPrompt: (prompt: PromptToAllow) => Promise<boolean>;
  readonly allowsPreferences: (preferences: PreferencesToAllow) => Promise<boolean>;
} {
  return {
    consent: {
      async allows({ what, folder }) {
        const place = folder === undefined ? '' : ` in ${oneLine(folder)}`;
        terminal.err(
          allowPrograms
            ? `Allowed from now on, as it is: ${exactText(what)}\n`
            : `Not allowed to run: ${exactText(what)}. Look at it${place}, then add --allow-programs once.\n`,
        );
        return allowPrograms;
      },
    },
    async allowsPrompt(prompt) {
      terminal.err(`${promptChange(prompt)}\n`);
      if (allowPrompts) terminal.err(`Allowed from now on, as it is: ${prompt.path}\n`);
      return allowPrompts;
    },
    async allowsPreferences({ source, text }) {
      terminal.err(`${source}:\n\n${text.trim()}\n\n`);
      if (allowPreferences) terminal.err(`Allowed from now on, as it is: ${source}\n`);
      return allowPreferences;
    },
  };
}

/** What a prompt of the workspace changes, as a patch against the one that ships. */
function promptChange({ path, text, shipped }: PromptToAllow): string {
  return createTwoFilesPatch('as it ships', path, shipped, text, undefined, undefined, { context: 2 });
}
