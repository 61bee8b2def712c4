// `npm run test:mutation`: changes the source in small ways, one at a time, and looks whether a test notices.
//   node scripts/mutation.mjs                    600 mutants over the rooms below, at most 60 minutes
//   node scripts/mutation.mjs applyEdits gate/   only of files whose path contains one of these words, all that fit the count
//   node scripts/mutation.mjs --seed 17 --count 100 --minutes 10
//   node scripts/mutation.mjs --seed 17 --resume the same sample, without those that an earlier run of it has tried
// A mutant is tried on the tests that import its file directly or at one remove, and, where it survives those, on further
// ones that reach it. A test that fails, or that takes much longer than it did, kills it. Not part of `npm test`.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mutantsOf } from './mutation/mutants.mjs';
import { chosenRandom, sample } from './mutation/sample.mjs';
import { importGraph } from './mutation/testsOf.mjs';
import { tryMutants } from './mutation/tryMutants.mjs';
import { testFiles } from './host/suites.mjs';

const root = path.resolve(import.meta.dirname, '..');

/** A file is of the first room that names it. */
const rooms = {
  doors: [
    'src/wording/shownText.ts',
    'src/cli/terminal.ts',
    'src/storage/files/writeInside.ts',
    'src/storage/files/insideFolder.ts',
    'src/storage/adoption/documentTarget.ts',
    'src/app/proposals/editorWrites.ts',
  ],
  skill: ['src/skill/'],
  gate: ['src/gate/'],
  storage: ['src/storage/'],
  redaction: ['src/redaction/'],
};
const leastOfRoom = 60;
const lanes = 2;

const { words, seed, count, minutes, resume } = readChoice(process.argv.slice(2));
const triedFile = path.join(root, 'out', `mutation-${seed}.jsonl`);
const equivalent = JSON.parse(readFileSync(path.join(root, 'scripts/mutation/equivalent.json'), 'utf8'));
const deadline = Date.now() + minutes * 60_000;
const out = path.join(root, 'out', `mutation-${process.pid}`);
mkdirSync(out, { recursive: true });
try {
  await run();
} finally {
  rmSync(out, { recursive: true, force: true });
}

async function run() {
  const graph = await importGraph(root, testsOfFloors());
  const all = Object.keys(rooms).flatMap((room) => filesOf(room, graph).flatMap((file) => mutantsIn(room, file)));
  const chosen = sample(all, { count, leastOfRoom, random: chosenRandom(seed) });
  say(`${chosen.length} of ${all.length} mutants, seed ${seed}, at most ${minutes} minutes`);
  const before = resume ? triedBefore(chosen) : [];
  if (!resume) rmSync(triedFile, { force: true });
  const left = chosen.filter((mutant) => !before.some((each) => isOneAndTheSame(each, mutant)));
  if (before.length > 0) say(`${before.length} of them were tried before`);
  const keep = (result) => appendFileSync(triedFile, `${JSON.stringify({ ...result, text: undefined })}\n`);
  const results = await tryMutants(left, { root, out, graph, lanes, deadline, say, keep });
  report([...before, ...results], chosen.length);
}

function triedBefore(chosen) {
  if (!existsSync(triedFile)) return [];
  return readFileSync(triedFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter((each) => chosen.some((mutant) => isOneAndTheSame(each, mutant)));
}

function isOneAndTheSame(a, b) {
  return a.file === b.file && a.start === b.start && a.end === b.end && a.to === b.to;
}

function mutantsIn(room, file) {
  const text = readFileSync(path.join(root, file), 'utf8');
  return mutantsOf(file, text)
    .filter((mutant) => !equivalent.some((each) => isSame(each, mutant)))
    .map((mutant) => ({ ...mutant, room, file }));
}

/** By what stands there, so that a line that moves is still known. */
function isSame({ file, from, to, line }, mutant) {
  return file === mutant.file && from === mutant.from && to === mutant.to && mutant.lineText.includes(line);
}

function filesOf(room, graph) {
  return graph.sources
    .filter((file) => roomOf(file) === room)
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
}

function roomOf(file) {
  return Object.keys(rooms).find((room) => rooms[room].some((place) => file.startsWith(place)));
}

function report(results, wanted) {
  const ofRoom = Object.keys(rooms).map((room) => ({ room, own: results.filter((each) => each.room === room) }));
  const lines = [
    '| room | mutants | killed | by time | survived | no test | score |',
    '|---|---|---|---|---|---|---|',
    ...[...ofRoom.filter(({ own }) => own.length > 0), { room: 'all', own: results }].map(rowOf),
    '',
    'Survivors:',
    ...results.filter(({ outcome }) => outcome === 'survived' || outcome === 'untested').map(lineOf),
  ];
  say(`\n${lines.join('\n')}`);
  if (results.length < wanted) say(`\nThe time ran out: ${results.length} of ${wanted} were tried.`);
  writeFileSync(path.join(root, 'out/mutation.md'), `Seed ${seed}\n\n${lines.join('\n')}\n`);
  say(`\nseed ${seed}; out/mutation.md`);
}

function rowOf({ room, own }) {
  const number = (kind) => own.filter(({ outcome }) => outcome === kind).length;
  const tried = own.length - number('broken');
  const dead = number('killed') + number('slow');
  const score = tried === 0 ? '' : `${Math.round((dead / tried) * 100)} %`;
  return `| ${room} | ${tried} | ${number('killed')} | ${number('slow')} | ${number('survived')} | ${number('untested')} | ${score} |`;
}

function lineOf({ file, line, from, to, outcome, lineText }) {
  return `- ${file}:${line} ${short(from)} → ${short(to)}${outcome === 'untested' ? ' (no test)' : ''} in \`${lineText.trim().slice(0, 120)}\``;
}

function short(text) {
  const flat = text.replaceAll(/\s+/g, ' ');
  return `\`${flat.length > 60 ? `${flat.slice(0, 57)}...` : flat}\``;
}

function testsOfFloors() {
  return ['unit', 'flow'].flatMap((floor) => testFiles(path.join(root, 'test', floor)));
}

function readChoice(argv) {
  const rest = [...argv];
  const number = (name, usual) => {
    const at = rest.indexOf(name);
    if (at < 0) return usual;
    const value = Number(rest.splice(at, 2)[1]);
    if (Number.isSafeInteger(value) && value > 0) return value;
    process.stderr.write(`${name} takes a whole number above 0.\n`);
    process.exit(2);
  };
  const choice = {
    seed: number('--seed', 1 + (Date.now() % 0x7fff_fffe)),
    count: number('--count', 600),
    minutes: number('--minutes', 60),
  };
  const flag = rest.indexOf('--resume');
  if (flag >= 0) rest.splice(flag, 1);
  return { ...choice, resume: flag >= 0, words: rest };
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
