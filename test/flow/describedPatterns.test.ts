import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ImportResult } from '../../src/app/tasks/taskFiles.js';
import { optimizeJson } from '../../src/cli/commands/optimize.js';
import { resultText } from '../../src/cli/resultText.js';
import { openTerminal } from '../../src/cli/terminal.js';
import type { Edit } from '../../src/skill/edits/edit.js';
import { aCertificationWorld, type CertificationWorld } from './certificationWorld.js';

const worlds: CertificationWorld[] = [];
const plainTerminal = openTerminal({
  color: false,
  live: false,
  columns: 80,
  out: () => undefined,
  err: () => undefined,
});
const neverAborted = new AbortController().signal;
const subjects = 'login checkout search upload invoice refund export webhook billing profile cache queue'.split(' ');
const inWords =
  'A line of the answer is “Risk: high”, “Risk: medium” or “Risk: low” and nothing else. Capital and small letters count as written.';
const risk = '(?m)^Risk: (high|medium|low)$';
/** A line and its very first word again: no words say that. */
const twice = String.raw`(?m)^(\w+): .* \1$`;

describe('tasks of another tool that look for patterns', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('teach what their patterns demand, because it is put into words', async () => {
    const { world } = await imported(risk);
    const { result } = await world.optimize();
    assert.equal(result.proposal?.verdict.kind, 'accepted');
    assert.match(result.proposal?.documents[0]?.candidateText ?? '', /“Risk: high”/);
    const prompt = world.optimizerAsked[0]?.messages[0]?.content ?? '';
    assert.ok(prompt.includes(inWords));
    assert.ok(!prompt.includes('(high|medium|low)'));
  });

  it('are named at import, before a run and after it where no words can say what they demand', async () => {
    const { world, result } = await imported(twice);
    assert.deepEqual(
      result.notes.filter(({ kind }) => kind === 'not-described').map(({ taskId, field }) => [taskId, field]),
      taskIds(world).map((id) => [id, 'regex']),
    );
    const training = trainingIds(world);
    const named = training
      .slice(0, 5)
      .map((id) => `${id} (regex)`)
      .join(', ');
    const sentence = `The optimizer is not told what 6 checks of training tasks demand: ${named} and 1 more. Say it in their field “criterion” in evals/whetstone.json.`;
    const preflight = await world.preflight();
    assert.ok(preflight.notes.includes(sentence), preflight.notes.join('\n'));
    assert.deepEqual(
      preflight.undescribed.map(({ taskId, check }) => [taskId, check]),
      training.map((id) => [id, 'regex']),
    );
    const { result: ran } = await world.optimize();
    assert.equal(ran.proposal, undefined);
    assert.equal(ran.noProposal?.undescribed, sentence);
    assert.ok((await world.report()).includes(sentence));
    assert.ok(resultText(ran, 'words', plainTerminal).includes(sentence));
    assert.equal(optimizeJson(ran)['undescribed'], sentence);
  });

  it('teach it as soon as a person says it, and are named no longer', async () => {
    const { world } = await imported(twice);
    describeAll(world, 'The answer is the line “Risk: high Risk”.');
    const preflight = await world.preflight();
    assert.deepEqual(preflight.undescribed, []);
    assert.ok(preflight.notes.every((note) => !note.includes('criterion')));
    const { result } = await world.optimize();
    assert.equal(result.proposal?.verdict.kind, 'accepted');
  });

  it('keep a pattern to themselves that is hidden', async () => {
    const { world } = await imported(risk);
    changeChecks(world, (check) => ({ ...check, hidden: true }));
    assert.deepEqual((await world.preflight()).undescribed, []);
    const { result } = await world.optimize();
    assert.equal(result.proposal, undefined);
    assert.ok(world.optimizerAsked.every(({ messages }) => !/Risk/.test(messages[0]?.content ?? '')));
  });
});

/** A skill with nothing but tasks of promptfoo, an optimizer that repeats what it is told, and a target that obeys. */
async function imported(
  pattern: string,
): Promise<{ readonly world: CertificationWorld; readonly result: ImportResult }> {
  const world = aCertificationWorld({
    edits: asTold,
    ability: (skill) => /“(Risk: high[^”]*)”/u.exec(skill)?.[1] ?? 'It looks risky.',
  });
  worlds.push(world);
  rmSync(fileOf(world, 'evals.json'));
  rmSync(fileOf(world, 'whetstone.json'));
  const file = path.join(path.dirname(world.skillPath), 'promptfooconfig.yaml');
  const tests = subjects.map((subject) => ({
    vars: { subject: `the ${subject} of our shop, seen from ${subject} alone` },
    assert: [{ type: 'regex', value: pattern }],
  }));
  writeFileSync(file, JSON.stringify({ prompts: ['How risky is {{subject}}?'], tests }));
  const place = { skillPath: world.skillPath, workspaceFolders: [] };
  const source = { path: file, ratio: '1:1:0' };
  return { world, result: await world.useCases.importTasks({ ...place, source }, neverAborted) };
}

/** One rule for each criterion that it is shown as failing, in the criterion's own words. */
function asTold(prompt: string): readonly Edit[] {
  const told = [...prompt.matchAll(/^- \d+ of \d+: (.+)$/gmu)].map(([, sentence = '']) => sentence);
  return [...new Set(told)].map((sentence) => ({
    op: 'append',
    content: `- ${sentence}`,
    rationale: 'It is asked for.',
  }));
}

interface Mine {
  readonly tasks: Record<string, { readonly split: string; checks: readonly Readonly<Record<string, unknown>>[] }>;
}

function read(world: CertificationWorld): Mine {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file that the import wrote
  return JSON.parse(readFileSync(fileOf(world, 'whetstone.json'), 'utf8')) as Mine;
}

function taskIds(world: CertificationWorld): readonly string[] {
  return Object.keys(read(world).tasks);
}

function trainingIds(world: CertificationWorld): readonly string[] {
  return Object.entries(read(world).tasks).flatMap(([id, { split }]) => (split === 'training' ? [id] : []));
}

function describeAll(world: CertificationWorld, criterion: string): void {
  changeChecks(world, (check) => ({ ...check, criterion }));
}

function changeChecks(
  world: CertificationWorld,
  change: (check: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): void {
  const mine = read(world);
  for (const task of Object.values(mine.tasks)) task.checks = task.checks.map(change);
  writeFileSync(fileOf(world, 'whetstone.json'), JSON.stringify(mine));
}

function fileOf(world: CertificationWorld, name: string): string {
  return path.join(path.dirname(world.skillPath), 'evals', name);
}
