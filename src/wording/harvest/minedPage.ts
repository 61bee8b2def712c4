import { count } from '../amounts.js';
import { visibleText } from '../shownText.js';
import type { Say } from '../translate.js';
import { sourceName } from './draftWords.js';
import { quoted } from './keptText.js';
import { notReplayableWords, type ToldNotReplayable } from './notReplayable.js';

/** What a person is listed of looking through sessions, beside the drafts. */
export interface MinedPage {
  /** What came of it, in sentences. */
  readonly said: readonly string[];
  readonly notReplayable: readonly (ToldNotReplayable & { readonly source: string; readonly asked: string })[];
  readonly suggestions: readonly SuggestedTask[];
}

interface SuggestedTask {
  readonly asked: string;
  readonly sessions: number;
  readonly corrected: number;
}

/** All that no draft was made of, each with its reason, and all that a skill could be made of. */
export function minedPage({ said, notReplayable, suggestions }: MinedPage, say: Say): string {
  const lines = [
    `# ${say('What was found in your sessions')}`,
    '',
    ...said.map((line) => `- ${visibleText(line)}`),
    ...(notReplayable.length === 0 ? [] : ['', `## ${say('No draft was made: nobody could attempt it again')}`]),
    ...notReplayable.flatMap((each) => [
      '',
      visibleText(`${sourceName(each.source)}: ${notReplayableWords(each, say)}.`),
      ...quoted(each.asked),
    ]),
    ...(suggestions.length === 0 ? [] : ['', `## ${say('Asked more than once, and no skill is for it')}`]),
    ...suggestions.flatMap((each) => ['', suggestedLine(each, say), ...quoted(each.asked)]),
  ];
  return `${lines.join('\n')}\n`;
}

function suggestedLine({ sessions, corrected }: SuggestedTask, say: Say): string {
  const asked = say('Asked in {0}.', count(sessions, 'session', say));
  if (corrected === 0) return asked;
  const wrong =
    corrected === 1
      ? say('Once you were not content with the answer.')
      : say('{0} times you were not content with the answer.', corrected);
  return `${asked} ${wrong}`;
}
