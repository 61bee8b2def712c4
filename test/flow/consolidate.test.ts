import assert from 'node:assert/strict';
import { explainHunks } from '../../src/review/explainHunks.js';
import { textsOf } from '../../src/review/proposalTexts.js';
import { environmentHooksOf } from '../../src/app/environments/environmentsFor.js';
import type { RegisteredEnvironment } from '../../src/ports/environment.js';
import { heldOutAttempts } from '../../src/engine/journal/diagnostics.js';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import type { Edit } from '../../src/skill/edits/edit.js';
import { aCheck, aHeldOutTask, aTrainingTask } from '../builders/aTask.js';
import { aNight, harm, memoryFile, nonsense, say, someTasks, type NightParts } from './consolidateWorld.js';

const nowhere: Edit = { op: 'replace', anchor: 'No such line.', content: 'x', rationale: '' };
/** A skill that says “gamma” where all tasks want it: an edit can only do harm. */
const passing = 'Say “gamma”.';

interface Row {
  readonly name: string;
  readonly gate: 'strict' | 'off';
  readonly stages: { readonly skill: boolean; readonly memory: boolean };
  readonly parts: NightParts;
  readonly action: string;
  readonly documents: readonly ('skill' | 'memory')[];
  readonly verdict?: string;
}

const both = { skill: true, memory: true };
const skillOnly = { skill: true, memory: false };
const memoryOnly = { skill: false, memory: true };

const table: readonly Row[] = [
  {
    name: 'gate on, memory off, an edit that helps: accepted',
    gate: 'strict',
    stages: skillOnly,
    parts: { aboutSkill: [say('alpha')] },
    action: 'accept_new_best',
    documents: ['skill'],
    verdict: 'accepted',
  },
  {
    name: 'gate on, memory off, an edit that changes nothing for the tasks: rejected',
    gate: 'strict',
    stages: skillOnly,
    parts: { aboutSkill: [nonsense] },
    action: 'reject',
    documents: [],
  },
  {
    name: 'gate on, memory off, an edit that does harm: rejected',
    gate: 'strict',
    stages: skillOnly,
    parts: {
      aboutSkill: [harm],
      tasks: wanting('gamma', 'delta'),
      memory: { path: 'CLAUDE.md', text: passing, evolve: false },
    },
    action: 'reject',
    documents: [],
  },
  {
    name: 'gate on, memory off, no edit: nothing done',
    gate: 'strict',
    stages: skillOnly,
    parts: { aboutSkill: [] },
    action: 'reject',
    documents: [],
  },
  {
    name: 'gate on, memory off, an edit without a place: nothing done',
    gate: 'strict',
    stages: skillOnly,
    parts: { aboutSkill: [nowhere] },
    action: 'reject',
    documents: [],
  },
  {
    name: 'gate on, memory on, both help: both accepted',
    gate: 'strict',
    stages: both,
    parts: { aboutSkill: [say('alpha')], aboutMemory: [say('beta')] },
    action: 'accept_new_best',
    documents: ['skill', 'memory'],
    verdict: 'accepted',
  },
  {
    name: 'gate on, memory on, only the skill’s edit helps: the skill alone',
    gate: 'strict',
    stages: both,
    parts: { aboutSkill: [say('alpha')], aboutMemory: [nonsense] },
    action: 'accept_new_best',
    documents: ['skill'],
    verdict: 'accepted',
  },
  {
    name: 'gate on, memory on, only the memory’s edit helps: the memory file alone',
    gate: 'strict',
    stages: both,
    parts: { aboutSkill: [nonsense], aboutMemory: [say('beta')] },
    action: 'accept_new_best',
    documents: ['memory'],
    verdict: 'accepted',
  },
  {
    name: 'gate on, memory on, neither helps: rejected',
    gate: 'strict',
    stages: both,
    parts: { aboutSkill: [nonsense], aboutMemory: [nonsense] },
    action: 'reject',
    documents: [],
  },
  {
    name: 'gate on, the memory stage alone: the memory file',
    gate: 'strict',
    stages: memoryOnly,
    parts: { aboutMemory: [say('alpha')] },
    action: 'accept_new_best',
    documents: ['memory'],
    verdict: 'accepted',
  },
  {
    name: 'gate on, no regression wanted, one task gets worse while the mean rises: rejected',
    gate: 'strict',
    stages: skillOnly,
    parts: {
      aboutSkill: [say('alpha'), say('beta'), harm],
      settings: { gate: { noRegression: true } },
      tasks: someTasks({ heldOut: [...someTasks().heldOut, wantsGamma()] }),
      memory: { path: 'CLAUDE.md', text: passing, evolve: false },
    },
    action: 'reject',
    documents: [],
  },
  {
    name: 'gate off, memory off, an edit: taken without being measured',
    gate: 'off',
    stages: skillOnly,
    parts: { aboutSkill: [say('alpha')] },
    action: 'greedy_applied',
    documents: ['skill'],
    verdict: 'unmeasured',
  },
  {
    name: 'gate off, memory off, an edit that does harm: taken all the same',
    gate: 'off',
    stages: skillOnly,
    parts: { aboutSkill: [harm] },
    action: 'greedy_applied',
    documents: ['skill'],
    verdict: 'unmeasured',
  },
  {
    name: 'gate off, memory on, edits for both: both taken',
    gate: 'off',
    stages: both,
    parts: { aboutSkill: [say('alpha')], aboutMemory: [say('beta')] },
    action: 'greedy_applied',
    documents: ['skill', 'memory'],
    verdict: 'unmeasured',
  },
  {
    name: 'gate off, memory on, no edit: nothing done',
    gate: 'off',
    stages: both,
    parts: { aboutSkill: [], aboutMemory: [] },
    action: 'greedy_noop',
    documents: [],
  },
  {
    name: 'gate off, memory off, no edit that could be applied: nothing done',
    gate: 'off',
    stages: skillOnly,
    parts: { aboutSkill: [nowhere] },
    action: 'greedy_noop',
    documents: [],
  },
];

describe('consolidate on a scripted model', () => {
  for (const { name, gate, stages, parts, action, documents, verdict } of table) {
    it(name, async () => {
      const own = parts.settings?.['gate'];
      const settings = { gate: { ...(typeof own === 'object' ? own : {}), rule: gate }, consolidate: stages };
      const night = await aNight({ ...parts, settings });
      const staged = night.result.kind === 'proposed' ? night.result.proposal.documents : [];
      assert.equal(night.action, action);
      assert.deepEqual(
        staged.map(({ kind }) => kind),
        documents,
      );
      assert.equal(night.result.kind === 'proposed' ? night.result.proposal.verdict.kind : undefined, verdict);
    });
  }
});

describe('consolidate', () => {
  const gateOff = { gate: { rule: 'off' } };

  it('asks nothing of held-out and sealed tasks while the gate is off', async () => {
    const { attempts, result } = await aNight({ settings: gateOff, aboutSkill: [say('alpha')] });
    assert.deepEqual([...new Set(attempts.map(({ phase }) => phase))], ['training']);
    assert.ok(result.kind === 'proposed' && result.proposal.sealed === undefined);
  });

  it('scores the sealed tasks before and after with the gate off where that was asked for', async () => {
    const settings = { gate: { rule: 'off', sealed: true } };
    const { attempts, result } = await aNight({ settings, aboutSkill: [say('alpha')] });
    assert.equal(attempts.filter(({ phase }) => phase === 'sealed').length, 4);
    assert.ok(result.kind === 'proposed');
    assert.deepEqual(result.proposal.sealed, { before: 0, after: 0.5, n: 2 });
  });

  it('stages suggestions as not measured where no task is held out, and never asks the sealed ones instead', async () => {
    const { attempts, result } = await aNight({ tasks: someTasks({ heldOut: [] }), aboutSkill: [say('alpha')] });
    assert.ok(result.kind === 'proposed' && result.proposal.verdict.kind === 'unmeasured');
    assert.equal(result.proposal.verdict.cause, 'no-held-out');
    assert.deepEqual([...new Set(attempts.map(({ phase }) => phase))], ['training']);
    assert.equal(result.proposal.sealed, undefined);
  });

  it('leaves a held-out task that leaked out of the measurement, and says which one it was', async () => {
    const tasks = someTasks();
    const twin = aHeldOutTask({ ...tasks.training[0], id: 'twin' });
    const night = await aNight({ tasks: { ...tasks, heldOut: [...tasks.heldOut, twin] }, aboutSkill: [say('alpha')] });
    const without = await aNight({ tasks, aboutSkill: [say('alpha')] });
    assert.ok(night.result.kind === 'proposed' && without.result.kind === 'proposed');
    assert.equal(night.result.proposal.verdict.kind, without.result.proposal.verdict.kind);
    assert.ok(!night.attempts.some(({ task }) => task.id === 'twin'));
    assert.ok(night.events.some((event) => event.kind === 'note' && event.text.includes('“twin”')));
  });

  it('never certifies where all held-out tasks leaked', async () => {
    const tasks = someTasks();
    const twin = aHeldOutTask({ ...tasks.training[0], id: 'twin' });
    const night = await aNight({ tasks: { ...tasks, heldOut: [twin] }, aboutSkill: [say('alpha')] });
    assert.ok(night.result.kind === 'proposed' && night.result.proposal.verdict.kind === 'unmeasured');
    assert.equal(night.result.proposal.verdict.cause, 'leaked');
    assert.equal(night.action, 'reject_unverified');
    assert.equal(night.attempts.filter(({ phase }) => phase === 'heldOut').length, 0);
  });

  it('certifies the pair on fresh attempts under the confident rule', async () => {
    const settings = { gate: { rule: 'confident' }, consolidate: { memory: true } };
    const { result, events } = await aNight({ settings, aboutSkill: [say('alpha')], aboutMemory: [say('beta')] });
    assert.ok(result.kind === 'proposed');
    assert.equal(result.proposal.verdict.kind, 'accepted');
    assert.ok(events.some((event) => event.kind === 'certification'));
    assert.deepEqual(
      result.proposal.documents.map(({ kind }) => kind),
      ['skill', 'memory'],
    );
    for (const document of result.proposal.documents) {
      const { hunks } = explainHunks(textsOf(document), document.edits);
      assert.ok(hunks.length > 0 && hunks.every(({ edits }) => edits.length > 0), document.path);
    }
  });

  it('stages neither part where the pair is not shown to be better than the original', async () => {
    const settings = { gate: { rule: 'confident' }, consolidate: { memory: true } };
    const { result, events } = await aNight({
      settings,
      target: luckyInSelection,
      aboutSkill: [say('alpha')],
      aboutMemory: [say('beta')],
    });
    assert.ok(result.kind === 'nothing');
    assert.equal(result.nothing.cause, 'edits-did-not-help');
    assert.match(result.nothing.reason, /nothing is staged/);
    assert.ok(events.some((event) => event.kind === 'verdict' && event.proposalId === undefined));
    assert.deepEqual(
      result.rejected.map(({ content }) => content),
      ['- Say “alpha”.', '- Say “beta”.'],
    );
  });

  it('edits the memory file inside its learned block alone', async () => {
    const settings = { consolidate: { skill: false, memory: true } };
    const outside: Edit = { op: 'replace', anchor: 'Be kind.', content: 'Say “beta”.', rationale: '' };
    const refused = await aNight({ settings, aboutMemory: [outside] });
    assert.ok(refused.result.kind === 'nothing');
    assert.equal(refused.result.nothing.cause, 'edits-did-not-apply');
    const { result } = await aNight({ settings, aboutMemory: [say('beta')] });
    assert.ok(result.kind === 'proposed');
    const [document] = result.proposal.documents;
    assert.ok(document !== undefined && document.candidateText.startsWith(memoryFile.trimEnd()));
    assert.match(document.candidateText, /SKILLOPT-SLEEP:LEARNED START -->[\s\S]*- Say “beta”\.[\s\S]*LEARNED END/);
    assert.deepEqual(
      document.edits.map(({ id }) => id),
      ['M1'],
    );
  });

  it('rolls the training tasks out again under the new skill before it reflects on the memory file', async () => {
    const settings = { consolidate: { memory: true } };
    const { attempts } = await aNight({ settings, aboutSkill: [say('alpha')], aboutMemory: [say('beta')] });
    const training = attempts.filter(({ phase }) => phase === 'training');
    assert.deepEqual(
      training.map((request) => request.skill?.includes('alpha')),
      [...Array<boolean>(6).fill(false), ...Array<boolean>(6).fill(true)],
    );
    assert.ok(training.every(({ memory }) => memory === memoryFile));
  });

  it('reads the memory file and leaves it alone where several skills share the night', async () => {
    const memory = { path: 'CLAUDE.md', text: memoryFile, evolve: false };
    const { result, attempts } = await aNight({
      settings: { consolidate: { memory: true } },
      memory,
      aboutSkill: [say('alpha')],
    });
    assert.ok(result.kind === 'proposed');
    assert.deepEqual(
      result.proposal.documents.map(({ kind }) => kind),
      ['skill'],
    );
    assert.ok(attempts.every((request) => request.memory === memoryFile));
  });

  it('attempts each training task as often as is asked for, and contrasts attempts that disagree', async () => {
    let turn = 0;
    const target: NightParts['target'] = ({ messages }) =>
      messages.some(({ content }) => content.includes('Say “'))
        ? 'alpha beta'
        : turn++ % 2 === 0
          ? 'alpha'
          : 'Nothing.';
    const { optimizer, attempts } = await aNight({
      settings: { train: { attempts: 3 }, gate: { rule: 'off' } },
      target,
      aboutSkill: [say('beta')],
    });
    assert.equal(attempts.filter(({ phase }) => phase === 'training').length, 18);
    assert.match(optimizer.requests[0]?.messages[0]?.content ?? '', /Good attempt/);
  });

  it('trains on variants and recalled tasks, and names the person’s own tasks as the source of a lesson', async () => {
    const recalled = [aTrainingTask({ id: 'recall:old', prompt: 'An old job.' })];
    const { result, attempts } = await aNight({
      settings: { consolidate: { variants: 2 }, gate: { rule: 'off' } },
      recalled,
      aboutSkill: [say('alpha')],
    });
    assert.equal(attempts.filter(({ phase }) => phase === 'training').length, 6 * 3 + 1);
    assert.ok(result.kind === 'proposed');
    const lessons = result.proposal.documents[0]?.edits[0]?.lessonsFrom ?? [];
    assert.ok(lessons.includes('training-0') && lessons.includes('recall:old'), lessons.join());
    assert.ok(lessons.every((id) => !id.includes('~')));
  });

  it('tells in its diagnosis the attempts before and after apart also where the skill stays as it is', async () => {
    const settings = { consolidate: { skill: false, memory: true } };
    const { events } = await aNight({ settings, aboutMemory: [say('alpha'), say('beta')] });
    const started = events.find((event) => event.kind === 'attempt');
    assert.ok(started?.kind === 'attempt');
    const rows = heldOutAttempts(events, someTasks().heldOut, started.skillHash);
    const scores = rows.map(({ before, after }) =>
      [before, after].map((event) => (event?.outcome.kind === 'scored' ? event.outcome.hard : undefined)),
    );
    // The others are not attempted: they could not change the answer any more.
    assert.deepEqual(
      scores.filter(([, after]) => after !== undefined),
      [
        [0, 1],
        [0, 1],
      ],
    );
  });

  it('evaluates no text twice on held-out tasks', async () => {
    const settings = { consolidate: { memory: true } };
    const { attempts } = await aNight({ settings, aboutSkill: [say('alpha')], aboutMemory: [say('beta')] });
    const asked = attempts
      .filter(({ phase }) => phase === 'heldOut')
      .map(({ skill: text, memory, task, attempt, family }) =>
        JSON.stringify([text, memory, task.id, attempt, family]),
      );
    assert.equal(new Set(asked).size, asked.length);
  });

  it('takes edits of an environment’s own for either document, each asked for in its scope', async () => {
    const asked: string[] = [];
    const environment: RegisteredEnvironment = {
      name: 'chat',
      rollout: () => Promise.reject(new Error('not asked')),
      reflect: async (attempts, _, { document, scope, memory }) => {
        asked.push(`${document} ${scope} ${attempts.length} ${memory}`);
        const edit = say(document === 'skill' ? 'alpha' : 'beta');
        return { edits: edit.op === 'append' ? [edit] : [] };
      },
    };
    const nothing = { regexSources: [], references: [], taskTexts: [] };
    const hooks = environmentHooksOf([environment], { unseen: () => nothing });
    const { result, action } = await aNight({ settings: { consolidate: { memory: true } }, hooks });
    assert.deepEqual(asked, [`skill body 6 ${memoryFile}`, `memory learned 6 ${memoryFile}`]);
    assert.equal(action, 'accept_new_best');
    const documents = result.kind === 'proposed' ? result.proposal.documents : [];
    assert.deepEqual(
      documents.map(({ kind, edits }) => [kind, ...edits.map(({ environment: name }) => name)]),
      [
        ['skill', 'chat'],
        ['memory', 'chat'],
      ],
    );
  });

  it('gives the same proposal for the same night', async () => {
    const parts = {
      settings: { consolidate: { memory: true } },
      aboutSkill: [say('alpha')],
      aboutMemory: [say('beta')],
    };
    const [one, other] = [await aNight(parts), await aNight(parts)];
    assert.deepEqual(one.result, other.result);
  });
});

function wanting(...words: readonly string[]): NonNullable<NightParts['tasks']> {
  const tasks = someTasks();
  const check = (index: number) => ({ checks: [aCheck('contains', { text: words[index % words.length] ?? '' })] });
  return {
    ...tasks,
    training: tasks.training.map((task, index) => ({ ...task, ...check(index) })),
    heldOut: tasks.heldOut.map((task, index) => ({ ...task, ...check(index) })),
  };
}

function wantsGamma() {
  return aHeldOutTask({ id: 'gamma', prompt: 'Job gamma.', checks: [aCheck('contains', { text: 'gamma' })] });
}

/** Obeys only in the samples that selection looks at: what was selected was luck. */
function luckyInSelection({ dependsOn = [], messages }: ModelRequest): string {
  if (dependsOn.some((family) => family.startsWith('certification'))) return 'Nothing.';
  const text = messages.map(({ content }) => content).join('\n');
  return [...text.matchAll(/Say “(\w+)”/g)].map(([, word]) => word).join(' ');
}
