import assert from 'node:assert/strict';
import { ModelError } from '../../src/errors.js';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import {
  anOptimizer,
  aRun,
  edits,
  guidance,
  notes,
  say,
  type Ability,
  type RunParts,
} from '../builders/aRunContext.js';
import { aSplit } from '../builders/aSplit.js';

const two = { train: { epochs: 2 }, stop: { patience: 9 }, gate: { rule: 'strict', attribution: false } };
const off = { slowUpdate: { on: false }, metaSkill: { on: false } };

/** Half of the tasks want ISO dates, the other half initials; with a rule for initials alone, dates are forgotten. */
const forgetful: Ability = (skill, prompt) => {
  const at = Number(/(\d+)/u.exec(prompt)?.[1] ?? 0);
  const isFirst = at % 3 === 0;
  const block = /SLOW_UPDATE_START -->([\s\S]*)<!-- SLOW_UPDATE_END/u.exec(skill)?.[1] ?? '';
  if (isFirst) return !skill.includes('Say “beta”') || block.includes('Say “gamma”') ? 'alpha' : 'Nothing.';
  return skill.includes('Say “beta”') ? 'alpha' : 'Nothing.';
};

/** The same, and one task that nothing mends. */
const neverAll: Ability = (skill, prompt, sample) =>
  prompt.includes('5') ? 'Nothing.' : forgetful(skill, prompt, sample);

/** Only some forget or learn; the others say the right thing all along. */
const somewhatForgetful: Ability = (skill, prompt) => {
  const at = Number(/(\d+)/u.exec(prompt)?.[1] ?? 0) % 5;
  const knows = skill.includes('Say “beta”');
  return at > 2 || (at === 0 ? !knows || skill.includes('Say “gamma”') : knows) ? 'alpha' : 'Nothing.';
};

describe('the end of an epoch', () => {
  it('mends what the epoch made the agent forget, and the same run without it does not', async () => {
    const without = await forgetfulRun(off);
    assert.equal(proposedEdits(without).length, 1);
    const run = await forgetfulRun({});
    const [pairs] = eventsOf(run.events, 'epoch-compared');
    assert.deepEqual([pairs?.regressed, pairs?.improved, pairs?.persistentFail, pairs?.stableSuccess], [2, 4, 0, 0]);
    const edited = proposedEdits(run);
    assert.deepEqual(
      edited.map(({ edit }) => edit.op),
      ['append', 'slow_update'],
    );
    assert.equal(edited[1]?.edit.rationale, 'Forgotten over the epoch.');
    assert.equal(edited[1]?.lessonsFrom.length, 6);
    assert.match(candidateOf(run), /<!-- SLOW_UPDATE_START -->\n- Say “gamma”\.\n<!-- SLOW_UPDATE_END -->/u);
    assert.ok(scoreOf(run) > scoreOf(without), `${scoreOf(run)} is not above ${scoreOf(without)}`);
  });

  for (const [pairs, kinds] of [
    ['changed', ['improved', 'regressed']],
    ['unchanged', ['persistent_fail', 'stable_success']],
  ] as const)
    it(`shows with “${pairs}” as many of those as were to be compared, of more tasks where it must`, async () => {
      const samples = pairs === 'changed' ? 6 : 4;
      const run = await forgetfulRun({ slowUpdate: { samples, pairs } }, { ability: somewhatForgetful, tasks: 10 });
      const [compared] = eventsOf(run.events, 'epoch-compared');
      const rows: readonly { readonly category: string; readonly shown?: boolean }[] = JSON.parse(
        (await run.texts.get(compared?.textHash ?? '')) ?? '[]',
      );
      assert.ok(rows.length > samples && rows.length <= 10, String(rows.length));
      const shown = rows.filter((row) => row.shown !== false).map(({ category }) => category);
      assert.equal(shown.length, samples);
      assert.ok(
        shown.every((kind) => (kinds as readonly string[]).includes(kind)),
        shown.join(),
      );
      const asked = run.optimizer.requests.find(({ replySchema }) => replySchema?.name === 'slow_update');
      assert.equal(
        /^# (?:Got worse|Got better)/mu.test(asked === undefined ? '' : promptOf(asked)),
        pairs === 'changed',
      );
    });

  it('brings no guidance in that held-out tasks do not bear out', async () => {
    const run = await forgetfulRun({}, { slowUpdate: guidance('- Be kind.') });
    assert.equal(proposedEdits(run).length, 1);
    const [ended] = eventsOf(run.events, 'slow-update');
    assert.notEqual(ended?.action, 'accept_new_best');
    assert.equal(ended?.bestHash, lastStep(run.events)?.bestHash);
  });

  it('attempts no task again that a step of the epoch attempted under the same text', async () => {
    const run = await forgetfulRun({});
    const made = run.attempts.filter(({ family }) => family === 'training:42:2');
    const keys = made.map(({ task, skill, attempt }) => JSON.stringify([task.id, skill, attempt]));
    assert.equal(new Set(keys).size, keys.length);
  });

  it('shows the optimizer training tasks alone', async () => {
    const run = await forgetfulRun({});
    const asked = run.optimizer.requests.filter(({ replySchema }) => /slow|meta/u.test(replySchema?.name ?? ''));
    assert.equal(asked.length, 2);
    for (const { messages } of asked) assert.doesNotMatch(messages[0]?.content ?? '', /held-?out/iu);
  });

  it('is left out of a first epoch, of a run that has nothing left to learn, and where it is turned off', async () => {
    const first = await aRun({ settings: { ...two, train: { epochs: 1 } }, optimizer: anOptimizer() });
    const learned = await aRun({ settings: two, optimizer: anOptimizer({ reflect: edits(say('alpha')) }) });
    for (const run of [first, learned, await forgetfulRun(off)]) {
      assert.deepEqual(eventsOf(run.events, 'epoch-compared'), []);
      assert.ok(run.optimizer.requests.every(({ replySchema }) => !/slow|meta/u.test(replySchema?.name ?? '')));
    }
  });

  it('keeps guidance that was taken where a cap leaves no room for the notes', async () => {
    const cap = new ModelError('cap', 'The cap of the run is reached.');
    const run = await forgetfulRun({}, { metaSkill: cap, before: '- As before.' });
    assert.equal(proposedEdits(run).length, 2);
    assert.equal(run.result.metaSkill, '- As before.');
  });

  it('overwrites the guidance of the epoch before, which leaves no edit of its own', async () => {
    let asked = 0;
    const guide = (): string => guidance(`- Say “gamma”.${'\n- And so on.'.repeat(asked++ === 0 ? 3 : 0)}`);
    const run = await forgetfulRun({ train: { epochs: 3 } }, { slowUpdate: guide, ability: neverAll });
    assert.deepEqual(
      eventsOf(run.events, 'slow-update').map(({ action }) => action),
      ['accept_new_best', 'accept_new_best'],
    );
    assert.deepEqual(
      proposedEdits(run).map(({ edit }) => ('content' in edit ? edit.content : '')),
      ['- Say “beta”.', '- Say “gamma”.'],
    );
  });
});

describe('the optimizer’s notes', () => {
  it('keep it from repeating itself, and the same run without them goes on in vain', async () => {
    const settings = { train: { epochs: 3 }, stop: { patience: 9 }, gate: { rule: 'strict', attribution: false } };
    const stubborn = (on: boolean) =>
      aRun({
        settings: { ...settings, slowUpdate: { on: false }, metaSkill: { on } },
        optimizer: anOptimizer({
          reflect: (request) => edits(say(promptOf(request).includes('beta never helped') ? 'alpha' : 'beta')),
          metaSkill: notes('- beta never helped; look for another word.'),
        }),
      });
    const without = await stubborn(false);
    assert.equal(without.result.kind, 'nothing');
    const run = await stubborn(true);
    assert.equal(run.result.kind, 'proposed');
    assert.equal(run.result.metaSkill, '- beta never helped; look for another word.');
    const before = run.optimizer.requests.filter(({ replySchema }) => replySchema?.name === 'reflection').map(promptOf);
    assert.deepEqual(
      before.map((prompt) => prompt.startsWith('# Your notes from earlier work')),
      [false, false, true],
    );
  });

  it('stand before the questions of a later run, and in no skill', async () => {
    const settings = { ...two, train: { epochs: 1 } };
    const optimizer = anOptimizer({ reflect: edits(say('alpha')) });
    const run = await aRun({ settings, optimizer, metaSkill: '- Prefer short rules.' });
    assert.ok(optimizer.requests.every((request) => promptOf(request).includes('- Prefer short rules.')));
    assert.ok(run.attempts.every(({ skill }) => skill?.includes('Prefer short rules') !== true));
    assert.ok(run.result.kind === 'proposed' && !JSON.stringify(run.result.proposal).includes('Prefer short rules'));
  });

  it('are bounded, and stay as they were where the optimizer cannot be understood', async () => {
    const long = await forgetfulRun({}, { metaSkill: notes('A line of notes.\n'.repeat(1_000)) });
    assert.ok((long.result.metaSkill ?? '').length <= 4_000 && (long.result.metaSkill ?? '').endsWith('notes.'));
    const lost = await forgetfulRun({}, { metaSkill: 'Well.', before: '- As before.' });
    assert.equal(lost.result.metaSkill, '- As before.');
  });
});

type Ran = Awaited<ReturnType<typeof aRun>>;

/** The first edit helps most tasks and makes a third of them forget what they did before. */
function forgetfulRun(
  settings: NonNullable<RunParts['settings']>,
  {
    slowUpdate = guidance('- Say “gamma”.'),
    metaSkill = notes(''),
    before,
    ability = forgetful,
    tasks = 6,
  }: {
    readonly slowUpdate?: string | (() => string);
    readonly metaSkill?: string | Error;
    readonly before?: string;
    readonly ability?: Ability;
    readonly tasks?: number;
  } = {},
): Promise<Ran> {
  return aRun({
    tasks: aSplit({ training: tasks, heldOut: tasks }),
    ability,
    settings: { ...two, ...settings },
    optimizer: anOptimizer({
      reflect: ({ dependsOn }) => (dependsOn?.[0]?.startsWith('reflect:42:2:') === true ? edits(say('beta')) : edits()),
      slowUpdate,
      metaSkill,
    }),
    ...(before === undefined ? {} : { metaSkill: before }),
  });
}

function promptOf({ messages }: ModelRequest): string {
  return messages[0]?.content ?? '';
}

function proposedEdits({ result }: Ran) {
  return result.kind === 'proposed' ? (result.proposal.documents[0]?.edits ?? []) : [];
}

function candidateOf({ result }: Ran): string {
  return result.kind === 'proposed' ? (result.proposal.documents[0]?.candidateText ?? '') : '';
}

function scoreOf({ result }: Ran): number {
  const verdict = result.kind === 'proposed' ? result.proposal.verdict : undefined;
  return verdict !== undefined && 'figures' in verdict ? (verdict.figures?.after ?? 0) : 0;
}

function eventsOf<Kind extends RunEvent['kind']>(events: readonly RunEvent[], kind: Kind) {
  return events.filter((event): event is Extract<RunEvent, { kind: Kind }> => event.kind === kind);
}

function lastStep(events: readonly RunEvent[]) {
  return eventsOf(events, 'step-ended').at(-1);
}
