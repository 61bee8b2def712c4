import type { Say } from '../translate.js';

/** A request about files that nobody can attempt again, as far as it is told why. */
export interface ToldNotReplayable {
  readonly why: 'no-commit' | 'gone' | 'elsewhere' | 'not-asked';
  readonly files: 'named' | 'changed' | 'read';
}

/** `the agent changed files for it, and their commit is no longer there`. */
export function notReplayableWords({ why, files }: ToldNotReplayable, say: Say): string {
  return [aboutFiles(files, say), whyNot(why, say)].join(', ');
}

function aboutFiles(files: ToldNotReplayable['files'], say: Say): string {
  switch (files) {
    case 'named':
      return say('it is about files');
    case 'changed':
      return say('the agent changed files for it');
    case 'read':
      return say('the agent read files for it');
  }
}

function whyNot(why: ToldNotReplayable['why'], say: Say): string {
  switch (why) {
    case 'no-commit':
      return say('and the session does not tell their commit');
    case 'gone':
      return say('and their commit is no longer there');
    case 'elsewhere':
      return say('and their repository lies outside of this folder');
    case 'not-asked':
      return say('and git could not be started to look for their commit: try again once it can be');
  }
}
