import { countTokens } from '../skill/countTokens.js';
import { stepsPerEpoch } from '../engine/batches.js';
import type { RunOptions } from '../engine/runOptions.js';
import { powerSentence } from '../gate/power.js';
import { estimate, type PlannedCalls, type Range } from '../models/estimate.js';
import { findPrice } from '../models/prices.js';
import { createRedactor } from '../redaction/redactor.js';
import type { Task } from '../tasks/task.js';
import { environmentNotes } from './environmentNotes.js';
import type { OpenSkill } from './openSkill.js';
import { modelNames, type RoleModels } from './runModels.js';
import type { SkillTasks } from './skillTasks.js';
import type { Preflight } from './workshop.js';

/** A usual answer, and the most that one may take. */
const answerTokens: Range = { low: 300, high: 1_200 };
const reflectionTokens: Range = { low: 500, high: 3_000 };
const judgementTokens: Range = { low: 80, high: 400 };
const mostPasses = 8;
const mostBlocks = 3;

/** What a run will do and may cost, before a cent is spent. */
export async function preflightOf(
  skill: OpenSkill,
  tasks: SkillTasks,
  options: RunOptions,
  bare: RoleModels,
): Promise<Preflight> {
  const { split } = tasks.result;
  const counts = { training: split.training.length, heldOut: split.heldOut.length, sealed: split.sealed.length };
  const attempts = attemptRange(counts, options);
  const taskTokens = meanTokens([...split.training, ...split.heldOut]) + countTokens(skill.text) + 60;
  const judged = shareJudged([...split.training, ...split.heldOut, ...split.sealed]) * options.judge.repeats;
  const plans: readonly PlannedCalls[] = [
    { calls: attempts, inputTokens: taskTokens, outputTokens: answerTokens, price: findPrice(bare.target.identity) },
    {
      calls: { low: Math.ceil(attempts.low * judged), high: Math.ceil(attempts.high * judged) },
      inputTokens: taskTokens + answerTokens.low,
      outputTokens: judgementTokens,
      price: findPrice(bare.judge.identity),
    },
    {
      calls: reflectionRange(counts.training, options),
      inputTokens: countTokens(skill.text) + options.reflect.minibatchSize * (taskTokens + answerTokens.low),
      outputTokens: reflectionTokens,
      price: findPrice(bare.optimizer.identity),
    },
  ];
  const { calls, tokens, usd } = estimate(plans);
  return {
    skillName: skill.name,
    skillPath: skill.places.skillPath,
    tasks: { ...counts, drafts: tasks.read.tasks.filter((task) => task.draft).length, setAside: split.setAside.length },
    problems: tasks.read.problems,
    models: modelNames(bare),
    calls,
    tokens,
    usd,
    power: powerSentence(counts.heldOut),
    notes: await notesFor(skill, tasks, options),
  };
}

function attemptRange(
  { training, heldOut, sealed }: { readonly training: number; readonly heldOut: number; readonly sealed: number },
  options: RunOptions,
): Range {
  const gated = options.gate.rule === 'off' ? 0 : heldOut;
  const certified = options.gate.rule === 'confident' ? 2 * heldOut : 0;
  const steps = options.train.epochs * stepsPerEpoch(training, options.train.batchSize);
  const variants = options.gate.attribution ? 8 : 0;
  return {
    low: gated + training * options.train.attempts + Math.min(2, gated) + certified + 2 * sealed,
    high:
      gated +
      options.train.epochs * training * options.train.attempts +
      steps * gated +
      mostBlocks * variants * training +
      mostPasses * certified +
      2 * sealed,
  };
}

function reflectionRange(training: number, options: RunOptions): Range {
  const minibatches = Math.ceil(training / options.reflect.minibatchSize) + 1;
  const steps = options.train.epochs * stepsPerEpoch(training, options.train.batchSize);
  return { low: 1, high: steps * (minibatches + 3) };
}

function shareJudged(tasks: readonly Task[]): number {
  const judged = tasks.filter(
    (task) => task.expectations.length > 0 || task.checks.some(({ check }) => check === 'rubric'),
  );
  return tasks.length === 0 ? 0 : judged.length / tasks.length;
}

function meanTokens(tasks: readonly Task[]): number {
  const total = tasks.reduce(
    (sum, task) => sum + countTokens([task.prompt, task.context ?? '', task.system ?? ''].join('\n')),
    0,
  );
  return tasks.length === 0 ? 0 : Math.ceil(total / tasks.length);
}

async function notesFor(skill: OpenSkill, tasks: SkillTasks, options: RunOptions): Promise<readonly string[]> {
  const redactor = createRedactor({ key: skill.store.key.mac('redaction') });
  const { found } = await redactor.redact(skill.text);
  return [
    ...(skill.places.note === undefined ? [] : [skill.places.note]),
    ...(found.length === 0
      ? []
      : [
          `The skill holds what looks like ${found.length === 1 ? 'a secret' : `${found.length} secrets`} (${[...new Set(found.map(({ kind }) => kind))].join(', ')}); a placeholder is sent instead.`,
        ]),
    ...(await environmentNotes(skill, tasks, options)),
  ];
}
