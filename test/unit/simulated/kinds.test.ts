import assert from 'node:assert/strict';
import { allKinds, instructionsIn, readInstructions } from '../../../src/simulated/reading/readInstructions.js';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';
import { answerOf, aTargetRequest, kindsIn, searchDocs } from './asking.js';

const places: Readonly<Record<string, (phrasing: string) => string>> = {
  'a bullet': (phrasing) => `# Reports\n\nSome words about reports.\n\n- Reports are read by many.\n- ${phrasing}\n`,
  'a numbered item': (phrasing) => `# Reports\n\n1. ${phrasing}\n2. Reports are read by many.\n`,
  'a heading': (phrasing) => `# Reports\n\n## ${phrasing.replace(/\.$/, '')}\n\nReports are read by many.\n`,
  'a paragraph': (phrasing) => `# Reports\n\nReports are read by many. ${phrasing} They are kept for a year.\n`,
  'bold text': (phrasing) => `# Reports\n\nReports are read by many.\n\n**${phrasing}**\n`,
  'a quotation': (phrasing) => `# Reports\n\n> ${phrasing}\n`,
};
const tasks = [
  'The nightly export of checkout-service fails since release 4.2.1.',
  'A customer writes that the lamp in the hall flickers at night.',
  'Which database suits an audit log with 40 writers?',
  'Plan the move of the billing team to the new calendar.',
];
const model = createSimulatedModel();

describe('the kinds of instructions', () => {
  it('are at least twelve, with six phrasings each, and no two of one name', () => {
    assert.ok(allKinds.length >= 12);
    assert.deepEqual(
      allKinds.filter((kind) => kind.phrasings.length < 6),
      [],
    );
    assert.equal(new Set(allKinds.map((kind) => kind.name)).size, allKinds.length);
  });

  for (const kind of allKinds) {
    describe(kind.name, () => {
      for (const phrasing of kind.phrasings) {
        it(`is read from “${phrasing}” and from nothing else in it`, () => {
          assert.deepEqual(kindsIn(phrasing), [kind.name]);
        });

        it(`is not followed without “${phrasing}”`, async () => {
          const wanted = instructionsIn(phrasing);
          const held = await Promise.all(
            tasks.map(async (task) => {
              const evidence = await answerOf(model, aTargetRequest({ task, tools: [searchDocs] }));
              return wanted.every((instruction) => instruction.heldBy(evidence));
            }),
          );
          assert.ok(held.includes(false), 'a sloppy answer holds it every time');
        });

        it(`is followed where “${phrasing}” stands in a list, a heading, a paragraph or a quotation`, async () => {
          const wanted = instructionsIn(phrasing);
          for (const [place, write] of Object.entries(places)) {
            for (const task of tasks.slice(0, 2)) {
              const evidence = await answerOf(
                model,
                aTargetRequest({ skill: write(phrasing), task, tools: [searchDocs] }),
              );
              const broken = wanted
                .filter((instruction) => !instruction.heldBy(evidence))
                .map(({ sentence }) => sentence);
              assert.deepEqual(broken, [], `in ${place}: ${JSON.stringify(evidence, null, 2)}`);
            }
          }
        });

        it(`says “${phrasing}” again in canonical words, and can be contradicted later`, async () => {
          for (const instruction of instructionsIn(phrasing)) {
            const again = instructionsIn(instruction.sentence);
            assert.deepEqual(
              again.map(({ slot, sentence }) => [slot, sentence]),
              [[instruction.slot, instruction.sentence]],
            );
            const skill = `- ${instruction.sentence}\n- ${instruction.opposite}\n`;
            const evidence = await answerOf(model, aTargetRequest({ skill, tools: [searchDocs] }));
            assert.equal(instruction.heldBy(evidence), false, `${skill}\n${evidence.answer}`);
          }
        });
      }
    });
  }

  it('take nothing from prose that asks for nothing they know', () => {
    const prose = [
      'Think carefully about the request.',
      'You review changes to the services of a small company.',
      'Style is the formatter’s business.',
      'Times are in UTC.',
      'A remark is about the code, never about the author.',
      'Copy figures as they are.',
      'Name teams instead of people.',
      'Give the final answer only.',
      'You are doing a job for a person.',
      'Never ask for a full card number or a password.',
      'Call services by the names in the catalogue: `cart`, `payments`, `search`.',
      'The report says “resolved” while the backlog is still draining.',
      'Do not turn “about 200 orders” into “200 orders”.',
      'Each bullet has at most 12 words.',
    ];
    assert.deepEqual(
      prose.map((text) => readInstructions(text).map(({ instruction }) => instruction.sentence)),
      prose.map(() => []),
    );
  });
});
