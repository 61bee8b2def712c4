import type { UseCases } from '../../../app/useCases.js';
import { count } from '../../../wording/amounts.js';
import { emptiedLines, markedLines, sourceName } from '../../../wording/harvest/draftWords.js';
import { exactText } from '../../../wording/shownText.js';
import { english } from '../../../wording/translate.js';
import { table } from '../../table.js';
import { oneLine } from '../../terminal.js';

type Wish = Parameters<UseCases['mineSessions']>[0];
type Mined = Awaited<ReturnType<UseCases['mineSessions']>>;

/** What came of mining, as a person reads it. */
export function minedLines(mined: Mined, { targets }: Wish): readonly string[] {
  const { asked, failed, refused, dropped, notAsked, waiting } = mined;
  const untaken = Object.values(refused).reduce((sum, number) => sum + number, 0);
  const found = mined.skills.filter(({ drafts }) => drafts.length > 0);
  const listed = found.length === 0 && waiting > 0 ? targets : found;
  return [
    ...(found.length === 0 ? failedLines(failed) : []),
    ...resultLines(mined, false),
    ...(asked === 0 ? [] : [`A model was shown ${count(asked, 'session', english)}.`]),
    ...(untaken + dropped === 0
      ? []
      : [
          `Not taken, for you never said it: ${count(untaken, 'task', english)}, ${dropped === 1 ? '1 criterion' : `${dropped} criteria`} of others.`,
        ]),
    ...(found.length === 0 ? [] : failedLines(failed)),
    ...restLines(notAsked),
    ...(listed.length === 0
      ? []
      : ['', 'They lie in your own state and count for nothing yet. Look at them and confirm the good ones:']),
    ...listed.flatMap(({ skillPath }) => [
      `  whetstone tasks list ${exactText(skillPath)}`,
      `  whetstone tasks confirm ${exactText(skillPath)} <id>...`,
    ]),
  ];
}

/** One line for each reason, that of most sessions first. */
function failedLines(failed: Mined['failed']): readonly string[] {
  const reasons = new Map<string, number>();
  for (const { reason } of failed) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return [...reasons]
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, times]) =>
      oneLine(`${count(times, 'session', english)} ${times === 1 ? 'was' : 'were'} not mined: ${reason}`),
    );
}

export function restLines(notAsked: number): readonly string[] {
  return notAsked === 0 ? [] : [`Over the limit, see --max-sessions: ${count(notAsked, 'session', english)}.`];
}

export function resultLines(
  { skills, suggestions, notReplayable, emptied, waiting }: Told,
  isDry: boolean,
): readonly string[] {
  const drafts = skills.flatMap(({ name, drafts: own }) =>
    own.map(({ task, marks, sessions }) => [
      name,
      task.id,
      sessions < 2 ? '' : count(sessions, 'session', english),
      [...(marks.length === 0 ? [] : ['look twice']), ...(task.environment === 'agent' ? ['for an agent'] : [])].join(
        ', ',
      ),
      shortened(task.prompt),
    ]),
  );
  const warnings = new Set(skills.flatMap(({ drafts: own }) => own.flatMap((draft) => markedLines(draft, english))));
  return [
    draftsLine(drafts.length, waiting, isDry),
    ...(drafts.length === 0 ? [] : [table(drafts)]),
    ...(skills.some(({ drafts: own }) => own.some(({ task }) => task.environment === 'agent')) ? [forAgents] : []),
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

type Told = Pick<Mined, 'skills' | 'suggestions' | 'notReplayable' | 'emptied' | 'waiting'>;

const forAgents =
  'Those for an agent are attempted by an agent program, such as claude-code, in a copy of their repository: a chat model attempts none of them.';

function draftsLine(found: number, before: number, isDry: boolean): string {
  const more = before === 0 ? '' : `${count(before, 'draft', english)} already ${before === 1 ? 'waits' : 'wait'}`;
  if (found === 0) return more === '' ? 'Nothing was found to draft.' : `Nothing new; ${more} for your word.`;
  const verb = isDry ? 'would wait' : found === 1 ? 'waits' : 'wait';
  return `${count(found, 'draft', english)} ${verb} for your word${more === '' ? '' : ` (${more})`}:`;
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
