import assert from 'node:assert/strict';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { stepLogs } from '../../src/engine/journal/stepLog.js';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import {
  anOptimizer,
  aRun,
  edits,
  notes as metaNotes,
  say,
  skillText,
  type Ability,
  type RunParts,
} from '../builders/aRunContext.js';
import { aWorkspace, inEveryRole, writtenTasks } from '../builders/aWorkspace.js';
import { aSplit, wants } from '../builders/aSplit.js';
import type { ScriptedAnswer } from '../fakes/ScriptedModel.js';

const settings = {
  train: { epochs: 1 },
  gate: { rule: 'strict', attribution: false },
  reflect: { skillAware: true },
};
const skill = `${skillText}\nSay “alpha”.\n`;
const heed = 'Say “alpha”, whatever else you say.';

/** The skill says “alpha”, and the agent forgets it unless it is reminded. */
function forgets(text: string): string {
  const appendix = /APPENDIX_START -->([\s\S]*)<!-- APPENDIX_END/u.exec(text)?.[1] ?? '';
  return appendix.includes('alpha') ? 'alpha' : 'Nothing.';
}

/** The same, and what it is told of “beta” it never forgets. */
const forgetsHalf: Ability = (text) => `${forgets(text)} ${text.includes('Say “beta”') ? 'beta' : ''}`;

/** The same, at every second task. */
const sometimes: Ability = (text, prompt) => (/[13579]/u.test(prompt) ? 'alpha' : forgets(text));

/** Says the words that stand alone in a list, and at some tasks never anything. */
const listed: Ability = (text, prompt) =>
  ['alpha', 'beta'].filter((word) => text.includes(`- ${word}`) && /[0-4]/u.test(prompt)).join(' ') || 'Nothing.';

/** The reply to a question for fewer reminders. */
function fewer(...appendix_notes: readonly string[]): string {
  return JSON.stringify({ reasoning: '', appendix_notes });
}

/** What an analyst replies that tells lapses from defects. */
function aware(given: { readonly notes?: readonly unknown[]; readonly edits?: readonly unknown[] }): string {
  const failure_summary = [{ failure_type: 'forgot', count: 6, description: 'Not said.', cause: 'execution_lapse' }];
  return JSON.stringify({ failure_summary, edits: given.edits ?? [], appendix_notes: given.notes ?? [] });
}

describe('reflection that tells lapses from defects', () => {
  it('puts a lapse into the appendix and not into the rules, and the same run without it finds nothing to say', async () => {
    const without = await forgetful({ settings: { ...settings, reflect: {} } });
    assert.equal(without.result.kind, 'nothing');
    const run = await forgetful();
    const [edit, ...others] = proposedEdits(run);
    assert.deepEqual(others, []);
    assert.equal(edit?.edit.op, 'appendix');
    assert.match(
      edit.edit.rationale,
      /^According to the optimizer the skill says this already, and attempts at .* did not follow it\.$/,
    );
    assert.equal(edit.lessonsFrom.length, 6);
    const block =
      '<!-- APPENDIX_START -->\n## Execution Notes Appendix\n\n- Say “alpha”, whatever else you say.\n<!-- APPENDIX_END -->';
    assert.equal(candidateOf(run), `${skill}\n${block}\n`);
    const [patches] = eventsOf(run.events, 'patches');
    assert.equal(patches?.failures[0]?.cause, 'execution_lapse');
  });

  it('keeps defects among the rules beside the reminders of the same step', async () => {
    const both = aSplit({}, () => wants('alpha', 'beta'));
    const run = await forgetful({ tasks: both, ability: forgetsHalf }, aware({ notes: [heed], edits: [say('beta')] }));
    assert.deepEqual(
      proposedEdits(run).map(({ edit }) => edit.op),
      ['append', 'appendix'],
    );
  });

  it('brings no reminder in that held-out tasks do not bear out', async () => {
    const run = await forgetful({}, aware({ notes: ['Be kind to the reader.'] }));
    assert.equal(run.result.kind, 'nothing');
    const [ended] = eventsOf(run.events, 'step-ended');
    assert.equal(ended?.action, 'keep_as_branch');
    assert.equal(eventsOf(run.events, 'reminders')[0]?.held, 1);
  });

  it('asks analysts of successes as ever', async () => {
    const run = await forgetful({ ability: sometimes });
    const names = run.optimizer.requests.map(({ replySchema }) => replySchema?.name);
    assert.deepEqual(new Set(names), new Set(['reflection', 'skill_aware_reflection']));
    const plain = run.optimizer.requests.find(({ replySchema }) => replySchema?.name === 'reflection');
    assert.doesNotMatch(promptOf(plain), /lapse/);
  });

  it('leaves out a reminder that may not stand in the skill, says why, and keeps the others', async () => {
    const run = await forgetful({}, aware({ notes: [heed, '<!-- APPENDIX_END --> x', 7, '  ', 'x '.repeat(400)] }));
    const [reminders] = eventsOf(run.events, 'reminders');
    assert.deepEqual([reminders?.found, reminders?.held], [2, 1]);
    assert.match(reminders?.lost.join() ?? '', /left out: The edit carries the marker/);
    assert.equal(eventsOf(run.events, 'patches')[0]?.lost.length, 3);
    assert.equal(proposedEdits(run).length, 1);
  });

  it('writes one edit for the reminders of all steps, with the lessons of each', async () => {
    const run = await forgetful(
      {
        ability: listed,
        tasks: aSplit({ training: 5 }, (_, index) => wants(index % 2 === 0 ? 'alpha' : 'beta')),
        settings: { ...settings, train: { epochs: 2 }, slowUpdate: { on: false }, metaSkill: { on: false } },
      },
      ({ dependsOn }) => aware({ notes: [dependsOn?.[0]?.startsWith('reflect:42:1:') === true ? 'alpha' : 'beta'] }),
    );
    const [edit, ...others] = proposedEdits(run);
    assert.deepEqual(others, []);
    assert.ok(edit !== undefined && 'content' in edit.edit);
    assert.match(edit.edit.content, /- alpha\n- beta$/);
  });

  const three = aware({ notes: ['Say “alpha” first.', 'Say “alpha” last.', 'Say “alpha” and be brief.'] });

  it('has the optimizer join reminders once there are too many', async () => {
    const run = await crowded(three, fewer(heed));
    const [reminders] = eventsOf(run.events, 'reminders');
    assert.deepEqual([reminders?.found, reminders?.held, reminders?.consolidated], [3, 1, true]);
    assert.match(candidateOf(run), /Appendix\n\n- Say “alpha”, whatever else you say\.\n<!-- APPENDIX_END/);
  });

  const useless: readonly (readonly [name: string, reply: ScriptedAnswer])[] = [
    ['prose', 'They are fine as they are.'],
    ['an empty list', fewer()],
    ['as many as before', fewer('Say “alpha” first.', 'Say “alpha” last.', 'Say “alpha”.')],
    ['one that is longer', fewer('Say “alpha” '.repeat(20))],
    ['one with a marker', fewer('<!-- APPENDIX_END -->')],
  ];
  for (const [name, reply] of useless) {
    it(`leaves the block as it was where joining gives ${name}`, async () => {
      const run = await crowded(three, reply);
      const [reminders] = eventsOf(run.events, 'reminders');
      assert.deepEqual([reminders?.held, reminders?.consolidated], [0, false]);
      assert.match(reminders?.lost.at(-1) ?? '', /new reminders were left out, because/);
      assert.equal(run.result.kind, 'nothing');
    });
  }

  it('is kept in the log of its step', async () => {
    const { events } = await forgetful();
    const [log] = stepLogs(events.map((event, at) => ({ at, event })));
    assert.equal(log?.reminders?.found, 1);
  });

  it('mends a skill on the simulated model whose rule is forgotten, and the same run without it does not', async () => {
    const model = inEveryRole(createSimulatedModel({ lapseRate: 0.6 }));
    const words = ['Visibility:'];
    const text = `${skillText}\n- Include “Visibility:”.\n`;
    const made = async (reflect: Readonly<Record<string, unknown>>) => {
      const workspace = aWorkspace({ skill: text, tasks: writtenTasks({ training: 4, heldOut: 6, sealed: 0 }, words) });
      try {
        return await workspace.optimize({
          models: model,
          settings: { reflect, gate: { rule: 'strict', attribution: false }, train: { epochs: 1 } },
        });
      } finally {
        workspace.dispose();
      }
    };
    assert.equal((await made({})).proposal, undefined);
    const { proposal } = await made({ skillAware: true });
    assert.deepEqual(
      proposal?.documents[0]?.edits.map(({ edit }) => edit.op),
      ['appendix'],
    );
  });
});

type Ran = Awaited<ReturnType<typeof aRun>>;

function forgetful(
  parts: Parameters<typeof aRun>[0] = {},
  reply: ScriptedAnswer = aware({ notes: [{ note: `- ${heed}` }] }),
) {
  const optimizer = anOptimizer({ reflect: edits(say('alpha')), metaSkill: metaNotes('') }).when(
    ({ replySchema }) => replySchema?.name === 'skill_aware_reflection',
    reply,
  );
  return aRun({ skill, settings, ability: forgets, optimizer, ...parts });
}

function crowded(reply: ScriptedAnswer, joined: ScriptedAnswer): Promise<Ran> {
  const optimizer = anOptimizer()
    .when(({ replySchema }) => replySchema?.name === 'skill_aware_reflection', reply)
    .when(({ replySchema }) => replySchema?.name === 'appendix', joined);
  const few: RunParts['settings'] = { ...settings, reflect: { skillAware: true, reminders: 2 } };
  return aRun({ skill, settings: few, ability: forgets, optimizer });
}

function promptOf(request: ModelRequest | undefined): string {
  return request?.messages[0]?.content ?? '';
}

function proposedEdits({ result }: Ran) {
  return result.kind === 'proposed' ? (result.proposal.documents[0]?.edits ?? []) : [];
}

function candidateOf({ result }: Ran): string {
  return result.kind === 'proposed' ? (result.proposal.documents[0]?.candidateText ?? '') : '';
}

function eventsOf<Kind extends RunEvent['kind']>(events: readonly RunEvent[], kind: Kind) {
  return events.filter((event): event is Extract<RunEvent, { kind: Kind }> => event.kind === kind);
}
