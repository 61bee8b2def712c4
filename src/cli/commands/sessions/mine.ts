import path from 'node:path';
import type { Command } from 'commander';
import type { UseCases } from '../../../app/useCases.js';
import { UserError } from '../../../errors.js';
import { whileQuiet } from '../../../whileQuiet.js';
import { count } from '../../../wording/amounts.js';
import { unreadSentence } from '../../../wording/harvest/sessionWords.js';
import { exactText } from '../../../wording/shownText.js';
import { english } from '../../../wording/translate.js';
import { openToSpend } from '../../askCosts.js';
import { runCaps, skillRequest, withModelOptions, type CliContext, type ModelOptions } from '../../commandLine.js';
import { confirmSpend, tellSize } from '../../confirmSpend.js';
import { isYes } from '../../consent.js';
import type { FindSkills } from '../../namedSkills.js';
import { waitingLine } from '../../progressLine.js';
import { readSince } from '../../since.js';
import { oneLine } from '../../terminal.js';
import { minedLines, restLines, resultLines } from './minedText.js';
import {
  agreedSources,
  namedSources,
  passedOverLines,
  placeNamed,
  refuseNone,
  withSessionOptions,
  type SessionOptions,
} from './sessionConsent.js';

interface MineOptions extends SessionOptions, ModelOptions {
  readonly withoutModel?: boolean;
  readonly dryRun?: boolean;
  readonly maxSessions: string;
  readonly skill: readonly string[];
  readonly allowFolder?: boolean;
  readonly yes?: boolean;
}

type Wish = Parameters<UseCases['mineSessions']>[0];
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
      const place = await placeNamed(folder, options, face);
      const useCases = asksModel ? await openToSpend(face, options) : face.open(options);
      const { wish, found } = await wishOf({ useCases, face, findSkills, isDry }, place, options);
      const { preview, unsaid } = await previewOf(useCases, wish, { isDry, face });
      if (isDry) return showPreview(preview, [...found, ...unsaid], options, face);
      if (asksModel && preview.size !== undefined) {
        await useCases.reachModels(face.signal); // nobody is asked about a server that is not there
        await confirmSpend(face, preview.size, options);
      }
      const mined = await shownWaiting(face, (asking) => useCases.mineSessions({ ...wish, asking }, face.signal));
      if (options.json === true) face.terminal.json(mined);
      else face.terminal.out(`${[...found, ...minedLines(mined, wish)].join('\n')}\n`);
      if (mined.failed.length > 0 && mined.skills.every(({ drafts }) => drafts.length === 0)) face.exit(1);
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

interface Previewed {
  readonly preview: Preview;
  /** What it cannot tell, and why. */
  readonly unsaid: readonly string[];
}

/** A dry run asks nobody: without a model, or a key for it, it still tells what would be kept. */
async function previewOf(
  useCases: UseCases,
  wish: Wish,
  { isDry, face }: { readonly isDry: boolean; readonly face: CliContext },
): Promise<Previewed> {
  try {
    return { preview: await useCases.previewMining(wish, face.signal), unsaid: [] };
  } catch (error) {
    const isModel = error instanceof UserError && ['model-not-chosen', 'model-key-missing'].includes(error.code);
    if (!isDry || !isModel) throw error;
    const preview = await useCases.previewMining({ ...wish, by: 'rules' }, face.signal);
    const why = `What a model would be sent, and what that costs, is not told: ${error.message}`;
    return { preview, unsaid: [oneLine(`${why} ${error.cure} With --without-model nothing is sent.`)] };
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
  place: string,
  options: MineOptions,
): Promise<{ readonly wish: Wish; readonly found: readonly string[] }> {
  refuseNone(isDry ? await useCases.sessionSources(face.signal) : await agreedSources(useCases, options, face));
  const { sessions, counts, unread } = await useCases.harvestSessions(
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
  const targets = [...here, ...elsewhere].map(({ skillPath, folders }) => ({
    ...skillRequest(face, skillPath, {}),
    folders,
  }));
  const found = [
    ...(targets.length === 0 ? [noSkill(place)] : []),
    ...(sessions.length === 0 ? [noSession(place, options)] : []),
    ...unread.map((file) => oneLine(unreadSentence(file, process.versions.node, english))),
    ...passedOverLines(counts),
  ];
  const wish: Wish = {
    sessions,
    targets,
    by: options.withoutModel === true ? 'rules' : 'model',
    mostSessions: numberOf(options.maxSessions),
    trusted: true,
    caps: runCaps(options),
  };
  return { wish, found };
}

function noSkill(place: string): string {
  return `No skill was found in ${exactText(place)}: make one (whetstone new), go where your skills are, or name one with --skill.`;
}

function noSession(place: string, { since }: MineOptions): string {
  return `No session of ${exactText(place)} was found since ${oneLine(since)}: --since looks further back, and “whetstone harvest” says what was left out.`;
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
function showPreview(preview: Preview, found: readonly string[], options: MineOptions, face: CliContext): void {
  const { size, text, notAsked } = preview;
  if (options.json === true) return face.terminal.json({ ...preview, text: undefined });
  const sent = text === '' ? [] : ['', 'This would be sent:', '', text.trimEnd()];
  const lines = [...found, ...resultLines(preview, true), ...restLines(notAsked), ...sent];
  face.terminal.out(`${lines.join('\n')}\n`);
  if (size !== undefined) tellSize(face, size);
}
