import type { UseCases } from '../../../app/useCases.js';
import { count, list } from '../../../wording/amounts.js';
import { emptiedLines, markedLines, sourceName } from '../../../wording/harvest/draftWords.js';
import {
  madeByRulesLines,
  minedBeforeLines,
  partlyShownLines,
  pushedOutLines,
  unplacedLines,
} from '../../../wording/harvest/minedWords.js';
import { notReplayableWords } from '../../../wording/harvest/notReplayable.js';
import { typedWord } from '../../../wording/shownText.js';
import { english } from '../../../wording/translate.js';
import { draftMarks, draftNotes } from '../../tasks/draftMarks.js';
import { draftLines } from '../../tasks/nextSteps.js';
import { skillWord } from '../../tasks/skillWord.js';
import { table } from '../../table.js';
import { oneLine } from '../../terminal.js';

type MiningResult = Awaited<ReturnType<UseCases['mineSessions']>>;

/** What came of mining, as a person reads it. */
export function minedLines(mined: MiningResult, cwd: string): readonly string[] {
  const { asked, failed, waitingFor } = mined;
  const found = mined.skills.filter(({ drafts }) => drafts.length > 0);
  const paths = [...new Set([...found.map(({ skillPath }) => skillPath), ...waitingFor])];
  return [
    ...(found.length === 0 ? failedLines(failed) : []),
    ...resultLines(mined, false),
    ...pushedOutLines(mined.pushedOut, english),
    ...(asked === 0 ? [] : [`A model was shown ${count(asked, 'session', english)}.`]),
    ...unsaidLines(mined),
    ...madeByRulesLines(mined.madeByRules, english),
    ...(found.length === 0 ? [] : failedLines(failed)),
    ...restLines(mined),
    ...(paths.length === 0
      ? []
      : ['', 'Drafts lie in your own state and count for nothing yet. Look at them, then confirm the good ones:']),
    ...paths
      .map((skillPath) => skillWord(skillPath, cwd))
      .flatMap((skill) => [`  whetstone tasks list ${typedWord(skill)}`, ...draftLines(skill)]),
  ];
}

/** What a model proposed and the person never said; none where there was no such thing. */
function unsaidLines({ refused, dropped }: Pick<MiningResult, 'refused' | 'dropped'>): readonly string[] {
  const tasks = Object.values(refused).reduce((sum, number) => sum + number, 0);
  return [
    ...(tasks === 0
      ? []
      : [
          tasks === 1
            ? 'The model proposed 1 task that does not stand on your words: it was left out.'
            : `The model proposed ${tasks} tasks that do not stand on your words: they were left out.`,
        ]),
    ...(dropped === 0
      ? []
      : [
          dropped === 1
            ? 'The model wrote 1 criterion that you never stated: it was left out of its draft.'
            : `The model wrote ${dropped} criteria that you never stated: they were left out of their drafts.`,
        ]),
  ];
}

/** One line for each reason, that of most sessions first. */
function failedLines(failed: MiningResult['failed']): readonly string[] {
  const reasons = new Map<string, number>();
  for (const { reason } of failed) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return [...reasons]
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, times]) =>
      oneLine(`${count(times, 'session', english)} ${times === 1 ? 'was' : 'were'} not mined: ${reason}`),
    );
}

/** What a model was not shown, and how it comes to be. */
export function restLines({
  notAsked,
  partlyShown,
}: Pick<MiningResult, 'notAsked' | 'partlyShown'>): readonly string[] {
  const more = notAsked === 1 ? '1 more session was' : `${notAsked} more sessions were`;
  return [
    ...(notAsked === 0 ? [] : [`${more} not shown to the model: --max-sessions sets how many are.`]),
    ...partlyShownLines(partlyShown, english),
  ];
}

export function resultLines(
  { skills, suggestions, notReplayable, unplaced, emptied, waiting, minedBefore, copies, unreadable }: MinedParts,
  isDry: boolean,
): readonly string[] {
  const drafts = skills.flatMap(({ name, drafts: own }) =>
    own.map(({ task, marks, sessions }) => [
      name,
      task.id,
      sessions < 2 ? '' : count(sessions, 'session', english),
      draftMarks(task, marks.length > 0).join(', '),
      shortened(task.prompt),
    ]),
  );
  const warnings = skills.flatMap(({ drafts: own }) =>
    own.flatMap((draft) => markedLines(draft, english).map((line) => `${draft.task.id}: ${line}`)),
  );
  return [
    draftsLine(drafts.length, { waiting, minedBefore, isDry }),
    ...(drafts.length === 0 ? [] : [table(drafts)]),
    ...draftNotes(skills.flatMap(({ drafts: own }) => own.map(({ task }) => task))),
    ...warnings.map(oneLine),
    ...unreadable.map(({ skillPath, reason }) => oneLine(`Nothing was looked for for ${skillPath}: ${reason}`)),
    ...copies.map(copiesLine),
    ...minedBeforeLines(minedBefore, english),
    ...emptiedLines(emptied, english),
    ...titled(
      'No draft was made of these, because nobody could attempt them again:',
      notReplayable.map(({ source, why, files, asked }) => [
        sourceName(source),
        notReplayableWords({ files, why }, english),
        shortened(asked),
      ]),
    ),
    ...unplacedLines(unplaced, english),
    ...titled(
      'Asked more than once, and no skill here is for it. “whetstone new <name>” makes one:',
      suggestions.map(({ sessions, asked }) => [count(sessions, 'session', english), shortened(asked)]),
    ),
  ];
}

type MinedParts = Pick<
  MiningResult,
  | 'skills'
  | 'suggestions'
  | 'notReplayable'
  | 'unplaced'
  | 'emptied'
  | 'waiting'
  | 'minedBefore'
  | 'copies'
  | 'unreadable'
>;

function draftsLine(
  found: number,
  { waiting, minedBefore, isDry }: Pick<MiningResult, 'waiting' | 'minedBefore'> & { readonly isDry: boolean },
): string {
  const more = waiting === 0 ? '' : `${count(waiting, 'draft', english)} already ${waiting === 1 ? 'waits' : 'wait'}`;
  if (found === 0 && more !== '') return `Nothing new; ${more} for your word.`;
  if (found === 0)
    return minedBefore > 0 ? 'Nothing new was found.' : 'No request was found that a task could be made of.';
  const verb = isDry ? 'would wait' : found === 1 ? 'waits' : 'wait';
  return `${count(found, 'draft', english)} ${verb} for your word${more === '' ? '' : ` (${more})`}:`;
}

/** Nobody can tell which of them an agent loaded. */
function copiesLine({ name, chosen, others }: MiningResult['copies'][number]): string {
  const took = `Several skills here are named ${name}. What was found is for ${list(chosen, english)}`;
  const rest = others.length === 0 ? '' : `, nothing for ${list(others, english)}`;
  return oneLine(`${took}${rest}; “whetstone mine <skill>” finds tasks for one of them alone.`);
}

function titled(title: string, rows: readonly (readonly string[])[]): readonly string[] {
  return rows.length === 0 ? [] : ['', title, table(rows)];
}

const longestPrompt = 80;

function shortened(text: string): string {
  const line = oneLine(text);
  return line.length > longestPrompt ? `${line.slice(0, longestPrompt - 1).trimEnd()}…` : line;
}
