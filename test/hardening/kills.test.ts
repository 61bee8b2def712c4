import assert from 'node:assert/strict';
import path from 'node:path';
import { randomFor, type Random } from '../../src/engine/random.js';
import { aCommandPlace, everythingBelow, type CommandPlace, type Kill } from './attack/commandPlace.js';
import { operations, type Operation } from './attack/operations.js';
import { SimulatedServer, type ServedCall } from './attack/simulatedServer.js';
import { figure, isWhole, seed } from './figures.js';

/** How many points each command is killed at. */
const points: Readonly<Record<string, number>> = isWhole
  ? { optimize: 120, night: 50, adopt: 30, undo: 20, restore: 20, rebase: 30, 'tasks import': 10, mine: 12 }
  : { adopt: 1 }; // that a run is killed and goes on has a test of its own
/** Of these, so many at a time on the clock instead of at a call. */
const timed: Readonly<Record<string, number>> = isWhole ? { optimize: 30, night: 10 } : {};
/** A reply after which the process had less of the processor than this may not have got to the disk: it is named apart. */
const borderlineMs = 25;
/**
 * So many replies may be lost by a kill: the four that are asked for at once, and four that arrived and are on their way to
 * the disk. One more was stored, or should have been, and is paid for twice.
 */
const mostUnderWay = 8;

/** What came of one kill. */
interface Outcome {
  readonly name: string;
  readonly lost: readonly string[];
  readonly leftovers: readonly string[];
  readonly failure: string | undefined;
  /** Answered calls that were made again. */
  readonly again: number;
  /** Those of them whose answer had only just come, or was still on its way. */
  readonly borderline: number;
}

describe('a command that is killed', function kills() {
  this.timeout(isWhole ? 180 * 60_000 : 180_000);

  for (const operation of operations.filter(({ name }) => points[name] !== undefined)) {
    const { name } = operation;
    it(`(${name}) leaves whole files at any point, goes on to the same end, and pays for no reply twice`, async () => {
      const outcomes = await killAtPoints(operation);
      reportOn(name, outcomes);
      assert.deepEqual(complaintsOf(outcomes), []);
      assert.equal(outcomes.length, points[name]);
    });
  }
});

function reportOn(operation: string, killed: readonly Outcome[]): void {
  const count = (kind: 'lost' | 'leftovers'): number => killed.filter((each) => each[kind].length > 0).length;
  const sum = (kind: 'again' | 'borderline'): number => killed.reduce((total, each) => total + each[kind], 0);
  const failed = killed.filter(({ failure }) => failure !== undefined).length;
  const result = `files torn or lost ${count('lost')}, leftovers ${count('leftovers')}, failed resumes ${failed}, paid twice ${killed.reduce((total, each) => total + paidTwice(each), 0)}; replies under way that the kill lost ${sum('again')}, ${sum('borderline')} of them within ${borderlineMs} ms`;
  figure({ what: `SIGKILL points of the command line: ${operation}`, tried: killed.length, result });
}

function complaintsOf(killed: readonly Outcome[]): readonly string[] {
  return killed.flatMap(({ name, lost, leftovers, failure, again }) => [
    ...lost.map((file) => `${name}: ${file} is torn or lost`),
    ...leftovers.map((file) => `${name}: ${file} was left behind`),
    ...(failure === undefined ? [] : [`${name}: ${failure}`]),
    ...(paidTwice({ again }) > 0 ? [`${name}: ${again} replies were paid for again`] : []),
  ]);
}

function paidTwice({ again }: Pick<Outcome, 'again'>): number {
  return Math.max(0, again - mostUnderWay);
}

/** What an unbroken command does to the skill's folder, how many calls it makes and how long it takes. */
interface Unbroken {
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
  readonly proposal: string;
  readonly calls: readonly ServedCall[];
  readonly fileCalls: number;
  readonly ms: number;
}

interface Bench {
  readonly operation: Operation;
  readonly place: CommandPlace;
  readonly server: SimulatedServer;
}

async function killAtPoints(operation: Operation): Promise<readonly Outcome[]> {
  const server = await SimulatedServer.start({ latencyMs: 4 });
  const place = await aCommandPlace();
  try {
    await operation.prepare(place, server.model);
    place.keep();
    const bench = { operation, place, server };
    const unbroken = await unbrokenEnd(bench);
    const outcomes: Outcome[] = [];
    for (const kill of killsOf(operation.name, unbroken)) outcomes.push(await killAndGoOn(bench, kill, unbroken));
    return outcomes;
  } finally {
    place.dispose();
    await server.stop();
  }
}

async function unbrokenEnd({ operation, place, server }: Bench): Promise<Unbroken> {
  const before = skillFiles(place);
  server.calls.length = 0;
  const end = await place.run(operation.words(place, server.model));
  assert.equal(end.code, 0, `${operation.name}: ${end.err}`);
  const fileCalls = place.note().count ?? 0;
  assert.ok(fileCalls > 3, `${operation.name} made ${fileCalls} calls that change files`);
  const calls = [...server.calls];
  return { before, after: skillFiles(place), proposal: await shown(place), calls, fileCalls, ms: end.ms };
}

function killsOf(name: string, { fileCalls, ms }: Unbroken): readonly Kill[] {
  const random = randomFor('kills', seed, name);
  const byTime = timed[name] ?? 0;
  const byCall = (points[name] ?? 0) - byTime;
  const ways = ['before', 'torn', 'after'] as const;
  return [
    ...spread(byCall, random).map((share) => ({
      kind: 'call' as const,
      at: 1 + Math.floor(share * fileCalls),
      how: ways[Math.floor(random() * ways.length)] ?? 'before',
    })),
    ...spread(byTime, random).map((share) => ({ kind: 'time' as const, ms: Math.round(ms * (0.15 + 0.8 * share)) })),
  ];
}

/** So many shares of the whole, one in each part of it. */
function spread(count: number, random: Random): readonly number[] {
  return Array.from({ length: count }, (_, at) => (at + random()) / count);
}

async function killAndGoOn(bench: Bench, kill: Kill, unbroken: Unbroken): Promise<Outcome> {
  const { operation, place, server } = bench;
  place.comeBack();
  server.calls.length = 0;
  const first = await place.run(operation.words(place, server.model), { kill });
  // Calls that come together are made in another number each time, and a machine is faster or slower: a little earlier.
  if (first.signal !== 'SIGKILL') return killAndGoOn(bench, earlier(kill), unbroken);
  const killedAtMs = place.note().killedAtMs ?? first.ownMs ?? 0;
  const stored = place.arrivals().filter(({ atMs }) => atMs <= killedAtMs - borderlineMs);
  const name = `${operation.name} ${nameOf(kill)}`;
  const asked = server.calls.length;
  const found = skillFiles(place);
  const lost = tornFiles(found, unbroken);
  place.age();
  const failure = (await operation.goOn(place, server.model)) ?? (await otherEnd(bench, unbroken));
  const leftovers = [...skillFiles(place).keys()].filter(
    (file) => !unbroken.before.has(file) && !unbroken.after.has(file),
  );
  return { name, lost, leftovers, failure, ...paidAgain(server.calls, { asked, stored, unbroken }) };
}

function earlier(kill: Kill): Kill {
  if (kill.kind === 'time') return { ...kill, ms: Math.floor(kill.ms * 0.8) };
  return { ...kill, at: Math.max(1, Math.floor(kill.at * 0.9)) };
}

function nameOf(kill: Kill): string {
  return kill.kind === 'call' ? `${kill.how} file call ${kill.at}` : `after ${kill.ms} ms`;
}

/** Files whose bytes are neither those from before nor those from after, and those that are gone. */
function tornFiles(found: ReadonlyMap<string, string>, { before, after }: Unbroken): readonly string[] {
  return [...before.keys()].filter((file) => {
    const bytes = found.get(file);
    return bytes === undefined || (bytes !== before.get(file) && bytes !== after.get(file));
  });
}

/** An import that is made again adds its tasks under other names; every other command comes to the same end. */
async function otherEnd({ operation, place }: Bench, unbroken: Unbroken): Promise<string | undefined> {
  if (operation.name === 'tasks import') return undefined;
  const [text, wanted] = ['SKILL.md'].flatMap((file) => [skillFiles(place).get(file), unbroken.after.get(file)]);
  if (text !== wanted) return 'the skill came to another end';
  const proposal = await shown(place);
  return proposal === unbroken.proposal ? undefined : `another proposal: ${proposal} instead of ${unbroken.proposal}`;
}

/** The edits and the verdict of the proposal that waits. */
async function shown(place: CommandPlace): Promise<string> {
  const end = await place.run(['show', place.skillPath, '--json']);
  if (end.code !== 0) return 'none';
  const { verdict, documents }: Readonly<Record<string, unknown>> = JSON.parse(end.out);
  return JSON.stringify({ verdict, documents }).replaceAll(/"id":"[^"]*"/gu, '');
}

interface Payments {
  readonly asked: number;
  /** Replies that arrived long enough before the kill. */
  readonly stored: readonly { readonly key: string }[];
  readonly unbroken: Unbroken;
}

/** Answered calls beyond those of an unbroken command, by when the first answer to the same request arrived. */
function paidAgain(calls: readonly ServedCall[], { asked, stored, unbroken }: Payments) {
  const allowed = countsOf(unbroken.calls);
  const all = countsOf(calls.filter(({ answeredAt }) => answeredAt !== undefined));
  let [again, borderline] = [0, 0];
  for (const [key, count] of all) {
    const extra = Math.max(0, count - (allowed.get(key) ?? count));
    const sent = calls.slice(0, asked).filter((call) => call.key === key && call.answeredAt !== undefined).length;
    const late = sent - stored.filter((arrival) => arrival.key === key).length;
    again += extra;
    borderline += Math.max(0, Math.min(extra, late));
  }
  return { again, borderline };
}

function countsOf(calls: readonly ServedCall[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of calls) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function skillFiles(place: CommandPlace): ReadonlyMap<string, string> {
  return everythingBelow(path.dirname(place.skillPath));
}
