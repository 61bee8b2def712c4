import assert from 'node:assert/strict';
import { firstPaceText } from '../../../../src/cli/progress/firstPaceText.js';
import { paceSentence, timeLines } from '../../../../src/wording/preflight/paidInTime.js';
import { sizeLine, sizeLines } from '../../../../src/wording/preflightLines.js';
import { aCall } from '../../../builders/runEvents.js';

const size = {
  calls: { low: 40, high: 712 },
  tokens: { low: 10_000, high: 900_000 },
  usd: { low: 0, high: 0 },
  minutes: { low: 4, high: 58.2, measured: true },
  usual: { calls: 160, tokens: 100_000, usd: 0, minutes: 20.4 },
  givesUp: { minutes: 120, failures: 40, failingMinutes: 3 },
  repeatsHeld: false,
  stages: [],
};
const unmeasured = { ...size, minutes: { ...size.minutes, measured: false } };
const free = { usd: { low: 0, high: 0 } };
const [known, unknown] = [
  { tokensPerSecond: 12.3, capMinutes: undefined },
  { tokensPerSecond: undefined, capMinutes: undefined },
];

describe('a run that is paid for in time', () => {
  const lines: readonly (readonly [name: string, line: string, expected: string])[] = [
    [
      'as earlier runs went',
      sizeLine({ ...size, paidInTime: known }),
      'usually 21 min, at most 59 min · usually 160, at most 712 calls · free',
    ],
    [
      'as nobody knows yet',
      sizeLine({ ...unmeasured, paidInTime: unknown }),
      'how long is known after the first calls · usually 160, at most 712 calls · free',
    ],
    [
      'under a cap in minutes',
      sizeLine({ ...unmeasured, paidInTime: { ...unknown, capMinutes: 30 } }),
      'at most 30 min · usually 160, at most 712 calls · free',
    ],
    [
      'at a price that nobody stated',
      sizeLine({ ...size, usd: undefined, paidInTime: known }),
      'usually 21 min, at most 59 min · usually 160, at most 712 calls · price not known',
    ],
    ['that is not, in money', sizeLine(size), 'free · usually 160, at most 712 calls · usually 21 min, at most 59 min'],
  ];
  for (const [name, line, expected] of lines) it(`leads with its minutes, ${name}`, () => assert.equal(line, expected));

  it('says how fast earlier runs were, that no cap ends it in time, and that it can be left', () => {
    const [dialog, terminal] = [
      { face: 'editor', lined: true },
      { face: 'terminal', lined: false },
    ] as const;
    const minutes = { measured: true };
    assert.deepEqual(timeLines({ ...free, paidInTime: known, minutes }, dialog), [
      'Earlier runs came to about 12 tokens a second.',
      'No cap in minutes is set: “Set a Cap” ends it in time.',
      'It can be left at any time: what was answered is kept, and it goes on from there.',
    ]);
    assert.deepEqual(
      timeLines({ ...free, paidInTime: { tokensPerSecond: 2.34, capMinutes: 30 }, minutes }, dialog).slice(0, 2),
      ['Earlier runs came to about 2.3 tokens a second.', 'No call is begun after 30 min.'],
    );
    assert.match(
      timeLines({ ...free, paidInTime: known, minutes }, terminal)[1] ?? '',
      /set: --cap run\.minutes=60 ends it/,
    );
    assert.deepEqual(timeLines({ ...free, minutes }, dialog), []);
    const nobody = { ...free, paidInTime: unknown, minutes: { measured: false } };
    assert.match(timeLines(nobody, terminal)[0] ?? '', /known after its first calls/);
    const inDialog = [sizeLine({ ...unmeasured, paidInTime: unknown }), ...timeLines(nobody, dialog)].join(' ');
    assert.equal(inDialog.match(/known after/g)?.length, 1, 'once');
  });

  it('says in a terminal that minutes are no yes where nobody knows the price, and what makes them one', () => {
    const terminal = { face: 'terminal', lined: true } as const;
    const timed = { paidInTime: known, minutes: { measured: true } };
    const told = timeLines({ ...timed, usd: undefined }, terminal).join('\n');
    assert.match(told, /once the price is known: “whetstone price <model> free” says/);
    const others = [
      ...timeLines({ ...timed, ...free }, terminal),
      ...timeLines({ ...timed, usd: undefined }, { ...terminal, face: 'editor' }),
    ];
    assert.doesNotMatch(others.join('\n'), /whetstone price/);
  });

  it('is not guessed at where nothing was measured', () => {
    const said = sizeLines({ ...unmeasured, paidInTime: unknown }).join('\n');
    assert.doesNotMatch(said, /By a guess|About \d+ to/);
    assert.match(
      sizeLines({ ...size, paidInTime: known }).join('\n'),
      /About 4 to 59 minutes\. As earlier runs went\./,
    );
  });

  it('says after its first calls how long it takes', () => {
    const told = { answered: 5, tokensPerSecond: 12.3 };
    assert.equal(
      paceSentence({ ...told, minutes: 39.5 }),
      'At this pace the run takes about 40 min: 5 calls were answered, at about 12 tokens a second.',
    );
    assert.match(paceSentence({ ...told, minutes: 300 }), /about 5 h:/);
    assert.match(paceSentence({ ...told, minutes: 0.2 }), /takes less than a minute:/);
  });
});

describe('the command line, after the first calls of a run that is paid for in time', () => {
  const typed = {
    skill: 'skills/x',
    models: ' --model ollama/m',
    resume: '“whetstone optimize skills/x --resume --model ollama/m”',
    mayBeQuick: true,
  };

  /** What is said of calls that take so many seconds each. */
  function said(seconds: number, more: Partial<typeof typed> = {}, paidInTime: typeof known | undefined = known) {
    const text = firstPaceText({ paidInTime, usual: size.usual }, { ...typed, ...more });
    return Array.from({ length: 9 }, (_, at) => text(aCall({ tokens: 60 }), at * seconds * 1_000)).flatMap(
      (each) => each ?? [],
    );
  }

  it('offers to leave it, the preset “quick” and fewer tasks, with what is to be typed', () => {
    assert.deepEqual(said(15), [
      [
        'At this pace the run takes about 40 min: 5 calls were answered, at about 4 tokens a second.',
        'It can be left with Ctrl+C: “whetstone optimize skills/x --resume --model ollama/m” goes on where it stopped.',
        'If that is too long: “whetstone optimize skills/x --preset quick --model ollama/m” is shorter, and “whetstone tasks disable skills/x <task>” leaves a task out.',
      ].join('\n'),
    ]);
  });

  it('offers no preset where it has that already, or goes on', () => {
    const [only = ''] = said(15, { mayBeQuick: false });
    assert.doesNotMatch(only, /quick/);
    assert.match(only, /tasks disable/);
  });

  it('offers nothing where it is short', () => {
    assert.deepEqual(said(0.1), [
      'At this pace the run takes less than a minute: 5 calls were answered, at about 600 tokens a second.',
    ]);
  });

  it('says nothing where money is the price', () => {
    const text = firstPaceText({ paidInTime: undefined, usual: size.usual }, typed);
    for (let at = 0; at < 9; at += 1) assert.equal(text(aCall(), at * 15_000), undefined);
  });
});
