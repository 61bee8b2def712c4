import type { Command } from 'commander';
import type { UseCases } from '../../../app/useCases.js';
import { UserError } from '../../../errors.js';
import { isInside } from '../../../isInside.js';
import { whileQuiet } from '../../../whileQuiet.js';
import { count } from '../../../wording/amounts.js';
import { unreadSentence } from '../../../wording/harvest/sessionWords.js';
import { exactText, typedWord } from '../../../wording/shownText.js';
import { english } from '../../../wording/translate.js';
import { askCosts } from '../../askCosts.js';
import { runCaps, skillRequest, withModelOptions, type CliContext, type ModelOptions } from '../../commandLine.js';
import { confirmSpend, tellSize } from '../../confirmSpend.js';
import { isYes } from '../../consent.js';
import type { FindSkills } from '../../namedSkills.js';
import { waitingLine } from '../../progress/progressLine.js';
import { readSince, sinceWords } from '../../since.js';
import { oneLine } from '../../terminal.js';
import { minedPlace, type MinedPlace } from './minedPlace.js';
import { minedLines, restLines, resultLines } from './minedText.js';
import {
  agreedSources,
  namedSources,
  notAllowedLines,
  passedOverLines,
  refuseNone,
  refuseToRemember,
  withSessionOptions,
  type SessionOptions,
} from './sessionConsent.js';

interface MineOptions extends SessionOptions, ModelOptions {
  readonly withoutModel?: boolean;
  readonly dryRun?: boolean;
  readonly maxSessions: string;
  readonly skill: readonly string[];
  readonly allowFolder?: boolean;
  readonly forbidFolder?: boolean;
  readonly yes?: boolean;
}

type Wish = Parameters<UseCases['mineSessions']>[0];
type Preview = Awaited<ReturnType<UseCases['previewMining']>>;

/** `whetstone mine [place]`: drafts of tasks out of the person's own sessions with agents. */
export function addMine(program: Command, face: CliContext, findSkills: FindSkills): void {
  withModelOptions(
    withSessionOptions(
      program
        .command('mine')
        .argument(
          '[place]',
          'a skill, by name or path; or a folder with sessions and skills (default: where you are, all skills below)',
        )
        .description('draft tasks for your skills out of your past sessions with agents; confirm the good ones'),
    ),
  )
    .option('--without-model', 'find them by rules alone: nothing is sent and nothing is spent')
    .option('--dry-run', 'show what would be kept, sent and spent; ask no model and keep nothing')
    .option('--max-sessions <number>', 'show a model no more than so many sessions', '20')
    .option(
      '--skill <skill>',
      'find tasks for this skill alone, by name or path, here or elsewhere (repeatable)',
      collect,
      [],
    )
    .option('--allow-folder', 'let a skill elsewhere take tasks from the sessions of the folder; remembered')
    .option('--forbid-folder', 'take that back')
    .option('--allow-sending', 'let words of your sessions be sent to the model; remembered for the model')
    .option('--yes', 'begin without asking, whatever it may cost')
    .action(async (given: string | undefined, options: MineOptions) => {
      const isDry = options.dryRun === true;
      const asksModel = !isDry && options.withoutModel !== true;
      const place = await minedPlace(given, options, face);
      const useCases = face.open(options);
      const { wish, found, harvest } = await wishOf({ useCases, face, findSkills, isDry }, place, options);
      const { preview, unsaid } = await previewOf(useCases, wish, { isDry, face });
      if (preview.unreadable.length > 0) face.exit(1); // the others are mined all the same
      if (isDry) return showPreview(preview, { harvest, found: [...found, ...unsaid] }, options, face);
      if (asksModel && preview.size !== undefined) await agreed(useCases, wish, { face, options, preview });
      const mined = await shownWaiting(face, (asking) => useCases.mineSessions({ ...wish, asking }, face.signal));
      if (options.json === true) face.terminal.json({ ...mined, ...harvest, notes: found });
      else face.terminal.out(`${[...found, ...minedLines(mined, face.cwd)].join('\n')}\n`);
      if (mined.failed.length > 0 && mined.skills.every(({ drafts }) => drafts.length === 0)) face.exit(1);
    });
}

/** That words may be sent comes first: before that yes nothing goes to the server, not even whether it is there. */
async function agreed(
  useCases: UseCases,
  wish: Wish,
  { face, options, preview }: { readonly face: CliContext; readonly options: MineOptions; readonly preview: Preview },
): Promise<void> {
  await useCases.agreeToSend(preview.requests.length, face.signal);
  await askCosts(useCases, face, options);
  await useCases.reachModels(face.signal); // nobody is asked about the price of a server that is not there
  const { size } = await useCases.previewMining(wish, face.signal);
  if (size !== undefined) await confirmSpend(face, size, options);
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

interface PreviewWithGaps {
  readonly preview: Preview;
  /** What it cannot tell, and why. */
  readonly unsaid: readonly string[];
}

/** A dry run asks nobody: without a model, or a key for it, it still tells what would be kept. */
async function previewOf(
  useCases: UseCases,
  wish: Wish,
  { isDry, face }: { readonly isDry: boolean; readonly face: CliContext },
): Promise<PreviewWithGaps> {
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

/** What is to be known of what was read. */
interface SessionFindings {
  /** In sentences: what is missing, may not be read, or was not. */
  readonly found: readonly string[];
  readonly harvest: Pick<Awaited<ReturnType<UseCases['harvestSessions']>>, 'counts' | 'unread'>;
}

interface MineParts {
  readonly useCases: UseCases;
  readonly face: CliContext;
  readonly findSkills: FindSkills;
  readonly isDry: boolean;
}

async function wishOf(
  { useCases, face, findSkills, isDry }: MineParts,
  { folder, named }: MinedPlace,
  options: MineOptions,
): Promise<SessionFindings & { readonly wish: Wish }> {
  const sources = isDry ? await useCases.sessionSources(face.signal) : await agreedSources(useCases, options, face);
  if (isDry) refuseToRemember(sources, options);
  refuseNone('mine', sources);
  const { sessions, counts, unread } = await useCases.harvestSessions(
    { folders: [folder], sources: namedSources(options), since: readSince(options.since, Date.now()) },
    face.signal,
  );
  const here = await findSkills(folder);
  const wanted = named.length === 0 ? here : named;
  const targets = await Promise.all(
    wanted.map(async (skillPath) => ({
      ...skillRequest(face, skillPath, {}),
      folders: isInside(folder, skillPath)
        ? [folder]
        : await foldersNow({ useCases, face, isDry }, { skillPath, folder }, options),
    })),
  );
  const found = [
    ...(targets.length === 0 ? [noSkill(folder)] : []),
    ...(sessions.length === 0 ? [noSession(folder, options)] : []),
    ...targets.filter(({ folders }) => folders.length === 0).map(({ skillPath }) => noFolder(skillPath, folder)),
    ...notAllowedLines('mine', sources, options),
    ...unread.map((file) => oneLine(unreadSentence(file, process.versions.node, english))),
    ...passedOverLines(counts),
  ];
  const wish: Wish = {
    sessions,
    targets,
    beside: here.filter((skillPath) => !wanted.includes(skillPath)),
    by: options.withoutModel === true ? 'rules' : 'model',
    mostSessions: numberOf(options.maxSessions),
    trusted: true,
    caps: runCaps(options),
  };
  return { wish, found, harvest: { counts, unread } };
}

function noSkill(place: string): string {
  return `No skill was found in ${exactText(place)}: make one (whetstone new), go where your skills are, or name one with --skill.`;
}

function noFolder(skillPath: string, place: string): string {
  return oneLine(
    `${exactText(skillPath)} takes no task from your sessions in ${exactText(place)} without your word: --allow-folder gives it.`,
  );
}

function noSession(place: string, { since }: MineOptions): string {
  return `No session of ${exactText(place)} was found ${oneLine(sinceWords(since))}: --since looks further back, and “whetstone harvest” says what was left out.`;
}

/** The folders whose sessions a skill elsewhere may take: those that the person said yes to, one by one. */
function foldersNow(
  parts: Omit<MineParts, 'findSkills'>,
  about: Parameters<UseCases['allowSessionFolder']>[0],
  options: MineOptions,
): Promise<readonly string[]> {
  return options.forbidFolder === true ? foldersWithout(about, parts) : foldersWith(parts, about, options);
}

async function foldersWith(
  { useCases, face: { terminal, signal }, isDry }: Omit<MineParts, 'findSkills'>,
  about: Parameters<UseCases['allowSessionFolder']>[0],
  { allowFolder = false }: MineOptions,
): Promise<readonly string[]> {
  const [asked] = await useCases.sessionFolderChoices(about.skillPath, [about.folder]);
  const isAllowed = asked?.allowed === true;
  if (isDry && allowFolder && !isAllowed) throw folderNotRemembered(about);
  if (!isDry && !isAllowed && (allowFolder || (await agreesToFolder(about, terminal, signal))))
    await useCases.allowSessionFolder(about, true, signal);
  return useCases.sessionFoldersOf(about.skillPath);
}

/** Those that are left once the yes for one is taken back; a dry run only leaves it out. */
async function foldersWithout(
  about: Parameters<UseCases['allowSessionFolder']>[0],
  { useCases, face, isDry }: Omit<MineParts, 'findSkills'>,
): Promise<readonly string[]> {
  if (!isDry) await useCases.allowSessionFolder(about, false, face.signal);
  const allowed = await useCases.sessionFoldersOf(about.skillPath);
  return allowed.filter((folder) => !isInside(folder, about.folder));
}

async function agreesToFolder(
  { skillPath, folder }: Parameters<UseCases['allowSessionFolder']>[0],
  { ask }: CliContext['terminal'],
  signal: AbortSignal,
): Promise<boolean> {
  const question = `May ${skillPath} take tasks from your sessions in ${folder}? (y/N) `;
  return ask !== undefined && isYes(await ask(oneLine(question), signal));
}

function folderNotRemembered({ skillPath }: { readonly skillPath: string }): UserError {
  return new UserError(
    'usage',
    'A dry run remembers nothing, so it cannot allow the folder.',
    `First “whetstone mine --skill ${typedWord(skillPath)} --allow-folder --without-model”, or leave out --dry-run.`,
  );
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
function showPreview(
  preview: Preview,
  { found, harvest }: SessionFindings,
  options: MineOptions,
  face: CliContext,
): void {
  const { size, text } = preview;
  if (options.json === true) return face.terminal.json({ ...preview, text: undefined, ...harvest, notes: found });
  const sent = text === '' ? [] : ['', 'This would be sent:', '', text.trimEnd()];
  const lines = [...found, ...resultLines(preview, true), ...restLines(preview), ...sent];
  face.terminal.out(`${lines.join('\n')}\n`);
  if (size !== undefined) tellSize(face, size);
}
