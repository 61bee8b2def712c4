import { count, list } from '../amounts.js';
import type { Say } from '../translate.js';
import { sourceNames } from './sessionWords.js';

/** What is told of a draft that came out of a session. */
export interface ToldDraft {
  readonly source: string;
  readonly sessions: number;
  readonly corrected: boolean;
  readonly by: 'rules' | 'model';
  readonly marks: readonly string[];
  readonly skillBy: 'fired' | 'near';
}

/** How the program is called; one of a version to come by its id. */
export function sourceName(source: string): string {
  return new Map(Object.entries(sourceNames)).get(source) ?? source;
}

/** Where a draft comes from, and what is to be known before it is confirmed; the warning first. */
export function draftLines(draft: ToldDraft, say: Say): readonly string[] {
  const { source, sessions, corrected, by, skillBy } = draft;
  return [
    ...markedLines(draft, say),
    sessions < 2
      ? say('Out of a session with {0}.', sourceName(source))
      : say('Out of your sessions with {0}: asked in {1}.', sourceName(source), count(sessions, 'session', say)),
    ...(corrected ? [say('You were not content with an answer to it at first.')] : []),
    skillBy === 'fired'
      ? say('The skill was loaded for it.')
      : say('The skill was not loaded for it: it is the nearest by its words.'),
    ...(by === 'model' ? [say('A model put it into words; what you did not say was left out.')] : []),
  ];
}

/** Why a draft is not to be trusted; none where nothing speaks against it. */
export function markedLines({ marks }: Pick<ToldDraft, 'marks'>, say: Say): readonly string[] {
  if (marks.length === 0) return [];
  const known = markWords(say);
  const words = marks.map((mark) => known.get(mark) ?? mark);
  return [
    say('Look twice: it, or its session, carries text that {0}. It is never confirmed with others.', list(words, say)),
  ];
}

/** What a draft asks for that nothing calls for; none where there is no such thing. */
export function doubtLines(words: readonly string[] | undefined, say: Say): readonly string[] {
  if (words === undefined || words.length === 0) return [];
  const quoted = words.map((word) => `“${word}”`);
  return [
    say(
      'Look twice: an answer must have {0}, which neither the request nor the skill asks for. It is never confirmed with others.',
      list(quoted, say),
    ),
  ];
}

/** Messages that no draft was made of; none where there are none. */
export function emptiedLines(messages: number, say: Say): readonly string[] {
  if (messages === 0) return [];
  return [
    messages === 1
      ? say('1 message was little more than a secret, so no draft was made of it.')
      : say('{0} messages were little more than a secret, so no drafts were made of them.', messages),
  ];
}

/** What came of looking through sessions for a skill. */
interface ToldMining {
  readonly drafts: number;
  /** Requests about files that nobody can attempt again. */
  readonly files: number;
  readonly emptied: number;
  /** What came up more than once, and no skill is for. */
  readonly asked: string | undefined;
}

/** The same in sentences, what waits first. */
export function minedSentences({ drafts, files, emptied, asked }: ToldMining, say: Say): readonly string[] {
  return [
    drafts === 1
      ? say('1 draft out of your sessions waits for you.')
      : say('{0} drafts out of your sessions wait for you.', drafts),
    ...(files === 0
      ? []
      : [
          files === 1
            ? say('1 more is about files that are not known or gone.')
            : say('{0} more are about files that are not known or gone.', files),
        ]),
    ...emptiedLines(emptied, say),
    ...(asked === undefined ? [] : [say('Asked more than once, and no skill is for it: {0}', asked)]),
  ];
}

/** Who is asked about sessions, and why about fewer than were read. */
export function askedLines(
  {
    asked,
    read,
    most,
    model,
  }: { readonly asked: number; readonly read: number; readonly most: number; readonly model: string },
  say: Say,
): readonly string[] {
  return [
    model.startsWith('simulated')
      ? say('Asked is {0}: nothing leaves this machine.', model)
      : say('Asked is {0}.', model),
    ...(asked >= read
      ? []
      : [
          say(
            '{0} sessions were read. The others hold no request that could be a task of this skill, were used before, or come the next time: at most {1} at once.',
            read,
            most,
          ),
        ]),
  ];
}

/** Once for each time that drafts out of sessions are confirmed. */
export function committedSentence(say: Say): string {
  return say('What you confirm is written to evals/, which is usually committed: others may read it.');
}

function markWords(say: Say): ReadonlyMap<string, string> {
  return new Map([
    ['overrides', say('sets aside what was said before')],
    ['to-grader', say('wants a verdict')],
    ['to-optimizer', say('wants a line in a skill')],
    ['to-miner', say('wants a task or a check')],
    ['as-system', say('speaks in the name of the system')],
    ['closes-fence', say('could end a quotation')],
    ['reply', say('looks like the reply of a model')],
    ['unseen', say('nobody sees')],
  ]);
}
