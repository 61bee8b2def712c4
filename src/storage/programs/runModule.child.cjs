// Runs one environment that is a module, in a process of its own: reads one line of JSON, loads the module that is
// named, lets it make the attempt, or those of a batch, or answer what it is asked, and writes what it gives back, a line
// each. Everything else that the module prints goes to standard error. What it throws ends the process, and with it the attempt.
'use strict';
const { spawnSync } = require('node:child_process');
const { Console } = require('node:console');
const { register } = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

main().catch((error) => {
  const said = error instanceof Error ? `${error.message}${whereOf(error)}` : String(error);
  process.stderr.write(`\n${said}\n`, () => process.exit(1));
});

async function main() {
  globalThis.console = new Console(process.stderr, process.stderr);
  const line = JSON.parse(await everything(process.stdin));
  const environment = await environmentIn(process.argv.at(-1), line.ask);
  await environment.setup?.({ options: line.options, seed: line.seed });
  if (line.ask === undefined) await makeAttempts(environment, line);
  else await tell(await answerOf(environment, line));
  process.exit(0);
}

/** The file and line that an error comes from, where it is one of the module's own. */
function whereOf(error) {
  const found = /(file:\/\/\S+?)(?:\?again)?:(\d+):\d+/u.exec(error.stack ?? '') ?? whereUnread(error);
  if (!found) return '';
  const file = path.relative(process.cwd(), found[1].startsWith('file:') ? fileURLToPath(found[1]) : found[1]);
  return file.startsWith('..') ? '' : ` (${file}, line ${found[2]})`;
}

/** A file that is no JavaScript is not named by what loads it; looking at its syntax alone tells the line. */
function whereUnread(error) {
  if (!(error instanceof SyntaxError)) return undefined;
  const looked = spawnSync(process.execPath, ['--check', path.resolve(process.argv.at(-1))], { encoding: 'utf8' });
  return /^(.+):(\d+)$/mu.exec(looked.stderr ?? '');
}

async function makeAttempts(environment, line) {
  const attempts = (line.attempts ?? [line]).map(({ target, ...attempt }) => ({
    ...attempt,
    family: attempt.sample,
    target: target && targetAt(target),
  }));
  const batch = line.batch ?? { phase: line.phase, split: line.split, seed: line.seed, batch_size: 1 };
  const env = await environment.buildEnv?.({ batch, attempts, options: line.options });
  try {
    if (line.attempts === undefined)
      await tell({ id: line.task.id, ...asProgram(await environment.rollout(attempts[0], env)) });
    else await rollOutBatch(environment, { batch, attempts, options: line.options }, env);
  } finally {
    await environment.closeEnv?.(env);
  }
}

/** For each question the method that answers it, and the name of its answer. */
const methods = {
  items: ['items', 'items'],
  skill: ['initialSkill', 'skill'],
  types: ['taskTypes', 'types'],
  representatives: ['representatives', 'ids'],
  batches: ['planBatches', 'batches'],
  edits: ['reflect', 'remarks'],
};

/** A method may give the answer itself, or all that a program would write. */
async function answerOf(environment, { ask, batch_size: batchSize, ...line }) {
  const [method, name] = methods[ask];
  const given = await environment[method]({ ...line, ...(batchSize !== undefined && { batchSize }) });
  if (ask === 'edits') return typeof given === 'string' ? { remarks: given } : (given ?? {});
  return isWhole(given, name) ? given : { [name]: given };
}

/** Whether it is an object with the answer in it under its name, and not the answer, in which such a name may stand too. */
function isWhole(given, name) {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  return isObject && Object.hasOwn(given, name) && typeof given[name] === (name === 'skill' ? 'string' : 'object');
}

/** All in one call where the module has a way to do that, else one after the other in the same process. */
async function rollOutBatch(environment, given, env) {
  if (typeof environment.rolloutBatch === 'function') {
    for (const result of await environment.rolloutBatch(given, env)) await tell(result);
    return;
  }
  for (const attempt of given.attempts) {
    const named = { id: attempt.task.id, attempt: attempt.attempt };
    const said = Promise.resolve().then(async () => asProgram(await environment.rollout(attempt, env)));
    await tell(
      await said.then(
        (result) => ({ ...named, ...result }),
        (error) => ({ ...named, error: String(error) }),
      ),
    );
  }
}

/** What an environment of an extension or of the library gives back, in the words of a program; anything else as it is. */
function asProgram(result) {
  if (result?.kind === 'invalid') throw new Error(result.reason);
  if (result?.kind !== 'answered') return result;
  const { answer, scores, failure, transcript = [], extras = {} } = result;
  const judged = scores ?? (failure === undefined ? undefined : { hard: 0, soft: 0, reason: failure });
  return {
    ...extras,
    predicted_answer: answer,
    conversation: transcript.map(asEntry),
    ...(judged && { hard: judged.hard, soft: judged.soft, fail_reason: judged.reason }),
  };
}

function asEntry({ kind, role, text, name, arguments: given, result, action, feedback, reasoning }) {
  if (kind === 'message') return { role, content: text };
  if (kind === 'tool') return { type: 'tool_call', cmd: `${name} ${given}`, obs: result };
  return { action, env_feedback: feedback, reasoning };
}

function tell(result) {
  return new Promise((told) => process.stdout.write(`\n${JSON.stringify(result)}\n`, told));
}

/** The run's target as a function: messages, or a request with `messages` and what else such servers take. */
function targetAt({ url, token }) {
  return async (asked) => {
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(Array.isArray(asked) ? { messages: asked } : asked),
    });
    const answer = await response.json();
    if (!response.ok) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    const [{ message, finish_reason: finish }] = answer.choices;
    return { text: message.content ?? '', toolCalls: message.tool_calls ?? [], finish, usage: answer.usage };
  };
}

async function everything(stream) {
  let text = '';
  for await (const part of stream.setEncoding('utf8')) text += part;
  return text;
}

/** The default export: an object with what it is to do, with or without `defineEnvironment` around it. */
async function environmentIn(file, ask) {
  const { href } = pathToFileURL(path.resolve(file));
  const { default: environment } = await import(href).catch((error) => importAgain(href, error));
  const needed = ask === undefined ? ['rollout', 'rolloutBatch'] : [methods[ask][0]];
  if (needed.some((name) => typeof environment?.[name] === 'function')) return environment;
  throw new Error(`The default export of ${file} has no function “${needed[0]}”.`);
}

/** In the throw-away copy nothing is installed: `import { defineEnvironment } from 'whetstone'` is answered here. */
async function importAgain(href, error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes("'whetstone'")) throw error;
  const own = asUrl('export const defineEnvironment = (environment) => environment;');
  const hook = `export const resolve = (name, context, next) =>
    name === 'whetstone' ? { url: ${JSON.stringify(own)}, shortCircuit: true } : next(name, context);`;
  register(asUrl(hook));
  return import(`${href}?again`);
}

function asUrl(text) {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}
