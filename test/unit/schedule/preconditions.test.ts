import assert from 'node:assert/strict';
import {
  fingerprintNight,
  nightReadiness,
  type NightFacts,
  type SkillFacts,
  type StopName,
} from '../../../src/schedule/preconditions.js';

const always = { excluded: [], onBattery: 'run' } as const;
const sparing = { excluded: [], onBattery: 'skip' } as const;

describe('nightReadiness', () => {
  it('lets a night run when nothing stands in its way', () => {
    const readiness = nightReadiness(facts(), always);
    assert.deepEqual(readiness.stops, []);
    assert.deepEqual(
      readiness.train.map(({ name }) => name),
      ['code-review'],
    );
  });

  const table: readonly (readonly [name: StopName, facts: NightFacts, sentence: RegExp])[] = [
    ['untrusted', facts({ trusted: false }), /not trusted/u],
    ['no-consent', facts({ consented: false }), /not agreed to send.*to gpt-x/u],
    ['no-key', facts({ keyPresent: false }), /no API key for gpt-x/u],
    ['cap-reached', facts({ capReached: 'the monthly cap of 2.00 USD' }), /under the monthly cap of 2.00 USD/u],
    ['on-battery', facts({ power: 'battery' }), /on battery/u],
    ['no-tasks', facts({ skills: [skill({ confirmedTasks: 0 })] }), /code-review has no confirmed task/u],
    ['no-tasks', facts({ skills: [] }), /No skill is left to train/u],
    ['running-elsewhere', facts({ skills: [skill({ heldBy: 'another window' })] }), /trained by another window/u],
    ['unsaved-changes', facts({ skills: [skill({ unsaved: true })] }), /code-review has unsaved changes/u],
    ['nothing-changed', facts({ skills: [skill({ lastFingerprint: 'now' })] }), /as they were last night/u],
  ];
  for (const [name, given, sentence] of table)
    it(`reports what stops the night: ${name}`, () => {
      const { stops } = nightReadiness(given, sparing);
      assert.deepEqual(
        stops.map((stop) => stop.name),
        [name],
      );
      assert.match(stops[0]?.sentence ?? '', sentence);
    });

  it('runs on battery unless asked not to, and where the platform does not tell', () => {
    assert.deepEqual(nightReadiness(facts({ power: 'battery' }), always).stops, []);
    assert.deepEqual(nightReadiness(facts({ power: 'unknown' }), sparing).stops, []);
  });

  it('reports every reason, the first to mend first', () => {
    const { stops } = nightReadiness(
      facts({ trusted: false, keyPresent: false, skills: [skill({ unsaved: true })] }),
      always,
    );
    assert.deepEqual(
      stops.map((stop) => stop.name),
      ['untrusted', 'no-key', 'unsaved-changes'],
    );
  });

  it('trains the skills that can be trained and says why the others are left out', () => {
    const readiness = nightReadiness(
      facts({
        skills: [
          skill({ name: 'a' }),
          skill({ name: 'b', unsaved: true }),
          skill({ name: 'c', lastFingerprint: 'now' }),
        ],
      }),
      always,
    );
    assert.deepEqual(readiness.stops, []);
    assert.deepEqual(
      readiness.train.map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(
      readiness.leftOut.map((left) => [left.skill.name, left.stop.name]),
      [
        ['b', 'unsaved-changes'],
        ['c', 'nothing-changed'],
      ],
    );
  });

  it('puts what the person can mend before what they cannot, where no skill can be trained', () => {
    const { stops } = nightReadiness(
      facts({ skills: [skill({ lastFingerprint: 'now' }), skill({ name: 'b', unsaved: true })] }),
      always,
    );
    assert.equal(stops[0]?.name, 'unsaved-changes');
  });

  it('leaves excluded skills alone, by name or by path', () => {
    const given = facts({
      skills: [skill({ name: 'a', path: 'x/a/SKILL.md' }), skill({ name: 'b', path: 'x/b/SKILL.md' })],
    });
    const readiness = nightReadiness(given, { excluded: ['a', 'x/b/SKILL.md'], onBattery: 'run' });
    assert.deepEqual(readiness.train, []);
    assert.deepEqual(readiness.leftOut, []);
    assert.equal(readiness.stops[0]?.name, 'no-tasks');
  });
});

describe('fingerprintNight', () => {
  const inputs = { skillHash: 'a', tasksHash: 'b', modelId: 'c', optionsHash: 'd', besideHash: 'e' };

  it('is the same for the same inputs', () => {
    assert.equal(fingerprintNight(inputs), fingerprintNight({ ...inputs }));
  });

  for (const changed of ['skillHash', 'tasksHash', 'modelId', 'optionsHash', 'besideHash'] as const)
    it(`differs when the ${changed} does`, () => {
      assert.notEqual(fingerprintNight(inputs), fingerprintNight({ ...inputs, [changed]: 'z' }));
    });

  it('cannot be confused by separators inside an input', () => {
    const one = fingerprintNight({ ...inputs, skillHash: 'a","b', tasksHash: 'c' });
    const other = fingerprintNight({ ...inputs, skillHash: 'a', tasksHash: 'b","c' });
    assert.notEqual(one, other);
  });
});

function facts(some: Partial<NightFacts> = {}): NightFacts {
  return {
    trusted: true,
    model: 'gpt-x',
    consented: true,
    keyPresent: true,
    capReached: undefined,
    power: 'mains',
    skills: [skill()],
    ...some,
  };
}

function skill(some: Partial<SkillFacts> = {}): SkillFacts {
  return {
    name: 'code-review',
    path: '.github/skills/code-review/SKILL.md',
    confirmedTasks: 24,
    unsaved: false,
    heldBy: undefined,
    fingerprint: 'now',
    lastFingerprint: 'before',
    ...some,
  };
}
