import assert from 'node:assert/strict';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { candidateNotes, candidateRows } from '../../src/wording/candidateText.js';
import { english } from '../../src/wording/translate.js';
import { anOptimizer, aRun, edits, guidance, say, skillText } from '../builders/aRunContext.js';
import { aSplit, wants } from '../builders/aSplit.js';
import { aNight, memoryFile, say as inNight } from './consolidateWorld.js';
import { aWorkspace, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';

const workspaces: TestWorkspace[] = [];
const twoMeasures = { choice: { measures: ['score', 'skill-tokens'] } };
/** It passes its tasks, and says one thing twice. */
const wordy = `${skillText}\n- Always use the word “fathoms”.\n- Be kind.\n- Mention “fathoms”.\n`;

describe('a choice by more than one measure', () => {
  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));

  it('shortens an over-long skill at the same score, and the same run without it leaves it as it is', async () => {
    const without = await wordyWorkspace().optimize();
    assert.equal(without.proposal, undefined);
    const { proposal } = await wordyWorkspace().optimize({ settings: twoMeasures });
    assert.equal(proposal?.verdict.kind, 'accepted');
    assert.equal(proposal.documents[0]?.candidateText, wordy.replace('- Mention “fathoms”.\n', ''));
    assert.deepEqual([proposal.verdict.figures.before, proposal.verdict.figures.after], [1, 1]);
  });

  it('spends nothing on held-out tasks before the certification', async () => {
    const events: RunEvent[] = [];
    await wordyWorkspace().optimize({ settings: twoMeasures, onEvent: (event) => events.push(event) });
    const stages = new Set(
      attemptsIn(events)
        .filter(({ taskId }) => taskId.startsWith('heldOut'))
        .map(({ stage }) => stage),
    );
    assert.deepEqual([...stages], ['certify']);
  });

  it('tries no text twice on a task, and learns from those very attempts', async () => {
    const run = await aFrontRun({});
    const training = run.attempts.filter(
      ({ task, family }) => task.id.startsWith('training') && !family.startsWith('attribution'),
    );
    assert.ok(training.every(({ family }) => family === 'front:42'));
    const keys = training.map(({ task, skill, attempt }) => JSON.stringify([task.id, skill, attempt]));
    assert.equal(new Set(keys).size, keys.length);
  });

  it('keeps what is the best on some task as a parent, and puts two such together', async () => {
    const { result, events } = await aFrontRun({});
    assert.equal(result.kind, 'proposed');
    assert.match(textOf(result), /Say “alpha”[\s\S]*Say “beta”/);
    const fronts = events.filter((event) => event.kind === 'front');
    assert.ok(
      fronts.some(({ rows }) => rows.length > 1),
      'never two candidates on the front',
    );
    assert.equal(fronts.at(-1)?.rows.find(({ hash }) => hash === fronts.at(-1)?.choiceHash)?.score, 1);
  });

  it('drops a candidate that others are as good as in everything', async () => {
    const { events } = await aFrontRun({ optimizer: anOptimizer({ reflect: edits(say('nothing')) }) });
    const ended = events.filter((event) => event.kind === 'step-ended');
    assert.ok(ended.length > 0 && ended.every(({ action }) => action === 'reject' || action === 'skip_no_change'));
  });

  it('takes the guidance of a slow update onto the front, without a held-out task', async () => {
    const { result, events, attempts } = await aFrontRun({
      optimizer: anOptimizer({ reflect: edits(say('alpha')), slowUpdate: guidance('- Say “beta”.') }),
      settings: { ...twoMeasures, ...steady, train: { epochs: 2 }, slowUpdate: { on: true } },
    });
    assert.match(textOf(result), /Say “alpha”[\s\S]*SLOW_UPDATE_START -->\n- Say “beta”/);
    const [update] = events.filter((event) => event.kind === 'slow-update');
    assert.equal(update?.action, 'accept_new_best');
    const families = attempts.filter(({ task }) => task.id.startsWith('heldOut')).map(({ family }) => family);
    assert.ok(families.length > 0 && families.every((family) => family.startsWith('certification:')));
  });

  it('goes on where every training task passes, until nothing gets cheaper', async () => {
    const { result, events } = await aFrontRun({
      optimizer: anOptimizer(),
      ability: () => 'alpha beta',
      settings: { ...twoMeasures, train: { epochs: 3 }, ...steady, stop: { patience: 2 } },
    });
    assert.equal(
      textOf(result),
      'No training task failed, and the optimizer proposed no edit that makes the skill cost less.',
    );
    assert.equal(events.filter((event) => event.kind === 'step-ended').length, 2);
  });

  it('is the same run again for the same seed', async () => {
    const [first, second] = await Promise.all([aFrontRun({}), aFrontRun({})]);
    assert.deepEqual(second.result, first.result);
    assert.deepEqual(second.events, first.events);
  });

  it('certifies a shorter skill that does better on training tasks as no worse where the rule asks for no more', async () => {
    const ramble = '- Ramble on about everything that there is.';
    const verdictOf = async (rule: string) => {
      const { result } = await aFrontRun({
        skill: `${skillText}\n${ramble}\n`,
        tasks: aSplit({ training: 4, heldOut: 6 }),
        ability: (skill, prompt) => (skill.includes('Ramble') && prompt.includes('training 0') ? 'Nothing.' : 'alpha'),
        optimizer: anOptimizer({ reflect: edits({ op: 'delete', anchor: ramble, rationale: 'It says nothing.' }) }),
        settings: { choice: { measures: ['score', 'skill-tokens'], rule }, train: { epochs: 1 }, ...steady },
      });
      return result.kind === 'proposed' ? result.proposal.verdict : assert.fail(result.nothing.reason);
    };
    assert.equal((await verdictOf('score')).kind, 'rejected');
    const verdict = await verdictOf('shortest-not-worse');
    assert.equal(verdict.kind, 'accepted');
    assert.match(verdict.reason, /^As good as before and shorter: 6 held-out tasks went from 100 % to 100 %/);
  });

  it('keeps the candidate that the rule named in the table where an edit of it was dropped, and says what the dashes are', async () => {
    const { result } = await aFrontRun({
      tasks: aSplit({ training: 4, heldOut: 6 }),
      ability: (skill) => (skill.includes('Say “alpha”') ? 'alpha' : 'Nothing.'),
      optimizer: anOptimizer({ reflect: edits(say('alpha'), say('gamma')) }),
      settings: { ...twoMeasures, train: { epochs: 1 }, ...steady, gate: { attribution: true } },
    });
    assert.ok(result.kind === 'proposed');
    const [, chosen, proposed] = candidateRows(result.proposal, english);
    assert.deepEqual([chosen?.id, chosen?.score, chosen?.status], ['C1 as chosen', '100 %', 'chosen; 1 edit dropped']);
    assert.deepEqual([proposed?.id, proposed?.score], ['C1', '–']);
    assert.ok(Number(proposed?.skillTokens) < Number(chosen?.skillTokens));
    assert.deepEqual(candidateNotes(result.proposal, english), [
      'Chosen by the rule “score”: the highest score on training tasks.',
      '–: not measured. C1 is what was left when edits of it were dropped; as it stands it was tried on held-out tasks alone.',
    ]);
  });

  it('names by its rule the candidate whose answers are the cheapest among the best', async () => {
    const brief = { op: 'append', content: '- Be brief. Say “alpha”. Say “beta”.', rationale: 'Fewer words.' } as const;
    const long = { op: 'append', content: '- Say “alpha”. Say “beta”. Talk.', rationale: 'Words.' } as const;
    let asked = 0;
    const run = (rule: string) => {
      asked = 0;
      return aFrontRun({
        ability: talkative,
        optimizer: anOptimizer({ reflect: () => edits(asked++ === 0 ? long : brief) }),
        settings: { choice: { measures: ['score', 'answer-tokens'], rule }, train: { epochs: 2 }, ...steady },
      });
    };
    assert.doesNotMatch(textOf((await run('score')).result), /Be brief/);
    assert.match(textOf((await run('cheapest-at-best-score')).result), /Be brief/);
  });
});

describe('a consolidation by more than one measure', () => {
  it('chooses on training tasks too, and proves skill and memory together on held-out ones', async () => {
    const { action, attempts } = await aNight({
      aboutSkill: [inNight('alpha')],
      aboutMemory: [inNight('beta')],
      memory: { path: 'CLAUDE.md', text: memoryFile, evolve: true },
      settings: { ...twoMeasures, gate: { rule: 'confident' }, consolidate: { memory: true } },
    });
    assert.equal(action, 'accept_new_best');
    const heldOut = attempts.filter(({ task }) => task.id.startsWith('held-out'));
    assert.ok(heldOut.length > 0 && heldOut.every(({ family }) => family.startsWith('certification:')));
  });
});

const steady = {
  slowUpdate: { on: false },
  metaSkill: { on: false },
  stop: { patience: 9 },
  gate: { attribution: false },
};

/** Answers in many words, unless it is told to be brief. */
function talkative(skill: string) {
  return {
    text: skill.includes('alpha') ? 'alpha beta' : 'Nothing.',
    usage: { inputTokens: 10, outputTokens: skill.includes('brief') ? 2 : 40, exact: true },
  };
}

/** Half of the tasks want “alpha”, the other half “beta”; each step teaches one word that the skill does not say yet. */
function aFrontRun(parts: Partial<Parameters<typeof aRun>[0]>): ReturnType<typeof aRun> {
  return aRun({
    tasks: aSplit({ training: 4, heldOut: 6 }, (_, index) => (index % 2 === 0 ? wants('alpha') : wants('beta'))),
    ability: (skill) => {
      const said = ['alpha', 'beta'].filter((word) => skill.includes(`Say “${word}”`));
      return said.length === 0 ? 'Nothing.' : said.join(' ');
    },
    optimizer: anOptimizer({
      reflect: ({ dependsOn = [] }) => edits(say(/reflect:42:[13]:/.test(dependsOn[0] ?? '') ? 'alpha' : 'beta')),
      merge: ({ messages }) => edits(say(messages[0]?.content.includes('“alpha”') === true ? 'alpha' : 'beta')),
    }),
    settings: { ...twoMeasures, train: { epochs: 4 }, ...steady },
    ...parts,
  });
}

function wordyWorkspace(): TestWorkspace {
  const tasks = writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['fathoms']);
  const workspace = aWorkspace({ tasks, skill: wordy });
  workspaces.push(workspace);
  return workspace;
}

function attemptsIn(events: readonly RunEvent[]) {
  return events.filter((event) => event.kind === 'attempt');
}

function textOf(result: Awaited<ReturnType<typeof aRun>>['result']): string {
  return result.kind === 'proposed' ? (result.proposal.documents[0]?.candidateText ?? '') : result.nothing.reason;
}
