import assert from 'node:assert/strict';
import { say } from '../builders/aRunContext.js';
import { few } from '../builders/few.js';
import { aCertificationWorld, skillText, type CertificationWorld, type WorldParts } from './certificationWorld.js';

const worlds: CertificationWorld[] = [];
const lines = (count: number): string => Array.from({ length: count }, (_, line) => `Line ${line}.\n`).join('');
const long = `${skillText}\n${lines(700)}`;
const wordy = `${skillText}\n${'Many words say the same. '.repeat(900)}\n`;

describe('a skill that is longer than advised', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  for (const [name, skill] of few(Object.entries({ lines: long, tokens: wordy }))) {
    it(`may learn a rule all the same (${name})`, async () => {
      const { result } = await aWorld({ skill }).optimize();
      assert.equal(result.proposal?.verdict.kind, 'accepted');
      assert.match(result.proposal?.documents[0]?.candidateText ?? '', /\n- Say “alpha”\./);
    });
  }

  it('stays as long as it is where the person wants that', async () => {
    const { result, events } = await aWorld({ skill: long }).optimize({ edits: { growth: 0 } });
    assert.equal(result.proposal, undefined);
    assert.ok(events.some((event) => event.kind === 'applied' && event.refused === 1));
  });

  it('is told of in the preflight, with its room and the option', async () => {
    const { notes } = await aWorld({ skill: long }).preflight();
    assert.deepEqual(
      notes.filter((note) => note.includes('lines')),
      [
        'The skill has 705 lines and about 1,730 tokens; 500 and 5,000 are advised. It may grow by 8 lines and about 3,270 tokens; beyond that, what is learnt has to replace what is there. The option edits.growth allows more.',
      ],
    );
    const { notes: short } = await aWorld({}).preflight();
    assert.equal(
      short.some((note) => note.includes('edits.growth')),
      false,
    );
  });

  it('has its optimizer told how much it may add, and to replace instead', async () => {
    const prompt = await askedOf({ skill: long });
    assert.match(
      prompt,
      /all edits together may add 8 lines and some 3270 tokens\. What goes beyond that is refused\./,
    );
    assert.match(prompt, /Prefer `replace`: put what is missing in the place of words that say less\./);
    assert.doesNotMatch(await askedOf({}), /Room left/);
  });

  it('says the same in the preview of what is sent', async () => {
    const world = aWorld({ skill: long });
    const place = { skillPath: world.skillPath, workspaceFolders: [] };
    const request = { ...place, preset: 'standard', settings: [], purpose: 'optimize', trusted: true } as const;
    const { text } = await world.useCases.preview({ ...request, task: undefined }, new AbortController().signal);
    assert.match(text, /all edits together may add 8 lines/);
  });
});

describe('a run that may change the learned block alone', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('has its optimizer told so', async () => {
    const prompt = await askedOf({}, { edits: { scope: 'learned' } });
    assert.match(prompt, /You may change nothing but the learned block of the skill/);
    assert.match(prompt, /`append` adds one rule to it, written as one list item/);
    assert.doesNotMatch(await askedOf({}), /learned block/);
  });
});

async function askedOf(parts: WorldParts, settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const world = aWorld(parts);
  await world.optimize({ gate: { rule: 'off', attribution: false }, ...settings });
  return world.optimizerAsked[0]?.messages[0]?.content ?? '';
}

function aWorld(parts: WorldParts): CertificationWorld {
  const world = aCertificationWorld({ edits: [say('alpha')], ...parts });
  worlds.push(world);
  return world;
}
