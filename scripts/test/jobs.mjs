// Runs processes side by side, as many at once as there are lanes, and gives what came of each.
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { joinPlainTries, joinTries, repeatable, scriptsToRepeat } from './secondTries.mjs';

/**
 * With one lane each is shown as it runs; with several each is shown when it ends, so that no two are mixed, and those
 * that are `aside` have a lane of their own beside the others. One that `needs` steps begins when all of them have ended.
 */
export async function runJobs(jobs, { root, lanes, results }) {
  const outcomes = [];
  const place = { root, results, isShownLive: lanes === 1 };
  const isAside = ({ aside }) => lanes > 1 && aside === true;
  const left = [...jobs];
  const running = new Set();
  const isReady = ({ needs = [] }) => !needs.some((step) => [...left, ...running].some((other) => other.step === step));
  const ends = new EventEmitter();
  const lane = async (takes) => {
    while (left.some(takes)) {
      const job = left.find((each) => takes(each) && isReady(each));
      if (job === undefined) {
        await once(ends, 'end');
        continue;
      }
      left.splice(left.indexOf(job), 1);
      running.add(job);
      outcomes.push(await runJob(job, place));
      running.delete(job);
      ends.emit('end');
    }
  };
  const others = Array.from({ length: lanes }, () => lane((job) => !isAside(job)));
  await Promise.all([lane(isAside), ...others]);
  return outcomes;
}

async function runJob(job, place) {
  const first = await tryJob(job, place);
  const { scripts } = job;
  if (scripts === undefined) return again(job, first, place);
  if (first.failed === 0) return { ...first, scriptCount: Object.keys(first.scripts).length };
  const repeated = scriptsToRepeat(job, first);
  const second = await tryJob({ ...job, name: `${job.name}, once more`, scripts: repeated }, place);
  return { ...joinTries(first, second, repeated), scriptCount: scripts.length };
}

/** A few tests in plain Node that failed are run once more, by themselves. */
async function again(job, first, place) {
  const pattern = repeatable(first);
  if (pattern === undefined) return first;
  const run = [...job.run, '--grep', pattern];
  return joinPlainTries(first, await tryJob({ ...job, name: `${job.name}, once more`, run }, place));
}

async function tryJob({ step, name = step, run, scripts = [], counts, env: own = {} }, { root, results, isShownLive }) {
  const started = Date.now();
  const at = (end) => path.join(results, `${name.replaceAll(/\W/g, '-')}.${end}`);
  const title = `\n== ${name}\n`;
  const shown = isShownLive ? undefined : openSync(at('txt'), 'w');
  if (isShownLive) process.stdout.write(title);
  const env = { ...process.env, ...own, ...(counts ? { WHETSTONE_RESULT: at('json') } : {}) };
  const output = shown ?? 'inherit';
  const [command, ...words] = [...run, ...scripts];
  const ok = await ended(spawn(command, words, { cwd: root, stdio: ['inherit', output, output], env }));
  if (shown !== undefined) {
    closeSync(shown);
    process.stdout.write(`${title}${readFileSync(at('txt'), 'utf8')}`);
  }
  const seconds = Math.round((Date.now() - started) / 1000);
  return { step, name, seconds, ...(counts ? readCounts(at('json'), { name, ok }) : oneTest(name, ok)) };
}

function ended(child) {
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

function oneTest(name, ok) {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, problems: ok ? [] : [name] };
}

/** A floor that failed without a failed test (it crashed, or never started) is one failure, never silence. */
function readCounts(file, { name, ok }) {
  const counts = { passed: 0, failed: 0, skipped: 0, problems: [], failedTitles: [], scripts: {}, ...readJson(file) };
  rmSync(file, { force: true });
  if (ok || counts.failed > 0) return counts;
  return { ...counts, failed: 1, problems: [`${name} ended without saying what failed`] };
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
