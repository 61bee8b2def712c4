import assert from 'node:assert/strict';
import path from 'node:path';
import { pendingText } from '../../src/cli/pendingText.js';
import { resultText } from '../../src/cli/resultText.js';
import { openTerminal } from '../../src/cli/terminal.js';
import { say, type Ability } from '../builders/aRunContext.js';
import { few, isFull } from '../builders/few.js';
import {
  aCertificationWorld,
  editsOf,
  type CertificationWorld,
  type Ran,
  type WorldParts,
} from './certificationWorld.js';

const worlds: CertificationWorld[] = [];
const four = [say('alpha'), say('beta'), say('gamma'), say('delta')];
const measured = { gate: { attribution: true } };

describe('edits that are needed together', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  for (const training of few([3, 12])) {
    it(`are certified together where one is needed beside any of the others (${training} training tasks)`, async () => {
      const world = aWorld({ training, edits: four, ability: withAnyOther });
      const ran = await world.optimize(measured);
      const verdict = ran.result.proposal?.verdict;
      assert.equal(verdict?.kind, 'accepted', verdict?.reason);
      assert.ok(editsOf(ran).includes('- Say “alpha”.') && editsOf(ran).length > 1, editsOf(ran).join(' '));
    });
  }

  it('are certified as a bundle where the part that helps singly does worse, and the person is told', async () => {
    const world = aWorld({ training: 12, edits: four, ability: clashing });
    const ran = await world.optimize({ gate: { attribution: true, attributionCalls: 'unbounded' } });
    assert.equal(ran.result.proposal?.verdict.kind, 'accepted');
    assert.equal(editsOf(ran).length, 4);
    assert.match(ran.result.summary.notes.join('\n'), /^All 4 edits stay: .*“- Say “delta”\.”$/mu);
  });

  it('each stay within the bound where each mends other tasks', async () => {
    const taught = four.map((edit, at) => ({ ...edit, tasks: [`training-${at}`, `training-${at + 4}`] }));
    const world = aWorld({ training: 24, heldOut: 8, edits: taught, ability: eachItsOwn });
    const ran = await world.optimize(measured);
    assert.equal(editsOf(ran).length, 4, ran.result.summary.notes.join(' '));
    assert.equal(ran.result.proposal?.verdict.kind, 'accepted');
    assert.ok(attributedIn(ran) <= 80);
  });

  it('carry no useless one along, which only showed what the others did', async () => {
    const world = aWorld({ training: 8, edits: four, ability: threeTogether });
    const ran = await world.optimize(measured);
    assert.equal(ran.result.proposal?.verdict.kind, 'accepted');
    assert.deepEqual(editsOf(ran), ['- Say “alpha”.', '- Say “beta”.', '- Say “gamma”.']);
  });

  it('are named where they are dropped', async () => {
    const world = aWorld({ edits: [say('alpha'), say('gamma')] });
    const ran = await world.optimize(measured);
    assert.deepEqual(editsOf(ran), ['- Say “alpha”.']);
    assert.match(
      ran.result.summary.notes.join('\n'),
      /^Edits dropped because training tasks did not score higher with them \(1 of 2\): “- Say “gamma”\.”$/mu,
    );
    const line = /append “- Say “gamma”\.”: 0 points on training tasks, 95 % between/u;
    assert.match(
      resultText(ran.result, 'words', plainTerminal),
      new RegExp(`Edits that were tried and dropped:\\n  ${line.source}`, 'u'),
    );
    const { pending } = await world.useCases.overview(placeOf(world), new AbortController().signal);
    assert.match(pending === undefined ? '' : pendingText(pending, { skill: 'x', paint: (_, text) => text }), line);
    assert.match(
      await world.report(),
      /## Edits that were tried and dropped\n\n- append: - Say “gamma”\. Worth: 0 points/u,
    );
  });

  it('are said to be decided together where one stands in what another wrote, and no part of them is recommended', async () => {
    const second = { op: 'insert_after', anchor: '- Say “alpha”.', content: '- Twice.', rationale: 'r' } as const;
    const first = { op: 'insert_after', anchor: 'Answer in words.', content: '- Be kind.', rationale: 'r' } as const;
    const world = aWorld({ edits: [say('alpha'), second] });
    const bound = await world.optimize();
    const shown = resultText(bound.result, 'words', plainTerminal);
    const why =
      /^(?:- )?E1, E2 can only be decided together: they change the same lines, or one stands in what another wrote\.$/gmu;
    assert.equal([...shown.matchAll(why)].length, 1, 'once for both');
    assert.equal([...(await world.report()).matchAll(why)].length, 2, 'beside each of them');
    assert.match(shown, /^Next: whetstone adopt words to take all edits, whetstone undo words to go back\.$/mu);
    const beside = await aWorld({ edits: [say('alpha'), second, first] }).optimize();
    assert.match(
      resultText(beside.result, 'words', plainTerminal),
      /whetstone adopt words --edits E1,E2 to take some/u,
    );
  });

  it('are told apart in the same way by a run that was cut off in between and resumed', async () => {
    const parts = { training: 24, heldOut: 8, edits: four, ability: eachItsOwn };
    const whole = await aWorld(parts).optimize(measured);
    const stop = new AbortController();
    let seen = 0;
    const cut: Ability = (skill, prompt, sample) => {
      if (sample.includes('attribution') && ++seen === 20) stop.abort();
      return eachItsOwn(skill, prompt, sample);
    };
    const world = aWorld({ ...parts, ability: cut });
    await assert.rejects(() => world.optimize({ ...measured, concurrency: 1 }, {}, stop.signal));
    world.change({ ability: eachItsOwn });
    const resumed = await world.optimize(measured, { resume: { run: undefined } });
    assert.deepEqual(resumed.result.proposal, whole.result.proposal);
    assert.equal(attributedIn(resumed), attributedIn(whole));
  });

  it('make attribution no dearer than 80 calls or a quarter of the run', async () => {
    const world = aWorld({ training: 30, heldOut: 12, edits: four, ability: withAnyOther });
    const ran = await world.optimize(measured);
    const attributed = attributedIn(ran);
    assert.ok(attributed > 0 && attributed <= 80, `${attributed} calls`);
    if (!isFull) return; // hundreds of attempts
    const unbounded = await aWorld({ training: 30, heldOut: 12, edits: four, ability: withAnyOther }).optimize({
      gate: { attribution: true, attributionCalls: 'unbounded' },
    });
    assert.ok(attributedIn(unbounded) >= 2 * 8 * 30, `${attributedIn(unbounded)} calls without a bound`);
  });
});

const plainTerminal = openTerminal({
  color: false,
  live: false,
  columns: 100,
  out: () => undefined,
  err: () => undefined,
  readLine: undefined,
});

function placeOf({ skillPath }: CertificationWorld) {
  return { skillPath, workspaceFolders: [path.dirname(path.dirname(path.dirname(skillPath)))] };
}

/** Passes with the first edit and any one of the others. */
const withAnyOther: Ability = (skill) =>
  says(skill, 'alpha') && ['beta', 'gamma', 'delta'].some((word) => says(skill, word)) ? 'alpha' : 'Nothing.';

/** The first three pass together and not otherwise; the fourth changes nothing. */
const threeTogether: Ability = (skill) =>
  ['alpha', 'beta', 'gamma'].every((word) => says(skill, word)) ? 'alpha' : 'Nothing.';

/** Any one or two of the first three pass; all three get in each other's way, unless the fourth is there as well. */
const clashing: Ability = (skill) => {
  const said = ['alpha', 'beta', 'gamma'].filter((word) => says(skill, word)).length;
  return (says(skill, 'delta') ? said === 3 : said === 1 || said === 2) ? 'alpha' : 'Nothing.';
};

/** Of every four tasks each is mended by another edit. */
const eachItsOwn: Ability = (skill, prompt) => {
  const at = Number(/^\w+ (\d+):/u.exec(prompt)?.[1] ?? 0);
  return says(skill, ['alpha', 'beta', 'gamma', 'delta'][at % 4] ?? '') ? 'alpha' : 'Nothing.';
};

function attributedIn({ events }: Ran): number {
  return events.filter((event) => event.kind === 'attempt' && event.stage === 'attribute').length;
}

function says(skill: string, word: string): boolean {
  return skill.includes(`Say “${word}”`);
}

function aWorld(parts: WorldParts = {}): CertificationWorld {
  const world = aCertificationWorld(parts);
  worlds.push(world);
  return world;
}
