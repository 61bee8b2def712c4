import { Argument, type Command } from 'commander';
import { UserError } from '../../errors.js';
import { sandboxSentence } from '../../wording/programs/containment.js';
import type { CliContext } from '../commandLine.js';
import { oneLine } from '../terminal.js';

/** `whetstone sandbox [on|off]`: whether programs of skills are contained on this machine. */
export function addSandbox(program: Command, face: CliContext): void {
  program
    .command('sandbox')
    .addArgument(new Argument('[turn]', 'on or off, for this machine and for you alone').choices(['on', 'off']))
    .description('tell whether programs of skills run in a sandbox on this machine, or turn that on or off')
    .action(async (turn: 'on' | 'off' | undefined) => {
      const useCases = face.open({});
      const state = await (turn === undefined
        ? useCases.sandboxState(face.signal)
        : useCases.turnSandbox(turn === 'on', face.signal));
      face.terminal.out(`${sandboxSentence(state)}\n`);
    });
}

/** `whetstone logins [--forget [program]]`: whose logins may be used, and how that is taken back. */
export function addLogins(program: Command, face: CliContext): void {
  program
    .command('logins')
    .description('list the agent programs whose logins you allowed to be used, or take that back')
    .option('--forget [program]', 'take it back for one of them, such as claude-code, or for all')
    .option('--json', 'print one JSON object instead of text')
    .action(async ({ forget, json }: { readonly forget?: string | true; readonly json?: boolean }) => {
      const useCases = face.open({});
      const allowed = await useCases.allowedLogins();
      const gone = allowed.filter(({ id }) => forget === true || forget === id);
      if (typeof forget === 'string' && gone.length === 0) throw neverAllowed(forget);
      for (const { id } of gone) await useCases.forgetLogin(id, face.signal);
      const kept = allowed.filter((login) => !gone.includes(login));
      const ids = (logins: typeof allowed): readonly string[] => logins.map(({ id }) => id);
      if (json === true) face.terminal.json({ allowed: ids(kept), forgotten: ids(gone) });
      else face.terminal.out(`${[...gone.map(forgotten), ...keptLines(kept)].join('\n')}\n`);
    });
}

function forgotten({ label }: { readonly label: string }): string {
  return `Your login to ${label} is no longer used.`;
}

function keptLines(kept: readonly { readonly id: string; readonly label: string }[]): readonly string[] {
  if (kept.length === 0) return ['You have allowed no login yet.'];
  return kept.map(({ id, label }) => `${id}: your login to ${label} may be used.`);
}

function neverAllowed(name: string): UserError {
  const what = oneLine(`There is no agent program “${name}” whose login may be used.`);
  return new UserError('usage', what, '“whetstone logins” lists those that may.');
}
