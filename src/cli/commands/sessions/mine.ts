import path from 'node:path';
import type { Command } from 'commander';
import type { UseCases } from '../../../app/useCases.js';
import { UserError } from '../../../errors.js';
import { whileQuiet } from '../../../whileQuiet.js';
import { count } from '../../../wording/amounts.js';
import { emptiedLines, markedLines, sourceName } from '../../../wording/harvest/draftWords.js';
import { exactText } from '../../../wording/shownText.js';
import { english } from '../../../wording/translate.js';
import { openToSpend } from '../../askCosts.js';
import { runCaps, skillRequest, withModelOptions, type CliContext, type ModelOptions } from '../../commandLine.js';
import { confirmSpend, tellSize } from '../../confirmSpend.js';
import { isYes } from '../../consent.js';
import type { FindSkills } from '../../namedSkills.js';
import { waitingLine } from '../../progressLine.js';
import { readSince } from '../../since.js';
import { table } from '../../table.js';
import { oneLine } from '../../terminal.js';
import { agreedSources, namedSources, refuseNone, withSessionOptions, type SessionOptions } from './sessionConsent.js';

interface MineOptions extends SessionOptions, ModelOptions {
  readonly withoutModel?: boolean;
  readonly dryRun?: boolean;
  readonly maxSessions: string;
  readonly skill: readonly string[];
  readonly allowFolder?: boolean;
  readonly yes?: boolean;
}

type Wish = Parameters<UseCases['mineSessions']>[0];
type Mined = Awaited<ReturnType<UseCases['mineSessions']>>;
type Preview = Awaited<ReturnType<UseCases['previewMining']>>;

/** `whetstone mine [folder]`: drafts of tasks out of the person's own sessions with agents. */
export function addMine(program: Command, face: CliContext, findSkills: FindSkills): void {
  withModelOptions(
    withSessionOptions(
      program
        .command('mine')
        .argument('[folder]', 'sessions and skills of this folder and below it (default: where you are)')
        .description('draft tasks for your skills out of your past sessions with agents; confirm the good ones'),
    ),
  )
    .option('--without-model', 'find them by rules alone: nothing is sent and nothing is spent')
    .option('--dry-run', 'show what would be kept, sent and spent; ask no model and keep nothing')
    .option('--max-sessions <number>', 'show a model no more than so many sessions', '20')
    .option('--skill <skill>', 'find tasks for this skill too, which lies elsewhere (repeatable)', collect, [])
    .option('--allow-folder', 'let these skills take tasks from the sessions of the folder; remembered')
    .option('--allow-sending', 'let words of your sessions be sent to the model; remembered for the model')
    .option('--yes', 'begin without asking, whatever it may cost')
    .action(async (folder: string | undefined, options: MineOptions) => {
      const isDry = options.dryRun === true;
      const asksModel = !isDry && options.withoutModel !== true;
      const useCases = asksModel ? await openToSpend(face, options) : face.open(options);
      const wish = await wishOf({ useCases, face, findSkills, isDry }, folder, options);
      const preview = await useCases.previewMining(wish, face.signal);
      if (isDry) return showPreview(preview, options, face);
      if (asksModel && preview.size !== undefined) {
        await useCases.reachModels(face.signal); // nobody is asked about a server that is not there
        await confirmSpend(face, preview.size, options);
      }
      const mined = await shownWaiting(face, (asking) => useCases.mineSessions({ ...wish, asking }, face.signal));
      if (options.json === true) face.terminal.json(mined);
      else face.terminal.out(`${minedLines(mined).join('\n')}\n`);
    });
}

/** A model may take minutes for a session: it is said that it is waited for. */
async function shownWaiting<T>(
  { terminal }: CliContext,
  work: (asking: (sessions: number) => void) => Promise<T>,
): Promise<T> {
  const quiet = whileQuiet();
  let isAsking = false;
  try {
    return await work((sessions) => {
      isAsking = true;
      quiet.from(waitingLine(terminal, count(sessions, 'session', english)));
    });
  } finally {
    quiet.stop();
    if (isAsking && terminal.live) terminal.line('');
  }
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

interface MineParts {
  readonly useCases: UseCases;
  readonly face: CliContext;
  readonly findSkills: FindSkills;
  readonly isDry: boolean;
}

async function wishOf(
  { useCases, face, findSkills, isDry }: MineParts,
  folder: string | undefined,
  options: MineOptions,
): Promise<Wish> {
  const place = path.resolve(face.cwd, folder ?? '.');
  refuseNone(isDry ? await useCases.sessionSources(face.signal) : await agreedSources(useCases, options, face));
  const { sessions } = await useCases.harvestSessions(
    { folders: [place], sources: namedSources(options), since: readSince(options.since, Date.now()), which: 'all' },
    face.signal,
  );
  const here = (await findSkills(place)).map((skillPath) => ({ skillPath, folders: [place] }));
  const elsewhere = await Promise.all(
    options.skill.map(async (named) => {
      const skillPath = path.resolve(face.cwd, named);
      return { skillPath, folders: await foldersOf({ useCases, face, isDry }, { skillPath, folder: place }, options) };
    }),
  );
  return {
    sessions,
    targets: [...here, ...elsewhere].map(({ skillPath, folders }) => ({
      ...skillRequest(face, skillPath, {}),
      folders,
    })),
    by: options.withoutModel === true ? 'rules' : 'model',
    mostSessions: numberOf(options.maxSessions),
    trusted: true,
    caps: runCaps(options),
  };
}

/** The folders whose sessions a skill elsewhere may take: those that the person said yes to, one by one. */
async function foldersOf(
  { useCases, face: { terminal, signal }, isDry }: Omit<MineParts, 'findSkills'>,
  about: Parameters<UseCases['allowSessionFolder']>[0],
  { allowFolder = false }: MineOptions,
): Promise<readonly string[]> {
  const [asked] = await useCases.sessionFolderChoices(about.skillPath, [about.folder]);
  if (isDry || asked?.allowed === true) return useCases.sessionFoldersOf(about.skillPath);
  const question = `May ${about.skillPath} take tasks from your sessions in ${about.folder}? (y/N) `;
  const may = allowFolder || (terminal.ask !== undefined && isYes(await terminal.ask(oneLine(question), signal)));
  if (may) await useCases.allowSessionFolder(about, true, signal);
  return useCases.sessionFoldersOf(about.skillPath);
}

function numberOf(text: string): number {
  if (/^[1-9]\d{0,3}$/u.test(text)) return Number(text);
  throw new UserError(
    'usage',
    `“${text}” is no number of sessions.`,
    'Give a whole number, such as --max-sessions 50.',
  );
}

/** Exactly what was kept of the sessions, and what would be sent of it. */
function showPreview(preview: Preview, options: MineOptions, face: CliContext): void {
  const { size, text, notAsked } = preview;
  if (options.json === true) return face.terminal.json({ ...preview, text: undefined });
  const sent = text === '' ? [] : ['', 'This would be sent:', '', text.trimEnd()];
  const lines = [...resultLines(preview, 'would wait'), ...restLines(notAsked), ...sent];
  face.terminal.out(`${lines.join('\n')}\n`);
  if (size !== undefined) tellSize(face, size);
}

function minedLines(mined: Mined): readonly string[] {
  const { asked, failed, refused, dropped, notAsked } = mined;
  const untaken = Object.values(refused).reduce((sum, number) => sum + number, 0);
  const found = mined.skills.filter(({ drafts }) => drafts.length > 0);
  return [
    ...resultLines(mined, 'wait'),
    ...(asked === 0 ? [] : [`A model was shown ${count(asked, 'session', english)}.`]),
    ...(untaken + dropped === 0
      ? []
      : [`Not taken, for you never said it: ${count(untaken, 'task', english)}, ${dropped} criteria of others.`]),
    ...failed.map(({ source, reason }) => oneLine(`A session with ${sourceName(source)} was not mined: ${reason}`)),
    ...restLines(notAsked),
    ...(found.length === 0
      ? []
      : ['', 'They lie in your own state and count for nothing yet. Look at them and confirm the good ones:']),
    ...found.flatMap(({ skillPath }) => [
      `  whetstone tasks list ${exactText(skillPath)}`,
      `  whetstone tasks confirm ${exactText(skillPath)} <id>...`,
    ]),
  ];
}

function restLines(notAsked: number): readonly string[] {
  return notAsked === 0 ? [] : [`Over the limit, see --max-sessions: ${count(notAsked, 'session', english)}.`];
}

function resultLines(
  { skills, suggestions, notReplayable, emptied }: Pick<Mined, 'skills' | 'suggestions' | 'notReplayable' | 'emptied'>,
  verb: string,
): readonly string[] {
  const drafts = skills.flatMap(({ name, drafts: own }) =>
    own.map(({ task, marks, sessions }) => [
      name,
      task.id,
      count(sessions, 'session', english),
      marks.length === 0 ? '' : 'look twice',
      shortened(task.prompt),
    ]),
  );
  const warnings = new Set(skills.flatMap(({ drafts: own }) => own.flatMap((draft) => markedLines(draft, english))));
  return [
    `${count(drafts.length, 'draft', english)} ${verb} for your word${drafts.length === 0 ? '.' : ':'}`,
    ...(drafts.length === 0 ? [] : [table(drafts)]),
    ...[...warnings].map(oneLine),
    ...emptiedLines(emptied, english),
    ...titled(
      'About files that are not known or gone, so they cannot be attempted again:',
      notReplayable.map(({ source, why, asked }) => [sourceName(source), whyNot[why], shortened(asked)]),
    ),
    ...titled(
      'Asked more than once, and no skill is for it; one could be made (whetstone new):',
      suggestions.map(({ sessions, asked }) => [count(sessions, 'session', english), shortened(asked)]),
    ),
  ];
}

const whyNot: Readonly<Record<Mined['notReplayable'][number]['why'], string>> = {
  'no-commit': 'no commit is told',
  gone: 'its commit is not there',
  elsewhere: 'its repository lies elsewhere',
};

function titled(title: string, rows: readonly (readonly string[])[]): readonly string[] {
  return rows.length === 0 ? [] : ['', title, table(rows)];
}

const longestPrompt = 80;

function shortened(text: string): string {
  const line = oneLine(text);
  return line.length > longestPrompt ? `${line.slice(0, longestPrompt - 1).trimEnd()}…` : line;
}
