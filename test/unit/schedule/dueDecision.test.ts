import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { answerMissed, decide, decideFired, isDue, lookInMs, pollMs } from '../../../src/schedule/dueDecision.js';
import { nextNight } from '../../../src/schedule/nextDue.js';
import type { Blocker } from '../../../src/schedule/preconditions.js';
import { parseScheduleSettings, type ScheduleSettings } from '../../../src/schedule/scheduleSettings.js';
import { keptNights, type ScheduleState } from '../../../src/schedule/scheduleState.js';
import { StoredScheduleState } from '../../../src/app/nights/nightSchedule.js';

const full = process.env['WHETSTONE_FULL'] === '1';
const hour = 3_600_000;
const day = 24 * hour;
const unsaved: Blocker = {
  name: 'unsaved-changes',
  sentence: 'incident-summary has unsaved changes.',
  cure: 'Save the file.',
};

describe('the wait for the next look at the clock', () => {
  const rows: readonly (readonly [name: string, next: number | undefined, wait: number])[] = [
    ['a minute where the night is far away: the clock may be changed', 5 * hour, pollMs],
    ['a minute where there is no next night', undefined, pollMs],
    ['as long as it takes where the night is nearer than that', 12_345, 12_345],
    ['never nothing: a timer that goes off early must not spin', 1, 250],
  ];
  for (const [name, next, wait] of rows)
    it(`is ${name}`, () => assert.equal(lookInMs(1000, next === undefined ? undefined : 1000 + next), wait));
});

describe('decide', () => {
  it('runs once at its time, three days running', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly());
    computer.stayAwake(3 * day);
    assert.deepEqual(computer.said, [
      'run 2026-06-06 03:17 at 2026-06-06T03:17:00.000Z',
      'run 2026-06-07 03:17 at 2026-06-07T03:17:00.000Z',
      'run 2026-06-08 03:17 at 2026-06-08T03:17:00.000Z',
    ]);
  });

  const changes: readonly (readonly [name: string, zone: string, at: string, from: string, runs: readonly string[]])[] =
    [
      ['Berlin in spring', 'Europe/Berlin', '02:30', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
      ['Berlin in autumn', 'Europe/Berlin', '02:30', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
      [
        'New York in spring',
        'America/New_York',
        '02:30',
        '2026-03-07T12:00Z',
        ['2026-03-08T07:00', '2026-03-09T06:30'],
      ],
      [
        'New York in autumn',
        'America/New_York',
        '01:30',
        '2026-10-31T12:00Z',
        ['2026-11-01T05:30', '2026-11-02T06:30'],
      ],
      [
        'Lord Howe in spring',
        'Australia/Lord_Howe',
        '02:15',
        '2026-10-03T02:00Z',
        ['2026-10-03T15:30', '2026-10-04T15:15'],
      ],
      [
        'Lord Howe in autumn',
        'Australia/Lord_Howe',
        '01:45',
        '2026-04-04T02:00Z',
        ['2026-04-04T14:45', '2026-04-05T15:15'],
      ],
    ];
  for (const [name, timezone, at, from, runs] of changes)
    it(`runs once a night when the clocks change: ${name}`, () => {
      const computer = new Computer(from, nightly({ timezone, at }));
      computer.stayAwake(2 * day);
      assert.deepEqual(
        computer.said.map((line) => line.slice(-24, -8)),
        runs,
      );
    });

  it('never runs at the moment it is turned on, even right after its time', () => {
    const computer = new Computer('2026-06-05T03:18Z', nightly({ catchUp: 'run' }));
    computer.stayAwake(hour);
    assert.deepEqual(computer.said, []);
    assert.equal(computer.nextDue(), '2026-06-06T03:17:00.000Z');
  });

  it('turned off and on again after a missed night, it forgets the miss instead of running it', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly({ catchUp: 'run' }));
    computer.switch(false);
    computer.sleep(day);
    computer.switch(true);
    computer.stayAwake(hour);
    assert.deepEqual(computer.said, ['off']);
  });

  it('turned off and on again in the minute of a night that ran, it does not run it again', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly());
    computer.stayAwake(15 * hour + 17 * 60_000);
    computer.switch(false);
    computer.set('2026-06-06T03:16:30Z');
    computer.switch(true);
    computer.stayAwake(hour);
    assert.deepEqual(computer.said, ['run 2026-06-06 03:17 at 2026-06-06T03:17:00.000Z', 'off']);
  });

  it('does not run at once when another time is chosen, and runs at the new one the same day', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly({ catchUp: 'run' }));
    computer.stayAwake(16 * hour);
    computer.choose(nightly({ at: '03:50', catchUp: 'run' }));
    computer.choose(nightly({ at: '04:10', catchUp: 'run' }));
    computer.stayAwake(hour);
    assert.deepEqual(computer.said, [
      'run 2026-06-06 03:17 at 2026-06-06T03:17:00.000Z',
      'run 2026-06-06 04:10 at 2026-06-06T04:10:00.000Z',
    ]);
  });

  it('does not run at once when another time was chosen while VS Code was closed', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly({ catchUp: 'run' }));
    computer.set('2026-06-06T09:00Z');
    computer.choose(nightly({ at: '08:55', catchUp: 'run' }));
    assert.deepEqual(computer.said, []);
    assert.equal(computer.nextDue(), '2026-06-07T08:55:00.000Z');
  });

  it('counts a wake-up a few minutes late as on time', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly());
    computer.set('2026-06-06T03:26:40Z');
    computer.poll();
    assert.deepEqual(computer.said, ['run 2026-06-06 03:17 at 2026-06-06T03:26:40.000Z']);
  });

  it('asks once about a night that was slept through, and waits for the answer', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly());
    computer.set('2026-06-06T08:00Z');
    computer.stayAwake(2 * hour);
    assert.deepEqual(computer.said, ['ask 2026-06-06 03:17: The night due today 03:17 did not run. Run it now?']);
    computer.answer('run');
    computer.answer('run');
    assert.deepEqual(computer.said.slice(1), ['catch-up 2026-06-06 03:17 at 2026-06-06T10:00:00.000Z', 'wait']);
  });

  it('runs nothing for an answer that comes after it was turned off', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly());
    computer.set('2026-06-06T08:00Z');
    computer.poll();
    const late = answerMissed(computer.state, computer.now, nightly({ enabled: false }), 'run');
    assert.equal(late.decision.kind, 'wait');
    assert.equal(late.state.missed, undefined);
  });

  it('lets a missed night go when the person says so', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly());
    computer.set('2026-06-06T08:00Z');
    computer.poll();
    computer.answer('skip');
    computer.stayAwake(hour);
    assert.deepEqual(computer.said.slice(1), ['skip 2026-06-06 03:17: Missed today 03:17, skipped as you chose.']);
  });

  it('makes up for one of many missed nights, and says how many there were', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly());
    computer.set('2026-06-12T08:00Z');
    computer.stayAwake(hour);
    assert.deepEqual(computer.said, [
      'ask 2026-06-12 03:17: 7 nights up to the one due today 03:17 did not run. Run it now?',
    ]);
  });

  it('runs one catch-up without asking when told to', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly({ catchUp: 'run' }));
    computer.set('2026-06-12T08:01Z');
    computer.poll();
    computer.stayAwake(hour);
    assert.deepEqual(computer.said, ['catch-up 2026-06-12 03:17 at 2026-06-12T08:01:00.000Z']);
  });

  it('skips missed nights when told to, and says what was missed', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly({ catchUp: 'skip' }));
    computer.set('2026-06-06T08:00Z');
    computer.stayAwake(hour);
    assert.deepEqual(computer.said, [
      'skip 2026-06-06 03:17: The night due today 03:17 did not run, because the machine was asleep or VS Code closed.',
    ]);
  });

  it('drops an unanswered question when the next night comes', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly());
    computer.set('2026-06-06T08:00Z');
    computer.stayAwake(day);
    computer.answer('run');
    assert.deepEqual(computer.said.slice(1), ['run 2026-06-07 03:17 at 2026-06-07T03:17:00.000Z', 'wait']);
  });

  it('reports what stopped a night, settles it, and asks nothing about it', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly());
    computer.stops = [unsaved];
    computer.stayAwake(16 * hour);
    computer.stops = [];
    computer.stayAwake(hour);
    assert.deepEqual(computer.said, [
      'skip 2026-06-06 03:17: The night due today 03:17 did not run. incident-summary has unsaved changes.',
    ]);
  });

  it('does not repeat a night when the clock is set back', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly({ catchUp: 'run' }));
    computer.stayAwake(16 * hour);
    computer.set('2026-06-06T02:00Z');
    computer.stayAwake(4 * hour);
    assert.deepEqual(computer.said, ['run 2026-06-06 03:17 at 2026-06-06T03:17:00.000Z']);
    assert.equal(computer.nextDue(), '2026-06-07T03:17:00.000Z');
  });

  it('remembers more than a year of nights, and not without bound', () => {
    const settled = Array.from({ length: keptNights }, (_, index) => `night ${index}`);
    const on = decide(undefined, Date.parse('2026-06-05T12:00Z'), nightly(), []).state;
    const { state } = decide({ ...on, settled }, Date.parse('2026-06-06T03:17Z'), nightly(), []);
    assert.deepEqual(state.settled, [...settled.slice(1), '2026-06-06 03:17']);
    assert.ok(keptNights > 366);
  });

  it('goes on with the real nights after the clock was years ahead for a while', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly({ catchUp: 'run' }));
    computer.set('2031-01-01T12:01Z');
    computer.poll();
    computer.set('2026-06-05T14:00Z');
    computer.stayAwake(day);
    assert.deepEqual(computer.said, [
      'catch-up 2031-01-01 03:17 at 2031-01-01T12:01:00.000Z',
      'run 2026-06-06 03:17 at 2026-06-06T03:17:00.000Z',
    ]);
  });

  it('carried west over night, it neither runs twice for one date nor counts a night from before it was on', () => {
    const computer = new Computer('2026-06-05T10:00Z', nightly({ timezone: 'Europe/Berlin', catchUp: 'run' }));
    computer.stayAwake(14 * hour);
    computer.choose(nightly({ timezone: 'America/New_York', catchUp: 'run' }));
    computer.stayAwake(day);
    assert.deepEqual(computer.said, ['run 2026-06-06 03:17 at 2026-06-06T07:17:00.000Z']);

    const landed = new Computer('2026-06-05T10:00Z', nightly({ timezone: 'Europe/Berlin', catchUp: 'run' }));
    landed.set('2026-06-06T01:30Z');
    landed.choose(nightly({ timezone: 'America/New_York', catchUp: 'run' }));
    landed.stayAwake(hour);
    assert.deepEqual(landed.said, []);
  });

  it('survives its state being lost without running at once', () => {
    const settings = nightly({ catchUp: 'run' });
    const { decision } = decide(undefined, Date.parse('2026-06-06T03:17Z'), settings, []);
    assert.equal(decision.kind, 'wait');
  });
});

describe('isDue', () => {
  it('asks for the stops only when a night has come', () => {
    const settings = nightly();
    const { state } = decide(undefined, Date.parse('2026-06-05T12:00Z'), settings, []);
    assert.equal(isDue(state, Date.parse('2026-06-06T03:16Z'), settings), false);
    assert.equal(isDue(state, Date.parse('2026-06-06T03:17Z'), settings), true);
    assert.equal(isDue(state, Date.parse('2026-06-06T03:17Z'), nightly({ enabled: false })), false);
    assert.equal(isDue(undefined, Date.parse('2026-06-06T03:17Z'), settings), false);
  });
});

describe('decideFired', () => {
  it('runs the night the system fired for, and the editor then lets it be', () => {
    const settings = nightly({ catchUp: 'run' });
    const on = decide(undefined, Date.parse('2026-06-05T12:00Z'), settings, []).state;
    const fired = decideFired(on, Date.parse('2026-06-06T03:17:01Z'), settings, []);
    assert.equal(fired.decision.kind, 'run');
    assert.equal(decideFired(fired.state, Date.parse('2026-06-06T03:17:09Z'), settings, []).decision.kind, 'wait');
    const morning = decide(fired.state, Date.parse('2026-06-06T09:00Z'), settings, []);
    assert.equal(morning.decision.kind, 'wait');
    assert.equal(morning.state.nextDue, Date.parse('2026-06-07T03:17Z'));
  });

  it('leaves a night alone that the editor has run', () => {
    const settings = nightly();
    const on = decide(undefined, Date.parse('2026-06-05T12:00Z'), settings, []).state;
    const ran = decide(on, Date.parse('2026-06-06T03:17Z'), settings, []).state;
    assert.equal(decideFired(ran, Date.parse('2026-06-06T03:17:30Z'), settings, []).decision.kind, 'wait');
  });

  it('runs hours late without asking: nobody is there, and the system chose the moment', () => {
    const fired = decideFired(undefined, Date.parse('2026-06-06T09:00Z'), nightly({ enabled: false }), []);
    assert.equal(fired.decision.kind, 'run');
  });

  it('keeps the editor’s next night where the entry has another time', () => {
    const on = decide(undefined, Date.parse('2026-06-05T12:00Z'), nightly(), []).state;
    const fired = decideFired(on, Date.parse('2026-06-06T01:00:01Z'), nightly({ at: '01:00' }), []);
    assert.equal(fired.decision.kind, 'run');
    assert.equal(fired.state.nextDue, Date.parse('2026-06-06T03:17Z'));
  });

  it('says what stopped it', () => {
    const { decision } = decideFired(undefined, Date.parse('2026-06-06T03:17Z'), nightly(), [unsaved]);
    assert.ok(decision.kind === 'skip' && decision.sentence.includes('unsaved changes'));
  });
});

describe('a stored schedule', () => {
  it('reads back what was stored, whatever happened', () => {
    const computer = new Computer('2026-06-05T12:00Z', nightly());
    computer.stayAwake(16 * hour);
    computer.set('2026-06-09T08:00Z');
    computer.poll();
    assert.ok(computer.state.missed !== undefined && computer.state.lastRun !== undefined);
    const stored: unknown = JSON.parse(JSON.stringify(computer.state));
    assert.deepEqual(StoredScheduleState.safeParse(stored).data, computer.state);
  });

  for (const raw of [
    null,
    [],
    'x',
    {},
    { cron: '17 3 * * *' },
    { cron: '17 3 * * *', settled: [1] },
    { cron: '17 3 * * *', settled: [], nextDue: 'soon' },
    { cron: '', settled: [], missed: {} },
  ])
    it(`takes ${JSON.stringify(raw)} for no state`, () => {
      assert.equal(StoredScheduleState.safeParse(raw).data, undefined);
    });
});

describe('the law of the night', () => {
  const step = fc.oneof(
    fc.record({ move: fc.constant('awake' as const), minutes: fc.integer({ min: 1, max: 90 }) }),
    fc.record({ move: fc.constant('set' as const), minutes: fc.integer({ min: -5 * 1440, max: 5 * 1440 }) }),
    fc.record({ move: fc.constant('switch' as const), on: fc.boolean() }),
    fc.record({ move: fc.constant('answer' as const), yes: fc.boolean() }),
    fc.record({ move: fc.constant('fired' as const) }),
    fc.record({ move: fc.constant('restart' as const) }),
  );
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC');
  const times = fc.constantFrom('02:30', '01:45', '03:17', '00:00', '30 2 * * 0,1');
  const starts = fc.constantFrom('2026-03-28T20:00Z', '2026-10-24T20:00Z', '2026-03-08T02:00Z', '2026-04-04T10:00Z');
  const policies = fc.constantFrom('ask' as const, 'run' as const, 'skip' as const);

  const machine = fc.record({ timezone: zones, at: times, start: starts, catchUp: policies });

  it('any sequence of clock moves, switches and answers runs a scheduled night at most once', function () {
    fc.assert(
      fc.property(machine, fc.array(step, { maxLength: 25 }), ({ start, ...settings }, steps) => {
        const computer = new Computer(start, nightly(settings));
        for (const move of steps) {
          if (move.move === 'awake') computer.stayAwake(move.minutes * 60_000);
          if (move.move === 'set') computer.set(new Date(computer.now + move.minutes * 60_000).toISOString());
          if (move.move === 'switch') computer.switch(move.on);
          if (move.move === 'answer') computer.answer(move.yes ? 'run' : 'skip');
          if (move.move === 'fired') computer.fired();
          if (move.move === 'restart') computer.restart();
        }
        const nights = computer.runs();
        assert.deepEqual(nights, [...new Set(nights)]);
      }),
      { numRuns: full ? 3000 : 60 },
    );
  });

  it('while the machine is awake and the clock goes on, every night runs, and on time', function () {
    fc.assert(
      fc.property(machine, fc.integer({ min: 1, max: 4 }), ({ start, ...settings }, days) => {
        const computer = new Computer(start, nightly(settings));
        const end = Date.parse(start) + days * day;
        const expected: string[] = [];
        const { cron, timezone } = nightly(settings);
        for (let at = Date.parse(start); ;) {
          const night = nextNight({ cron, timezone }, at, []);
          if (night === undefined || night.due > end) break;
          expected.push(night.key);
          at = night.due;
        }
        computer.stayAwake(days * day);
        assert.deepEqual(computer.runs(), expected);
        assert.ok(computer.said.every((line) => line.startsWith('run ')));
      }),
      { numRuns: full ? 500 : 10 },
    );
  });
});

function nightly(settings: Readonly<Record<string, unknown>> = {}): ScheduleSettings {
  return parseScheduleSettings({ enabled: true, timezone: 'UTC', ...settings }, 'UTC');
}

/** A machine whose wall clock is turned by hand; it polls as the extension would and notes all but waiting. */
class Computer {
  now: number;
  state: ScheduleState;
  stops: readonly Blocker[] = [];
  readonly said: string[] = [];
  private settings: ScheduleSettings;

  constructor(start: string, settings: ScheduleSettings) {
    this.now = Date.parse(start);
    this.settings = settings;
    this.state = decide(undefined, this.now, settings, []).state;
  }

  poll(): void {
    this.note(decide(this.state, this.now, this.settings, this.stops), false);
  }

  stayAwake(ms: number): void {
    const end = this.now + ms;
    while (this.now < end) {
      this.now = Math.min(end, this.now + this.step());
      this.poll();
    }
  }

  /** Every minute around a night; further away, where a poll only waits, seldom enough to be quick. */
  private step(): number {
    const away = (this.state.nextDue ?? 0) - this.now;
    return Math.min(3 * hour, Math.max(pollMs, away - 10 * pollMs));
  }

  sleep(ms: number): void {
    this.now += ms;
  }

  set(time: string): void {
    this.now = Date.parse(time);
  }

  switch(enabled: boolean): void {
    this.choose({ ...this.settings, enabled });
  }

  choose(settings: ScheduleSettings): void {
    this.settings = settings;
    this.poll();
  }

  answer(answer: 'run' | 'skip'): void {
    this.note(answerMissed(this.state, this.now, this.settings, answer), true);
  }

  fired(): void {
    this.note(decideFired(this.state, this.now, this.settings, this.stops), false);
  }

  restart(): void {
    const stored: unknown = JSON.parse(JSON.stringify(this.state));
    const state = StoredScheduleState.safeParse(stored).data;
    assert.ok(state !== undefined);
    this.state = state;
  }

  /** The keys of the nights that ran, in order. */
  runs(): readonly string[] {
    return this.said.flatMap((line) => /^(?:run|catch-up) (.*) at /u.exec(line)?.slice(1) ?? []);
  }

  nextDue(): string | undefined {
    return this.state.nextDue === undefined ? undefined : new Date(this.state.nextDue).toISOString();
  }

  private note({ decision, state }: ReturnType<typeof decide>, evenWaiting: boolean): void {
    this.state = state;
    switch (decision.kind) {
      case 'off':
        if (this.said.at(-1) !== 'off') this.said.push('off');
        break;
      case 'wait':
        if (evenWaiting) this.said.push('wait');
        break;
      case 'run':
        this.said.push(
          `${decision.catchUp ? 'catch-up' : 'run'} ${decision.night.key} at ${new Date(this.now).toISOString()}`,
        );
        break;
      case 'ask':
        this.said.push(`ask ${decision.missed.key}: ${decision.sentence}`);
        break;
      case 'skip':
        this.said.push(`skip ${decision.night.key}: ${decision.sentence}`);
        break;
    }
  }
}
