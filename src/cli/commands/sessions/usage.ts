import type { Command } from 'commander';
import type { UseCases } from '../../../app/useCases.js';
import { count, grouped } from '../../../wording/amounts.js';
import { unreadSentence } from '../../../wording/harvest/sessionWords.js';
import { exactText } from '../../../wording/shownText.js';
import { english } from '../../../wording/translate.js';
import type { CliContext } from '../../commandLine.js';
import type { FindSkills } from '../../namedSkills.js';
import { readSince } from '../../since.js';
import { table } from '../../table.js';
import { oneLine } from '../../terminal.js';
import {
  agreedSources,
  namedSources,
  notAllowedLines,
  numberOfSessions,
  placeNamed,
  refuseNone,
  refuseToRemember,
  type SessionOptions,
  usualSince,
  withSessionOptions,
} from './sessionConsent.js';

interface UsageOptions extends SessionOptions {
  readonly dryRun?: boolean;
  readonly maxSessions?: string;
}

type Usage = Awaited<ReturnType<UseCases['skillUsage']>>;

/** `whetstone usage [folder]`: which skills agents used, how often they had to be corrected, and what each costs. */
export function addUsage(program: Command, face: CliContext, findSkills: FindSkills): void {
  withSessionOptions(
    program
      .command('usage')
      .argument('[folder]', 'sessions and skills of this folder and below it (default: where you are)')
      .description(
        'which skills your agents used in past sessions, how often they had to be corrected, what each costs',
      ),
  )
    .option('--max-sessions <number>', 'count no more than the newest of them')
    .option('--dry-run', 'ask and remember nothing, the counts neither')
    .action(async (folder: string | undefined, options: UsageOptions) => {
      const isDry = options.dryRun === true;
      const useCases = face.open({});
      const place = await placeNamed(folder, options, face);
      const mostSessions = numberOfSessions(options.maxSessions);
      const sources = isDry ? await useCases.sessionSources(face.signal) : await agreedSources(useCases, options, face);
      if (isDry) refuseToRemember(sources, options);
      refuseNone('usage', sources);
      const request = {
        folders: [place],
        skills: await findSkills(place),
        sources: namedSources(options),
        since: readSince(options.since, Date.now()),
        mostSessions,
        keeps: !isDry && countsAll(options),
      };
      const usage = await useCases.skillUsage(request, face.signal);
      if (options.json === true) face.terminal.json(usage);
      else {
        const lines = [...usageLines(usage, place), ...notAllowedLines('usage', sources, options)];
        face.terminal.out(`${lines.join('\n')}\n`);
      }
    });
}

/** A window goes by the kept counts: some of the sessions, or of another time, would look there like all of them. */
function countsAll({ source, since, maxSessions }: UsageOptions): boolean {
  return source.length === 0 && since === usualSince && maxSessions === undefined;
}

function usageLines(usage: Usage, folder: string): readonly string[] {
  const { skills, others, sessions, messages, elsewhere, unread } = usage;
  const read = `${count(sessions, 'session', english)} with ${count(messages, 'message', english)}.`;
  const beyond =
    elsewhere === 0
      ? []
      : [`${count(elsewhere, 'session', english)} of other folders that skills of your home may take count for these.`];
  const unknown = others.map((other) =>
    oneLine(`${usedWords(other)}. No skill of that name lies here or in your home.`),
  );
  const first = skills.find(({ corrected, place }) => corrected > 0 && place === 'workspace');
  const next =
    first === undefined
      ? []
      : [oneLine(`Train ${first.name} first: after it was used, you said that something was wrong.`)];
  const files = unread.map((file) => oneLine(unreadSentence(file, process.versions.node, english)));
  return [read, ...beyond, ...skillLines(skills, folder), ...unknown, ...next, ...files];
}

function skillLines(skills: Usage['skills'], folder: string): readonly string[] {
  if (skills.length === 0) return [noSkill(folder)];
  const rows = skills.map(({ name, place, fired, corrected, tokens, sharesName }) => [
    sharesName ? `${name} *` : name,
    place === 'home' ? 'your home' : 'here',
    fired === 0 ? 'never' : grouped(fired),
    corrected === 0 ? '' : grouped(corrected),
    grouped(tokens.listed),
    grouped(tokens.body),
    grouped(tokens.aMessage),
  ]);
  const head = ['skill', 'where', 'used', 'corrected', 'tokens always', 'when used', 'a message'];
  const shared = skills.some(({ sharesName }) => sharesName)
    ? ['* Another skill has that name too: which of them was used nobody can tell.']
    : [];
  return [table([head, ...rows]), tokensSentence, ...shared];
}

function noSkill(folder: string): string {
  return oneLine(
    `No skill lies in ${exactText(folder)} or in your home: make one (whetstone new <folder> --description "…"), or name the folder with your skills (whetstone usage <folder>).`,
  );
}

const tokensSentence =
  'Tokens: its name and description are told to agents with every message, its text each time it is used; the last column is both on average.';

function usedWords({ name, fired, corrected }: Usage['others'][number]): string {
  const used = `${name} was used ${fired === 1 ? 'once' : `${fired} times`}`;
  if (corrected === 0) return used;
  return `${used}, and corrected ${corrected === 1 ? 'once' : `${corrected} times`}`;
}
