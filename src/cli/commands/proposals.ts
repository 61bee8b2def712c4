import path from 'node:path';
import { oneLine } from '../terminal.js';
import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import type { SkillOverview } from '../../app/results/overview.js';
import type { SkillRequest } from '../../app/openSkill.js';
import { skillRequest, type CliContext } from '../commandLine.js';
import { diffText } from '../editText.js';
import type { FindSkills } from '../namedSkills.js';
import { addStatus } from '../skillStatus.js';
import { pendingJson, pendingText } from '../pendingText.js';
import { exactText } from '../../wording/shownText.js';
import { t } from '../../wording/translate.js';
import { headWord } from '../../wording/verdictReport.js';
import { table } from '../table.js';

interface Options {
  readonly json?: boolean;
  readonly root?: string;
}

interface ShowOptions extends Options {
  readonly candidate?: string;
}

interface AdoptOptions extends Options {
  readonly candidate?: string;
  readonly edits?: string;
  readonly madeElsewhere?: boolean;
}

interface RejectOptions extends Options {
  readonly edits?: string;
  readonly reason?: string;
}

interface HistoryOptions extends Options {
  readonly diff?: string;
  readonly restore?: string;
}

type VersionRequest = SkillRequest & { readonly version: string };

const skillArgument = ['<skill>', 'a SKILL.md, or the folder that holds one'] as const;

/** `status`, `show`, `adopt`, `reject`, `undo`, `history`: what happens to a proposal after a run. */
export function addProposalCommands(program: Command, face: CliContext, findSkills: FindSkills): void {
  addStatus(program, face, findSkills);
  for (const add of [addShow, addAdopt, addReject, addUndo, addHistory]) add(program, face);
}

function command(program: Command, name: string): Command {
  return program
    .command(name)
    .option('--json', 'print one JSON object instead of text')
    .option('--root <folder>', 'the folder whose .whetstone holds proposals and runs');
}

function addShow(program: Command, face: CliContext): void {
  command(program, 'show')
    .argument(...skillArgument)
    .option('--candidate <id>', 'another candidate of the proposal, such as C2, with its edits')
    .description('the waiting proposal: verdict, held-out tasks before and after, edits with their reasons')
    .action(async (skill: string, options: ShowOptions) => {
      const pending = await waitingFor(face, skill, options);
      if (pending === undefined) {
        throw new UserError(
          'proposal-missing',
          'No proposal waits for this skill.',
          `Run “whetstone optimize ${skill}”.`,
        );
      }
      print(face, options, pendingJson(pending), () => pendingText(pending, { skill, paint: face.terminal.paint }));
    });
}

async function waitingFor(face: CliContext, skill: string, options: ShowOptions): Promise<SkillOverview['pending']> {
  const [useCases, request, { candidate }] = [face.open({}), skillRequest(face, skill, options), options];
  if (candidate === undefined) return (await useCases.overview(request, face.signal)).pending;
  return useCases.showCandidate({ ...request, candidate }, face.signal);
}

function addAdopt(program: Command, face: CliContext): void {
  command(program, 'adopt')
    .argument(...skillArgument)
    .option('--edits <ids>', 'only these edits, such as E1,E3')
    .option('--candidate <id>', 'another candidate of the proposal, such as C2; not measured unless it was certified')
    .option('--made-elsewhere', 'also a proposal that was not made here, once it was shown')
    .description('write the waiting proposal into the skill, all of it or some edits')
    .action(async (skill: string, options: AdoptOptions) => {
      const { madeElsewhere, candidate } = options;
      const waiting = await showForeign(face, skill, options);
      const edits = namedEdits(options.edits);
      const request = { ...skillRequest(face, skill, options), edits, madeElsewhere, candidate };
      const version = await face.open({}).adopt(request, face.signal);
      const { pending } = await face.open({}).overview(skillRequest(face, skill, options), face.signal);
      const part = version.verdict === 'unmeasured' ? partText(pending, edits) : '';
      print(
        face,
        options,
        version,
        () => `Adopted.${againText(waiting, edits)}${part} “whetstone undo ${exactText(skill)}” takes it back.`,
      );
    });
}

/** The waiting proposal. One that was made elsewhere is put before the person as what it is; without their word for it, that is all. */
async function showForeign(face: CliContext, skill: string, options: AdoptOptions): Promise<SkillOverview['pending']> {
  const { pending } = await face.open({}).overview(skillRequest(face, skill, options), face.signal);
  if (pending === undefined || pending.own) return pending;
  if (options.json !== true) face.terminal.out(`${pendingText(pending, { skill, paint: face.terminal.paint })}\n\n`);
  if (pending.refusal !== undefined) throw pending.refusal;
  if (options.madeElsewhere === true) return pending;
  if (options.json === true) print(face, options, pendingJson(pending), () => '');
  throw new UserError(
    'made-elsewhere',
    'This proposal comes from another machine and was not verified here, so it was shown and not adopted.',
    `Read it. If you want it all the same, run “whetstone adopt ${skill} --made-elsewhere”.`,
  );
}

function addReject(program: Command, face: CliContext): void {
  command(program, 'reject')
    .argument(...skillArgument)
    .option('--edits <ids>', 'only these edits, such as E1,E3; the others stay open')
    .option('--reason <text>', 'why, so that the optimizer does not propose it again')
    .description('put the waiting proposal away, or reject some of its edits')
    .action(async (skill: string, options: RejectOptions) => {
      const edits = namedEdits(options.edits);
      const request = { ...skillRequest(face, skill, options), edits, reason: options.reason };
      await face.open({}).reject(request, face.signal);
      const words =
        edits === undefined
          ? 'The proposal is put away. Its edits will not be proposed again.'
          : `Rejected: ${edits.join(', ')}. The skill is as it was.`;
      print(face, options, { rejected: true, ...(edits === undefined ? {} : { edits }) }, () => words);
    });
}

/** Those of the adopted edits that the person had rejected; without a choice all of them are adopted. */
function againText(waiting: SkillOverview['pending'], edits: readonly string[] | undefined): string {
  const again = Object.entries(waiting?.decisions ?? {}).flatMap(([id, { kind }]) =>
    kind === 'rejected' && (edits === undefined || edits.includes(id)) ? [id] : [],
  );
  if (again.length === 0) return '';
  return ` ${again.join(', ')} ${again.length === 1 ? 'was' : 'were'} rejected before.`;
}

/** Which edits those are is known while the proposal waits; with the last decision it was put away. */
function partText(pending: SkillOverview['pending'], edits: readonly string[] | undefined): string {
  if (edits === undefined) return ' That text was not measured.';
  const taken = Object.entries(pending?.decisions ?? {}).flatMap(([id, { kind }]) => (kind === 'accepted' ? [id] : []));
  const held = pending === undefined ? 'part of the proposal' : taken.join(', ');
  return ` The skill on disk now holds only ${held}: that text was not measured.`;
}

function namedEdits(list: string | undefined): readonly string[] | undefined {
  return list
    ?.split(',')
    .map((id) => id.trim().toUpperCase())
    .filter((id) => id !== '');
}

function addUndo(program: Command, face: CliContext): void {
  command(program, 'undo')
    .argument(...skillArgument)
    .description('take the last adoption back, byte for byte; what was adopted before it stays')
    .action(async (skill: string, options: Options) => {
      const version = await face.open({}).undo(skillRequest(face, skill, options), face.signal);
      const { pending } = await face.open({}).overview(skillRequest(face, skill, options), face.signal);
      const again =
        version.proposedAgain !== undefined
          ? ` ${version.proposedAgain} is the one that is proposed, as before.`
          : pending === undefined
            ? ''
            : ' Its edits can be decided again.';
      const edits = version.takenBack.length === 0 ? '' : `: ${version.takenBack.join(', ')}`;
      print(face, options, version, () => `Undone${edits}. The skill is as it was before that adoption.${again}`);
    });
}

function addHistory(program: Command, face: CliContext): void {
  command(program, 'history')
    .argument(...skillArgument)
    .option('--diff <version>', 'what changed in the skill since that version')
    .option('--restore <version>', 'write that version back into the skill')
    .description('every version that was adopted, newest first')
    .action(async (skill: string, options: HistoryOptions) => {
      const useCases = face.open({});
      const request = skillRequest(face, skill, options);
      if (options.diff !== undefined) return printDiff(face, { ...request, version: options.diff }, options);
      if (options.restore !== undefined) {
        const version = await useCases.restore({ ...request, version: options.restore }, face.signal);
        print(face, options, version, () => `Version ${options.restore} is restored.`);
        return;
      }
      const history = await useCases.history(request);
      print(face, options, history, () => historyText(history));
    });
}

async function printDiff(face: CliContext, request: VersionRequest, options: Options): Promise<void> {
  const { version } = request;
  const changes = await changesSince(face.open({}), request);
  const [first] = changes;
  const json = {
    version,
    before: first?.before,
    after: first?.after,
    ...(changes.length < 2 ? {} : { files: changes }),
  };
  const skill = path.resolve(face.cwd, request.skillPath);
  const folder = skill.endsWith('.md') ? path.dirname(skill) : skill;
  const shown = changes.map(({ file, ...texts }) => changeText(face, { name: nameIn(folder, file), ...texts }));
  print(face, options, json, () => shown.join('\n\n'));
}

interface ChangedFile {
  readonly file: string | undefined;
  readonly before: string;
  readonly after: string;
}

/** The files of a version, and those that it left alone where they changed since. */
async function changesSince(
  useCases: ReturnType<CliContext['open']>,
  request: VersionRequest,
): Promise<readonly ChangedFile[]> {
  const history = await useCases.history(request);
  const own = history.find(({ id }) => id === request.version)?.files ?? [];
  const files = [...new Set([...own, ...history.flatMap((each) => each.files)])];
  const changes: ChangedFile[] = [];
  for (const file of files.length < 2 ? [undefined] : files) {
    const isOwn = file === undefined || own.includes(file);
    const before = await useCases.versionText({ ...request, file, side: 'after' });
    if (before !== undefined) changes.push({ file, before, after: await useCases.textNow({ ...request, file }) });
    else if (isOwn) throw noLongerStored(request.version);
  }
  return changes.filter(({ file, before, after }) => before !== after || file === undefined || own.includes(file));
}

/** A file of the skill by its name in the folder of the skill, as everywhere. */
function nameIn(folder: string, file: string | undefined): string | undefined {
  const name = file === undefined ? undefined : path.relative(folder, file).split(path.sep).join('/');
  return name?.startsWith('../') === true ? file : name;
}

function changeText(
  { terminal }: CliContext,
  { name, before, after }: { readonly name: string | undefined; readonly before: string; readonly after: string },
): string {
  const changed = before === after ? 'Nothing changed since.' : diffText(before, after, terminal.paint);
  return name === undefined ? changed : `${terminal.paint('bold', oneLine(name))}\n${changed}`;
}

function noLongerStored(version: string): UserError {
  return new UserError(
    'nothing-to-undo',
    `The text of version ${version} is no longer stored.`,
    'Look at the history for the others.',
  );
}

/** Every version with what was found of it. */
export function historyText(history: SkillOverview['history']): string {
  if (history.length === 0) return 'Nothing was adopted yet.';
  return table(
    history.map(({ id, at, action, verdict, measured, own }) => [
      id,
      new Date(at).toLocaleString(),
      action,
      verdict === undefined ? '' : headWord(measured ?? { kind: verdict }, t),
      own ? '' : 'from another machine',
    ]),
  );
}

function print(face: CliContext, options: Options, json: unknown, text: () => string): void {
  if (options.json === true) face.terminal.json(json);
  else face.terminal.out(`${text()}\n`);
}
