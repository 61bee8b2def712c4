import type { HarvestedSession } from '../../src/harvest/harvested.js';
import type { Exchange } from '../../src/harvest/session.js';
import { toneOf } from '../../src/harvest/feedback/tone.js';

/** A message of the person with what came of it; only what is not usual. */
export type Said = string | (Pick<Exchange, 'asked'> & Partial<Exchange>);

const began = Date.UTC(2026, 10, 1, 9);
const aMinute = 60_000;

/** A session as a harvest gives it. Feedback is read from the next message, as readers do. */
export function aSession(
  id: string,
  said: readonly Said[],
  { exchanges: _none, ...parts }: Partial<HarvestedSession> = {},
): HarvestedSession {
  const told = said.map((each) => (typeof each === 'string' ? { asked: each } : each));
  const started = parts.started ?? began;
  return {
    source: 'claude-code',
    id,
    kind: 'main',
    folder: '/home/user/shop',
    realFolder: '/home/user/shop',
    shownFolders: ['/home/user/shop'],
    mark: `mark of ${id}`,
    git: { commit: undefined, branch: undefined },
    started,
    ended: started + said.length * aMinute,
    counts: { unknown: 0, broken: 0, tooLong: 0, commands: 0, noise: 0, dropped: 0 },
    ...parts,
    exchanges: told.map((each, at) => {
      const tone = toneOf(told[at + 1]?.asked ?? '');
      return {
        askedAt: started + at * aMinute,
        by: 'person',
        answer: 'Done.',
        isCut: false,
        tools: [],
        skills: [],
        feedback: tone === undefined ? undefined : { tone, from: 'next-message' },
        ...each,
      };
    }),
  };
}
