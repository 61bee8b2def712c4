import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/errors.js';
import { createRateLimiter, type RateLimiter } from '../../../../src/models/wrappers/rateLimiter.js';
import { ServerPlaces } from '../../../../src/models/wrappers/serverPlaces.js';
import { draws } from '../../../builders/aFleet.js';
import { inFull } from '../../../builders/few.js';
import { ManualClock } from '../../../fakes/ManualClock.js';

const { signal } = new AbortController();

describe('runs that ask the same server', () => {
  it('get alike of its places, also where ten times as many calls of one of them wait', async () => {
    const server = new Server();
    const places = new ServerPlaces(4);
    const [many, few] = [aRun(places, 64), aRun(places, 8)];
    many.ask(server, 'many', 400);
    few.ask(server, 'few', 40);
    await turn();
    for (let answered = 0; answered < 60; answered++) await server.answer();
    const { many: first = 0, few: second = 0 } = server.answered;
    process.stdout.write(`      of 60 places ${first} for 400 calls that wait, ${second} for 40\n`);
    assert.ok(Math.abs(first - second) <= 4, `${first} and ${second}`); // the first four were free when it came
    for (let answered = 0; answered < 400; answered++) await server.answer();
    assert.deepEqual(server.answered, { many: 400, few: 40 }, 'what one does not need the other has');
  });

  it('have a turn as soon as they come, and no more for having come late', async () => {
    const server = new Server();
    const places = new ServerPlaces(2);
    aRun(places, 16).ask(server, 'early', 100);
    await turn();
    for (let answered = 0; answered < 50; answered++) await server.answer();
    aRun(places, 16).ask(server, 'late', 100);
    await turn();
    for (let answered = 0; answered < 20; answered++) await server.answer();
    assert.ok(Math.abs((server.answered['late'] ?? 0) - 9) <= 2, JSON.stringify(server.answered));
  });

  it('make as many calls as each may while nobody is refused, and share what is left once one is', async () => {
    const server = new Server();
    const places = new ServerPlaces();
    const [one, other] = [aRun(places, 8), aRun(places, 8)];
    one.ask(server, 'one', 100);
    other.ask(server, 'other', 100);
    await turn();
    assert.equal(server.underWay, 16);
    await server.refuse();
    assert.equal(places.width, 8);
    for (let answered = 0; answered < 17; answered++) await server.answer();
    assert.ok(server.underWay <= 10, String(server.underWay));
    assert.ok(Math.abs((server.answered['one'] ?? 0) - (server.answered['other'] ?? 0)) <= 2);
  });

  it('wait together where the server asks one of them to', async () => {
    const clock = new ManualClock();
    const server = new Server();
    const places = new ServerPlaces();
    const [one, other] = [aRun(places, 4, clock), aRun(places, 4, clock)];
    one.ask(server, 'one', 1);
    await turn();
    await server.refuse(5000);
    other.ask(server, 'other', 1);
    await clock.advance(4999);
    assert.equal(server.underWay, 0);
    await clock.advance(1);
    assert.equal(server.underWay, 2);
  });

  it('do not end with one whose key is wrong', async () => {
    const server = new Server();
    const places = new ServerPlaces();
    const [wrong, right] = [aRun(places, 4), aRun(places, 4)];
    const refused = wrong.gate.run(() => Promise.reject(new ModelError('auth', 'no')), signal);
    await assert.rejects(refused, { kind: 'auth' });
    right.ask(server, 'right', 3);
    await turn();
    assert.equal(server.underWay, 3);
  });

  inFull('come to alike shares also in two processes, which share nothing but the server’s refusals', async () => {
    const draw = draws(7);
    const server = new Server(12);
    const runs = { wide: aRun(new ServerPlaces(), 40), narrow: aRun(new ServerPlaces(), 12) };
    runs.wide.ask(server, 'wide', 1500);
    runs.narrow.ask(server, 'narrow', 1500);
    await turn();
    for (let answered = 0; answered < 200; answered++) await server.answer(draw());
    const before = { ...server.answered };
    for (let answered = 0; answered < 1000; answered++) await server.answer(draw());
    const wide = (server.answered['wide'] ?? 0) - (before['wide'] ?? 0);
    const narrow = (server.answered['narrow'] ?? 0) - (before['narrow'] ?? 0);
    process.stdout.write(`      of 1,000 answers ${wide} for the wider process, ${narrow} for the other\n`);
    assert.ok(wide / narrow < 1.6 && narrow / wide < 1.6, `${wide} and ${narrow}`);
  });
});

/** Answers when the test says so, and refuses what is above its limit. */
class Server {
  readonly answered: Record<string, number> = {};
  readonly #limit: number;
  #waiting: (() => void)[] = [];
  #open: { readonly name: string; readonly answer: () => void; readonly fail: (error: Error) => void }[] = [];

  constructor(limit = Infinity) {
    this.#limit = limit;
  }

  get underWay(): number {
    return this.#open.length;
  }

  call(name: string): Promise<void> {
    if (this.#open.length >= this.#limit) return Promise.reject(new ModelError('rate-limit', 'too many'));
    return new Promise((answer, fail) => this.#open.push({ name, answer, fail }));
  }

  /** Answers one of the calls under way; the first where nothing is said. */
  async answer(which = 0): Promise<void> {
    const [call] = this.#open.splice(Math.floor(which * this.#open.length), 1);
    if (call === undefined) return;
    this.answered[call.name] = (this.answered[call.name] ?? 0) + 1;
    call.answer();
    this.#released();
    await turn();
  }

  nextAnswer(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async refuse(retryAfterMs = 0): Promise<void> {
    this.#open.shift()?.fail(new ModelError('rate-limit', 'too many', { retryAfterMs }));
    await turn();
    this.#released();
    await turn();
  }

  #released(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}

interface Run {
  readonly gate: RateLimiter;
  ask(server: Server, name: string, calls: number): void;
}

/** A run that knows its server, and makes a call again that was refused. */
function aRun(places: ServerPlaces, concurrency: number, clock = new ManualClock()): Run {
  const gate = createRateLimiter({ clock, concurrency, isOpen: true, places });
  const untilAnswered = async (server: Server, name: string): Promise<void> => {
    for (;;) {
      const outcome = await gate
        .run(() => server.call(name), signal)
        .then(
          () => 'answered',
          () => 'refused',
        );
      if (outcome === 'answered') return;
      await server.nextAnswer();
    }
  };
  return {
    gate,
    ask: (server, name, calls) => {
      for (let call = 0; call < calls; call++) void untilAnswered(server, name);
    },
  };
}

async function turn(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
}
