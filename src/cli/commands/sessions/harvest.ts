import type { Command } from 'commander';
import type { SessionSource } from '../../../app/harvest/harvest.js';
import type { UseCases } from '../../../app/useCases.js';
import { UserError } from '../../../errors.js';
import { count } from '../../../wording/amounts.js';
import {
  leftOutWords,
  sendingTakenBackSentence,
  sessionsReadSentence,
  sourceNames,
  unreadSentence,
} from '../../../wording/harvest/sessionWords.js';
import { typedWord } from '../../../wording/shownText.js';
import { english } from '../../../wording/translate.js';
import type { CliContext } from '../../commandLine.js';
import { readSince } from '../../since.js';
import { table } from '../../table.js';
import { oneLine } from '../../terminal.js';
import {
  agreedSources,
  namedSources,
  numberOfSessions,
  passedOverLines,
  placeNamed,
  refuseNone,
  type SessionOptions,
  sourceLine,
  withSessionOptions,
} from './sessionConsent.js';

interface HarvestOptions extends SessionOptions {
  readonly dryRun?: boolean;
  readonly maxSessions?: string;
  readonly trainUnconfirmed?: string;
  readonly forbidSending?: boolean;
}

type HarvestResult = Awaited<ReturnType<UseCases['harvestSessions']>>;

/** `whetstone harvest [folder]`: what would be kept of the person's own sessions with agents. */
export function addHarvest(program: Command, face: CliContext): void {
  withSessionOptions(
    program
      .command('harvest')
      .argument('[folder]', 'sessions of this folder and below it (default: where you are)')
      .description('list what would be kept of your past sessions with agents, without secrets; asks no model'),
  )
    .option('--max-sessions <number>', 'keep no more than the newest of them', '200')
    .option('--dry-run', 'ask and remember nothing: where sessions lie, and what would be kept of those you allowed')
    .option(
      '--forbid-sending',
      'take back that words of your sessions may be sent to models; each is asked about again',
    )
    .option(
      '--train-unconfirmed <on|off>',
      'let nights of the folder learn also from drafts out of your sessions that you have not confirmed; remembered',
    )
    .action(async (folder: string | undefined, options: HarvestOptions) => {
      const useCases = face.open({});
      const folders = [await placeNamed(folder, options, face)];
      refuseContradiction(options);
      const sources = await sourcesFor(useCases, options, face);
      await turnUnconfirmed(useCases, folders, options, face);
      if (options.forbidSending === true) await takeBackSending(useCases, options, face);
      const request = {
        folders,
        sources: namedSources(options),
        since: readSince(options.since, Date.now()),
        caps: { sessions: numberOfSessions(options.maxSessions) },
      };
      const harvest = await useCases.harvestSessions(request, face.signal);
      const trainsUnconfirmed = (await useCases.unconfirmedTraining(folders)) === true;
      if (options.json === true)
        face.terminal.json({ sources, trainsUnconfirmed, ...harvest, sessions: harvest.sessions.map(shown) });
      else {
        const lines = [
          ...sourceLines(sources, options.dryRun === true),
          '',
          ...listed(sources, harvest),
          ...absentLine(sources),
          ...(trainsUnconfirmed && options.trainUnconfirmed === undefined ? switchedOn(folder) : []),
        ];
        face.terminal.out(`${lines.join('\n').trimStart()}\n`);
      }
    });
}

async function sourcesFor(
  useCases: UseCases,
  options: HarvestOptions,
  face: CliContext,
): Promise<readonly SessionSource[]> {
  if (options.dryRun === true) {
    if (saysWhatToRemember(options))
      throw new UserError(
        'usage',
        'A dry run remembers nothing.',
        'Leave out --dry-run, or --allow, --forbid, --forbid-sending and --train-unconfirmed.',
      );
    return useCases.sessionSources(face.signal);
  }
  const sources = await agreedSources(useCases, options, face);
  if (!takesBack(options)) refuseNone('harvest', sources);
  return sources;
}

/** What only takes something back is done whatever may be read. */
function takesBack({ forbid, trainUnconfirmed, forbidSending = false }: HarvestOptions): boolean {
  return forbid.length > 0 || forbidSending || trainUnconfirmed === 'off';
}

function refuseContradiction({ trainUnconfirmed, forbidSending }: HarvestOptions): void {
  if (trainUnconfirmed !== 'on' || forbidSending !== true) return;
  const said = 'Nights that train on unconfirmed drafts send words of your sessions to models.';
  throw new UserError('usage', said, 'Leave out --train-unconfirmed on, or --forbid-sending.');
}

function saysWhatToRemember({ allow, forbid, trainUnconfirmed, forbidSending = false }: HarvestOptions): boolean {
  return allow.length + forbid.length > 0 || trainUnconfirmed !== undefined || forbidSending;
}

async function takeBackSending(
  useCases: UseCases,
  { json }: HarvestOptions,
  { terminal, signal }: CliContext,
): Promise<void> {
  const { nights } = await useCases.forbidSending(signal);
  if (json !== true) terminal.err(`${sendingTakenBackSentence(nights, english)}\n`);
}

/** The person's word, for nights of exactly this folder; nothing is changed where they said none. */
async function turnUnconfirmed(
  useCases: UseCases,
  folders: readonly string[],
  { trainUnconfirmed: word, json }: HarvestOptions,
  { terminal, signal }: CliContext,
): Promise<void> {
  if (word === undefined) return;
  if (word !== 'on' && word !== 'off')
    throw new UserError('usage', `--train-unconfirmed is “on” or “off”, not “${word}”.`, 'Give one of them.');
  await useCases.turnUnconfirmedTraining({ folders, on: word === 'on' }, signal);
  if (json !== true) terminal.err(`${unconfirmedWords[word]}\n`);
}

const unconfirmedWords = {
  on: 'Nights of this folder learn also from drafts out of your sessions that you have not confirmed: these are sent to the models of the night. Only what you confirmed proves anything.',
  off: 'Nights of this folder learn from confirmed tasks alone.',
};

/** Where a session was had may be named with a secret too. */
function shown(session: HarvestResult['sessions'][number]): object {
  const { shownFolders, alsoIn, ...rest } = session;
  const [realFolder, ...others] = shownFolders;
  return { ...rest, realFolder, ...(alsoIn === undefined ? {} : { alsoIn: others }) };
}

function switchedOn(folder: string | undefined): readonly string[] {
  const named = folder === undefined ? '' : `${typedWord(folder)} `;
  return [
    '',
    'Nights of this folder learn also from drafts out of your sessions that you have not confirmed. To end that:',
    `  whetstone harvest ${named}--train-unconfirmed off`,
  ];
}

/** Those that have left something here; the others are named together. */
function sourceLines(sources: readonly SessionSource[], isDry: boolean): readonly string[] {
  const there = sources.filter(({ files }) => files > 0);
  const rows = there.map((source) => [
    source.source,
    source.allowed ? 'may be read' : 'not allowed',
    sourceLine(source),
  ]);
  const isAsked = isDry && there.some(({ allowed }) => !allowed); // else it stood before the questions
  return [...(rows.length === 0 ? [] : [table(rows)]), ...(isAsked ? [sessionsReadSentence(english)] : [])];
}

/** One line for all programs that have left nothing here, with those among them that may be read. */
function absentLine(sources: readonly SessionSource[]): readonly string[] {
  const absent = sources.filter(({ files }) => files === 0);
  const names = absent.map(({ source, allowed }) =>
    allowed ? `${sourceNames[source]} (may be read)` : sourceNames[source],
  );
  return names.length === 0 ? [] : ['', `No sessions here: ${names.join(', ')}.`];
}

/** Nothing is kept of what may not be read, and that says nothing of what is there. */
function listed(sources: readonly SessionSource[], harvest: HarvestResult): readonly string[] {
  if (sources.some(({ allowed }) => allowed)) return harvestLines(harvest);
  const [first] = sources.filter(({ files }) => files > 0);
  if (first === undefined) return ['Nothing was read: no program that is known has left sessions here.'];
  return [
    'Nothing was read: none of them is allowed yet. To allow one:',
    `  whetstone harvest --allow ${first.source}`,
  ];
}

function harvestLines({ sessions, counts, unread }: HarvestResult): readonly string[] {
  const isAnyUsed = sessions.some(({ used }) => used === true);
  const rows = sessions.map(({ source, ended, exchanges, used }) => {
    const skills = [...new Set(exchanges.flatMap((exchange) => exchange.skills))];
    return [
      source,
      ended === undefined ? '' : new Date(ended).toLocaleString(),
      count(exchanges.length, 'message', english),
      ...(isAnyUsed ? [used === true ? 'used before' : ''] : []),
      skills.join(', '),
      `“${preview(exchanges[0]?.asked ?? '')}”`,
    ];
  });
  const left = Object.entries(counts).flatMap(([source, each]) => {
    const words = leftOutWords(each, english);
    return words === '' ? [] : [oneLine(`${nameOf(source)}, left out: ${words}`)];
  });
  const kept = `${count(sessions.length, 'session', english)} would be kept${rows.length === 0 ? '.' : ':'}`;
  const files = unread.map((file) => oneLine(unreadSentence(file, process.versions.node, english)));
  return [kept, ...(rows.length === 0 ? [] : [table(rows)]), ...left, ...files, ...passedOverLines(counts)];
}

function nameOf(source: string): string {
  return new Map(Object.entries(sourceNames)).get(source) ?? source;
}

const longestPreview = 80;

function preview(asked: string): string {
  const line = oneLine(asked);
  return line.length > longestPreview ? `${line.slice(0, longestPreview - 1).trimEnd()}…` : line;
}
