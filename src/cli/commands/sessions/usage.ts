import type { Command } from 'commander';
import type { UseCases } from '../../../app/useCases.js';
import { count, grouped } from '../../../wording/amounts.js';
import { unreadSentence } from '../../../wording/harvest/sessionWords.js';
import { english } from '../../../wording/translate.js';
import type { CliContext } from '../../commandLine.js';
import type { FindSkills } from '../../namedSkills.js';
import { readSince } from '../../since.js';
import { table } from '../../table.js';
import { oneLine } from '../../terminal.js';
import {
  agreedSources,
  namedSources,
  placeNamed,
  refuseNone,
  type SessionOptions,
  withSessionOptions,
} from './sessionConsent.js';

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
  ).action(async (folder: string | undefined, options: SessionOptions) => {
    const useCases = face.open({});
    const place = await placeNamed(folder, options, face);
    refuseNone(await agreedSources(useCases, options, face));
    const request = {
      folders: [place],
      skills: await findSkills(place),
      sources: namedSources(options),
      since: readSince(options.since, Date.now()),
    };
    const usage = await useCases.skillUsage(request, face.signal);
    if (options.json === true) face.terminal.json(usage);
    else face.terminal.out(`${usageLines(usage).join('\n')}\n`);
  });
}

function usageLines({ skills, others, sessions, messages, unread }: Usage): readonly string[] {
  const read = `${count(sessions, 'session', english)} with ${count(messages, 'message', english)}.`;
  const rows = skills.map(({ name, place, fired, corrected, tokens, sharesName }) => [
    sharesName ? `${name} *` : name,
    place === 'home' ? 'your home' : 'here',
    fired === 0 ? 'never' : grouped(fired),
    corrected === 0 ? '' : grouped(corrected),
    grouped(tokens.listed),
    grouped(tokens.body),
    grouped(tokens.aMessage),
  ]);
  const head = ['skill', 'where', 'used', 'corrected', 'tokens listed', 'when used', 'a message'];
  const shared = skills.some(({ sharesName }) => sharesName)
    ? ['* Another skill has that name too: which of them was used nobody can tell.']
    : [];
  const unknown = others.map(({ name, fired, corrected }) =>
    oneLine(`${name}: used ${fired}, corrected ${corrected}; none of the skills that were found.`),
  );
  const first = skills.find(({ corrected, place }) => corrected > 0 && place === 'workspace');
  const next = first === undefined ? [] : [oneLine(`Train ${first.name} first: it was used and corrected afterwards.`)];
  const files = unread.map((file) => oneLine(unreadSentence(file, process.versions.node, english)));
  return [read, table([head, ...rows]), ...shared, ...unknown, ...next, ...files];
}
