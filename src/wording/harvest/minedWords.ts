import type { UnreadFile } from '../../harvest/harvested.js';
import type { Say } from '../translate.js';
import { emptiedLines } from './draftWords.js';
import { unreadLines } from './sessionWords.js';

/** What came of looking through sessions for a skill. */
interface ToldMining {
  readonly drafts: number;
  /** Of them, or of those that were known, what rules made where a model was asked in vain. */
  readonly madeByRules: number;
  /** Requests about files that nobody can attempt again. */
  readonly files: number;
  /** Requests that no skill is for. */
  readonly unplaced: number;
  readonly emptied: number;
  /** What came up more than once, and no skill is for. */
  readonly asked: readonly string[];
  readonly minedBefore: number;
  readonly partlyShown: number;
  readonly pushedOut: number;
  readonly unread: readonly UnreadFile[];
}

/** The same in sentences, what waits first. `node` is the version that read. */
export function minedSentences(told: ToldMining, node: string, say: Say): readonly string[] {
  return [
    waitingSentence(told.drafts, say),
    ...madeByRulesLines(told.madeByRules, say),
    ...pushedOutLines(told.pushedOut, say),
    ...minedBeforeLines(told.minedBefore, say),
    ...partlyShownLines(told.partlyShown, say),
    ...notReplayableLines(told.files, say),
    ...emptiedLines(told.emptied, say),
    ...unplacedLines(told.unplaced, say),
    ...suggestedLines(told.asked, say),
    ...unreadLines(told.unread, node, say),
  ];
}

/** That there was nothing to look through; where files were not read, there may be. */
export function noSessionSentences(
  { days, unread }: { readonly days: number; readonly unread: readonly UnreadFile[] },
  node: string,
  say: Say,
): readonly string[] {
  const none =
    unread.length === 0
      ? say('None of your sessions of the last {0} days that may be read was had in these folders.', days)
      : say('None of your sessions of the last {0} days that could be read was had in these folders.', days);
  return [none, ...unreadLines(unread, node, say)];
}

function waitingSentence(drafts: number, say: Say): string {
  if (drafts === 0) return say('No new draft was made of your sessions.');
  return drafts === 1
    ? say('1 draft out of your sessions waits for you.')
    : say('{0} drafts out of your sessions wait for you.', drafts);
}

function notReplayableLines(files: number, say: Say): readonly string[] {
  if (files === 0) return [];
  return [
    files === 1
      ? say('No draft was made of 1 request: it was worked on with files that are not known or gone.')
      : say('No drafts were made of {0} requests: they were worked on with files that are not known or gone.', files),
  ];
}

function suggestedLines([first, ...others]: readonly string[], say: Say): readonly string[] {
  if (first === undefined) return [];
  return [
    say('Asked more than once, and no skill is for it: {0}', first),
    ...(others.length === 0
      ? []
      : [
          others.length === 1
            ? say('1 more such request is in the list.')
            : say('{0} more such requests are in the list.', others.length),
        ]),
  ];
}

/** Requests that were asked once and that no skill is for; none where there are none. */
export function unplacedLines(requests: number, say: Say): readonly string[] {
  if (requests === 0) return [];
  return [
    requests === 1
      ? say('1 more request fits no skill here: none was loaded for it, and none is near by its words.')
      : say('{0} more requests fit no skill here: none was loaded for them, and none is near by its words.', requests),
  ];
}

/** Requests that rules made drafts of, for a model that was asked about them gave nothing; none where there are none. */
export function madeByRulesLines(requests: number, say: Say): readonly string[] {
  if (requests === 0) return [];
  return [
    requests === 1
      ? say('For 1 request the reply of the model held nothing that stands on your words: rules made a draft of it.')
      : say(
          'For {0} requests the reply of the model held nothing that stands on your words: rules made drafts of them.',
          requests,
        ),
  ];
}

/** Drafts that nobody will see any more; none where there are none. */
export function pushedOutLines(drafts: number, say: Say): readonly string[] {
  if (drafts === 0) return [];
  return [
    drafts === 1
      ? say('1 older draft was dropped for them: more wait than are kept. Confirm or delete some.')
      : say('{0} older drafts were dropped for them: more wait than are kept. Confirm or delete some.', drafts),
  ];
}

/** Sessions that nothing was looked for in again; none where there are none. */
export function minedBeforeLines(sessions: number, say: Say): readonly string[] {
  if (sessions === 0) return [];
  return [
    sessions === 1
      ? say('1 session was mined before, and is not mined again until it goes on.')
      : say('{0} sessions were mined before, and are not mined again until they go on.', sessions),
  ];
}

/** Sessions of which a model was not shown every request; none where there are none. */
export function partlyShownLines(sessions: number, say: Say): readonly string[] {
  if (sessions === 0) return [];
  return [
    sessions === 1
      ? say('1 session holds more requests than a model is shown at once: draft tasks again for the others.')
      : say(
          '{0} sessions hold more requests than a model is shown at once: draft tasks again for the others.',
          sessions,
        ),
  ];
}
