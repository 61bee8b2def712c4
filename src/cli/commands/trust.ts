import { Argument, type Command } from 'commander';
import type { UseCases } from '../../app/useCases.js';
import { nameOfFile, UserError, type FileWithSecrets } from '../../errors.js';
import { count, list } from '../../wording/amounts.js';
import { sandboxSentence, throwAwaySentence, throwAwayWarning } from '../../wording/programs/containment.js';
import {
  fixedScriptsSentences,
  scriptEditsSentence,
  unparsedLanguagesSentence,
} from '../../wording/programs/scriptEdits.js';
import { exactText } from '../../wording/shownText.js';
import { english, t } from '../../wording/translate.js';
import { skillRequest, type CliContext } from '../commandLine.js';
import { isYes } from '../consent.js';
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

/** `whetstone machine [throw-away|lasting]`: whether agents may work here without a sandbox. */
export function addMachine(program: Command, face: CliContext): void {
  program
    .command('machine')
    .addArgument(new Argument('[kind]', 'what this machine is, for you alone').choices(['throw-away', 'lasting']))
    .description(
      'tell whether this machine is one that is thrown away, where agents may work without a sandbox, or say it',
    )
    .option('--yes', 'declare it one that is thrown away without asking')
    .action(async (kind: 'throw-away' | 'lasting' | undefined, { yes = false }: { readonly yes?: boolean }) => {
      const useCases = face.open({});
      const already = await useCases.isThrowAwayMachine();
      const wanted = kind === undefined ? already : kind === 'throw-away';
      if (wanted && !already) await confirmThrowAway(yes, face);
      if (wanted !== already) await useCases.declareThrowAwayMachine(wanted, face.signal);
      face.terminal.out(`${throwAwaySentence(wanted)}\n`);
    });
}

async function confirmThrowAway(yes: boolean, { terminal, signal }: CliContext): Promise<void> {
  terminal.err(`${throwAwayWarning()}\n`);
  if (yes) return;
  const answer = await terminal.ask?.('Is this machine thrown away? (y/N) ', signal);
  if (answer !== undefined && isYes(answer)) return;
  const cure =
    answer === undefined ? 'If it is, add --yes.' : 'Nothing changed. Without a sandbox no agent works on a task here.';
  throw new UserError('usage', 'This machine was not declared one that is thrown away.', cure);
}

/** `whetstone scripts [on|off]`: whether edits may change scripts of skills, and which of them. */
export function addScripts(program: Command, face: CliContext): void {
  program
    .command('scripts')
    .addArgument(new Argument('[turn]', 'on or off, for this machine and for you alone').choices(['on', 'off']))
    .description('tell whether edits may change scripts of skills that agents run, and which, or turn that on or off')
    .option('--skill <skill>', 'list the scripts of a skill that edits may change, and why not the others')
    .option('--root <folder>', 'the workspace that the skill belongs to')
    .action(async (turn: 'on' | 'off' | undefined, options: { readonly skill?: string; readonly root?: string }) => {
      const useCases = face.open({});
      if (turn !== undefined) await useCases.allowScriptEdits(turn === 'on', face.signal);
      const on = await useCases.mayEditScripts();
      const { skill } = options;
      const asked = skill === undefined ? undefined : skillRequest(face, skill, options);
      const more = on || asked !== undefined ? await scriptLines(useCases, asked, face.signal) : [];
      face.terminal.out(`${[scriptEditsSentence(on), ...more].map(oneLine).join('\n')}\n`);
    });
}

/** What can be parsed on this machine; of a skill, which of its scripts. */
async function scriptLines(
  useCases: ReturnType<CliContext['open']>,
  asked: ReturnType<typeof skillRequest> | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (asked === undefined)
    return [...(await useCases.unparsedLanguages(signal))].map(([reason, languages]) =>
      unparsedLanguagesSentence(languages, reason),
    );
  const { editable, fixed } = await useCases.scriptsOfSkill(asked, signal);
  const names = Object.keys(editable);
  const none = fixed.length === 0 ? ['It has no script that an edit could change.'] : [];
  const open = names.length === 0 ? none : [`Edits could change ${names.join(', ')}.`];
  return [...open, ...fixedScriptsSentences(fixed, english)];
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

/** `whetstone secrets <skill> [--allow]`: what agents would be given that looks like a secret. */
export function addSecrets(program: Command, face: CliContext): void {
  program
    .command('secrets')
    .argument('<skill>', 'a SKILL.md, or the folder that holds one')
    .description('list files with what looks like a secret that agents would be given, or allow them as they are')
    .option('--allow', 'let agents have exactly these files from now on')
    .option('--root <folder>', 'the workspace that the skill belongs to')
    .action(async (skill: string, options: { readonly allow?: true; readonly root?: string }) => {
      const { allow } = options;
      const request = { ...skillRequest(face, skill, options), allowing: allow === true };
      const useCases = face.open({});
      const searched = await useCases.searchedForSecrets(request, face.signal);
      const found = await useCases.agentSecrets(request, face.signal);
      const lines = [searchedText(searched), ...secretLines(found, { allowed: allow === true, skill })];
      face.terminal.out(`${(searched.folders.length === 0 ? lines.slice(0, 1) : lines).join('\n')}\n`);
    });
}

/** Which folders agents of the skill are given. */
function searchedText({ skillName, folders }: Awaited<ReturnType<UseCases['searchedForSecrets']>>): string {
  if (folders.length === 0)
    return oneLine(`${skillName}: no task is for an agent, so nothing of it is given to one and nothing was searched.`);
  const named = folders.map(
    ({ fixture, files }) =>
      `${fixture === undefined ? 'the package of the skill' : `the fixture ${fixture}`} (${count(files, 'file', t)})`,
  );
  return oneLine(`${skillName}: searched what an agent is given: ${list(named, t)}.`);
}

/** What was found and where, never its value, and how to go on. */
function secretLines(
  { files, allowedBefore }: Awaited<ReturnType<UseCases['agentSecrets']>>,
  { allowed, skill }: { readonly allowed: boolean; readonly skill: string },
): readonly string[] {
  if (files.length === 0)
    return [`Nothing there looks like a secret${allowedBefore === 0 ? '' : ', but for what you allowed'}.`];
  const lines = listedFiles(files);
  if (allowed) return ['Allowed as they are now, on this machine:', ...lines, 'You are asked again when one changes.'];
  return [
    'This looks like a secret, and no agent program works on the tasks while it is there:',
    ...lines,
    'Take it out of the file; or, where an agent may have it, let it have exactly these contents:',
    `  whetstone secrets ${exactText(skill)} --allow`,
  ];
}

const mostListed = 100; // the same content may lie in thousands of places

function listedFiles(files: readonly FileWithSecrets[]): readonly string[] {
  const shown = files.slice(0, mostListed);
  const lines = shown.map((each) => `  ${oneLine(`${nameOfFile(each)}, line ${each.line}: ${each.kinds.join(', ')}`)}`);
  return files.length === shown.length ? lines : [...lines, `  … and ${files.length - shown.length} more`];
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
