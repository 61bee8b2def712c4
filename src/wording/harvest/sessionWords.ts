import type { SourceCounts, UnreadFile, WhyNotHarvested } from '../../harvest/harvested.js';
import type { HarvestSource } from '../../harvest/session.js';
import { count } from '../amounts.js';
import type { Say } from '../translate.js';

/** How the programs are called by those who make them. */
export const sourceNames: Readonly<Record<HarvestSource, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'copilot-cli': 'Copilot CLI',
  'gemini-cli': 'Gemini CLI',
  opencode: 'OpenCode',
  'vscode-chat': 'VS Code Copilot Chat',
  'cursor-agent': 'Cursor',
  pi: 'Pi',
};

/** What a person is told before a yes. */
export function sessionsReadSentence(say: Say): string {
  return say(
    'Of a session Whetstone takes what you asked, the final answers, the names of tools and skills, and what you said of an answer; never what a tool was given or gave back. Secrets are taken out, and nothing is written to these files. Reading them sends nothing: you are asked apart before words of them go to a model.',
  );
}

/** After the person took back that words of sessions may be sent; `nights`: places whose nights learned from unconfirmed drafts. */
export function sendingTakenBackSentence(nights: number, say: Say): string {
  const unsent = say('Words of your sessions are sent to no model before you are asked again.');
  return nights === 0 ? unsent : `${unsent} ${say('Nights learn from confirmed tasks alone, in every folder.')}`;
}

/** `12 files in ~/.claude/projects`. */
export function filesThere(
  { files, folders }: { readonly files: number; readonly folders: readonly string[] },
  say: Say,
): string {
  return files === 0 ? say('none here') : say('{0} in {1}', count(files, 'file', say), folders.join(', '));
}

/** A file that was not read, and what to do about it. */
export function unreadSentence({ path, why }: UnreadFile, node: string, say: Say): string {
  switch (why) {
    case 'no-sqlite':
      return say(
        '{0} was not read: it is a SQLite database, and Node {1} cannot read one. Use Node 22.13 or newer, or Whetstone in VS Code.',
        path,
        node,
      );
    case 'no-room':
      return say(
        '{0} was not read: it is copied for that, and the disk with the temporary files has no room for the copy. Make room, then try again.',
        path,
      );
    case 'too-long':
      return say('{0} was not read: it is too large.', path);
    case 'empty':
      return say('{0} was not read: it is empty.', path);
    case 'not-utf8':
      return say('{0} was not read: it is UTF-16 or no text, and sessions are in UTF-8.', path);
    case 'broken':
      return say('{0} was not read: it holds no sessions in a form that is known.', path);
    case 'busy':
      return say('{0} was not read: its program is writing to it. Try again when the agent rests.', path);
    case 'not-readable':
      return say('{0} could not be read.', path);
  }
}

const mostNamed = 3; // files: of more only how many they are

/** Files that were not read, the first of them with what to do; none where all were. */
export function unreadLines(unread: readonly UnreadFile[], node: string, say: Say): readonly string[] {
  const more = unread.length - mostNamed;
  return [
    ...unread.slice(0, mostNamed).map((file) => unreadSentence(file, node, say)),
    ...(more <= 0
      ? []
      : [
          more === 1
            ? say('1 more file with sessions was not read.')
            : say('{0} more files with sessions were not read.', more),
        ]),
  ];
}

/** `of other folders: 4, asked by scripts: 2`; empty where nothing was left out. */
export function leftOutWords({ leftOut }: Pick<SourceCounts, 'leftOut'>, say: Say): string {
  const counts = new Map(Object.entries(leftOut));
  return Object.entries(leftOutReasons(say))
    .flatMap(([why, words]) => (counts.has(why) ? [`${words}: ${counts.get(why)}`] : []))
    .join(', ');
}

function leftOutReasons(say: Say): Readonly<Record<WhyNotHarvested, string>> {
  return {
    'other-folder': say('of other folders'),
    'no-folder': say('of no folder'),
    headless: say('asked by scripts'),
    'sub-agent': say('of sub-agents'),
    'own-call': say('calls of Whetstone'),
    'nothing-asked': say('nothing asked'),
    'too-old': say('too old'),
    seen: say('used before'),
    twice: say('copies of others'),
    'over-cap': say('over the limit'),
  };
}
