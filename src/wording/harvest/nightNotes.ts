import type { UnreadFile } from '../../harvest/harvested.js';
import type { Say } from '../translate.js';
import { pushedOutLines } from './minedWords.js';
import { unreadLines } from './sessionWords.js';

/** What a night met in past sessions, as far as it is told apart from its line. */
export interface ToldSessions {
  readonly read: number;
  /** In the person's language. */
  readonly reason?: string | undefined;
  readonly unread?: { readonly files: readonly UnreadFile[]; readonly node: string } | undefined;
  readonly pushedOut?: number | undefined;
}

/** What went wrong with the sessions of a night, in sentences; none where nothing did. */
export function nightNotes({ read, reason, unread, pushedOut = 0 }: ToldSessions, say: Say): readonly string[] {
  const failed = (why: string): string =>
    read === 0
      ? say('Sessions could not be looked through: {0}', why)
      : say('Not all sessions were looked through: {0}', why);
  return [
    ...(reason === undefined ? [] : [failed(reason)]),
    ...(unread === undefined ? [] : unreadLines(unread.files, unread.node, say)),
    ...pushedOutLines(pushedOut, say),
  ];
}
