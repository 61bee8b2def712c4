import { placeholdersIn } from '../../skill/edits/secretText.js';
import { count, list } from '../amounts.js';
import type { Say } from '../translate.js';
import { sourceNames } from './sessionWords.js';

/** What is told of a draft that came out of a session. */
export interface ToldDraft {
  readonly source: string;
  /** Where the same was asked in several programs. */
  readonly sources?: readonly string[] | undefined;
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
  const { source, sources = [source], sessions, corrected, by, skillBy } = draft;
  const programs = list(sources.map(sourceName), say);
  return [
    ...markedLines(draft, say),
    sessions < 2
      ? say('Out of a session with {0}.', programs)
      : say('Out of your sessions with {0}: asked in {1}.', programs, count(sessions, 'session', say)),
    ...(corrected ? [say('You were not content with an answer to it at first.')] : []),
    skillBy === 'fired'
      ? say('The skill was loaded for it, or for requests like it.')
      : say('The skill was not loaded for it: it is the nearest by its words.'),
    ...(by === 'model' ? [say('A model chose what is expected of an answer; what you did not say was left out.')] : []),
  ];
}

/** A task as far as it is told who attempts it, and whether something was taken out of it. */
export interface NoticedTask {
  readonly prompt: string;
  readonly expectations: readonly string[];
  readonly environment: string;
}

/** What is to be seen of a draft at a glance; none where it is like most. */
export function draftTags(task: NoticedTask, say: Say): readonly string[] {
  return [
    ...(task.environment === 'agent' ? [say('for an agent')] : []),
    ...(removedFrom(task).length === 0 ? [] : [say('secret removed')]),
  ];
}

/** The same in sentences, for whoever is about to confirm it. */
export function noticeLines(task: NoticedTask, say: Say): readonly string[] {
  const removed = removedFrom(task);
  return [
    ...(task.environment === 'agent'
      ? [
          say(
            'It is for an agent: an agent program, such as Claude Code, attempts it in a copy of its repository. A chat model does not.',
          ),
        ]
      : []),
    ...(removed.length === 0
      ? []
      : [
          say(
            'A secret was taken out of it: {0} stands in its place. Look whether the task still says what you meant.',
            list(removed, say),
          ),
        ]),
  ];
}

/** What stands in it for secrets. */
export function removedFrom({ prompt, expectations }: Omit<NoticedTask, 'environment'>): readonly string[] {
  return placeholdersIn([prompt, ...expectations].join('\n'));
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
