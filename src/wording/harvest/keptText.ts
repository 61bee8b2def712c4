import type { Harvest, HarvestedSession } from '../../harvest/harvested.js';
import { count } from '../amounts.js';
import { visibleText } from '../shownText.js';
import type { Say } from '../translate.js';
import { sourceName } from './draftWords.js';
import { leftOutWords, unreadSentence } from './sessionWords.js';

/** How far back was looked, and the Node that looked. */
interface LookBack {
  readonly days: number;
  readonly node: string;
}

/** All that is kept of past sessions, to be read by the person whose they are: every word of it, newest first. */
export function keptText({ sessions, counts, unread }: Harvest, { days, node }: LookBack, say: Say): string {
  const left = Object.entries(counts).flatMap(([source, each]) => {
    const words = leftOutWords(each, say);
    return words === '' ? [] : [say('{0}, left out: {1}', sourceName(source), words)];
  });
  const lines = [
    `# ${say('What is kept of your sessions')}`,
    '',
    say(
      '{0} of the last {1} days. This is all that is kept of them, without secrets. Nothing of it was sent anywhere.',
      count(sessions.length, 'session', say),
      days,
    ),
    ...[...left, ...unread.map((file) => unreadSentence(file, node, say))].map((line) => `- ${visibleText(line)}`),
    ...sessions.flatMap((session) => ['', ...sessionLines(session, say)]),
  ];
  return `${lines.join('\n')}\n`;
}

function sessionLines(
  { source, ended, shownFolders: [folder = ''], git, exchanges, used }: HarvestedSession,
  say: Say,
): readonly string[] {
  const when = ended === undefined ? [] : [new Date(ended).toLocaleString()];
  const where = git.branch === undefined ? folder : `${folder} (${git.branch})`;
  return [
    `## ${[sourceName(source), ...when].join(', ')}`,
    '',
    visibleText(say('Folder: {0}', where)),
    ...(used === true ? [say('Used before: drafts were made of it, or a model was shown it.')] : []),
    ...exchanges.flatMap((exchange) => ['', ...exchangeLines(exchange, say)]),
  ];
}

function exchangeLines(exchange: HarvestedSession['exchanges'][number], say: Say): readonly string[] {
  const { asked, answer, tools, skills, feedback, isCut } = exchange;
  const used = [
    ...(skills.length === 0 ? [] : [say('Skills: {0}', skills.join(', '))]),
    ...(tools.length === 0 ? [] : [say('Tools: {0}', [...new Set(tools)].join(', '))]),
    ...(isCut ? [say('Cut: it was longer.')] : []),
  ];
  return [
    say('You asked:'),
    ...quoted(asked),
    say('The final answer:'),
    ...quoted(answer),
    ...used.map((line) => visibleText(line)),
    ...(feedback === undefined ? [] : [feedbackWords(feedback.tone, say)]),
  ];
}

function feedbackWords(tone: 'positive' | 'negative' | 'mixed', say: Say): string {
  return tone === 'positive' ? say('You were content with it.') : say('You said that something was wrong with it.');
}

const longestQuoted = 20_000; // characters; more than is kept of a text

/** Each line as a quotation, so that no text looks like a part of this one. */
export function quoted(text: string): readonly string[] {
  if (text === '') return ['> –'];
  return visibleText(text, longestQuoted)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd());
}
