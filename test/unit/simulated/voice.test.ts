import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isSame } from '../../../src/simulated/instruction.js';
import { rationaleOf } from '../../../src/simulated/optimizer/failureWords.js';
import { editsFor, lessonsFrom } from '../../../src/simulated/optimizer/helpfulEdits.js';
import { asListItem, inVoice } from '../../../src/simulated/optimizer/phrasings.js';
import type { SkillVoice } from '../../../src/simulated/optimizer/skillVoice.js';
import { allKinds, instructionsIn, readInstructions } from '../../../src/simulated/reading/readInstructions.js';
import { few } from '../../builders/few.js';

/** How the simulated optimizer speaks in a skill: like a colleague who read it. */
describe('the voice of the simulated optimizer', () => {
  for (const mood of ['imperative', 'descriptive'] as const)
    for (const product of few(['summary', 'answer', 'invitation']))
      it(`is understood by the target: every kind, ${mood}, of a text called ${product}`, () => {
        const voice: SkillVoice = { product, mood, marker: '*', fullStops: false, width: undefined };
        const known = allKinds.flatMap(({ phrasings }) => phrasings).flatMap(instructionsIn);
        assert.ok(known.length > 100, String(known.length));
        for (const instruction of known)
          for (const sentence of [inVoice(instruction, voice), asListItem(instruction, voice)]) {
            const read = readInstructions(sentence);
            assert.ok(
              read.some((each) => each.condition === undefined && isSame(each.instruction, instruction)),
              `${instruction.sentence} became ${sentence}`,
            );
          }
      });

  it('tells what to do in a skill that does so, in the words of that skill', () => {
    assert.deepEqual(contents(telling, criteria), [
      '+ Keep the invitation to at most 300 characters, and let what matters most come first.',
      '+ Mention “parking” by name, so that nobody has to ask.',
      '+ Leave out “kindly”; it tells the reader nothing.',
      '+ Put “Dress code:” on a line of its own, where nobody overlooks it.',
      '+ Give “Directions” a section of its own.',
      '+ Look up the calendar with `get_calendar` before you answer.',
      '+ Call `send_draft` before you answer.',
      '+ Close the invitation with a line for “Reply by:”.',
    ]);
  });

  it('says how things are in a skill that does so, with its marks and without full stops', () => {
    assert.deepEqual(contents(describing, criteria), [
      '* The recipe has at most 300 characters',
      '* “parking” is mentioned in so many words',
      '* The recipe never uses “kindly”',
      '* Every recipe carries “Dress code:” on a line of its own',
      '* Every recipe has “Directions” as a section of its own',
      '* `get_calendar` is called for the calendar before answering',
      '* `send_draft` is called before answering',
      '* Every recipe ends with a line for “Reply by:”',
    ]);
  });

  it('writes nothing stilted into the skills of the demo, and nothing that argues against it stays behind', () => {
    for (const [folder, wanted] of Object.entries(demo)) {
      const skill = readFileSync(`media/demo/${folder}/SKILL.md`, 'utf8');
      const edits = editsOf(skill, wanted);
      assert.equal(edits.length, wanted.length);
      for (const { content } of edits)
        assert.doesNotMatch(content, /Always use|^\W*Include a|that starts with|the tool “/);
      const changed = edits.reduce(
        (text, { op, anchor = '', content }) => (op === 'replace' ? text.replace(anchor, content) : text),
        skill,
      );
      assert.doesNotMatch(changed, /Nobody likes a form|Circumstances vary|a step is missing/);
    }
  });

  for (const [criterion, said] of Object.entries({
    'The answer has at most 700 characters.': '3 attempts failed: the answer was longer than 700 characters.',
    'The answer has at least 40 characters.': '3 attempts failed: the answer was shorter than 40 characters.',
    'The answer contains “Severity:”.': '3 attempts failed: the answer did not contain “Severity:”.',
    'The answer does not contain “I think”.': '3 attempts failed: the answer contained “I think”.',
    'The answer ends with “Done.”': '3 attempts failed: the answer did not end with “Done.”',
    'The answer is valid JSON.': '3 attempts failed: the answer was not valid JSON.',
    'The answer is not a refusal.': '3 attempts failed: the answer was a refusal.',
    'The tool “get_order” is called before answering.':
      '3 attempts failed: the tool “get_order” was not called before answering.',
    'The tool “get_order” is not called.': '3 attempts failed: the tool “get_order” was called.',
    'It is polite.': '3 attempts failed: this did not hold: It is polite.',
  }))
    it(`says why: ${said}`, () => {
      assert.equal(rationaleOf({ criterion, count: 3, tasks: [] }), said);
    });
});

const telling = `---
name: invitations
description: Writes invitations.
---

# Invitations

Write the invitation as the host would. Keep an invitation warm.

## Format

+ Name the host first.
+ Say who else comes.
`;

const describing = `---
name: recipes
description: Recipes for a canteen.
---

# Recipes

A recipe is for eighty people. The recipe is read by a cook with wet hands.

## Format

* The amounts are in grams
* Butter is salted
`;

const criteria: readonly string[] = [
  'The answer has at most 300 characters.',
  'The answer contains “parking”.',
  'The answer does not contain “kindly”.',
  'The answer contains “Dress code:”.',
  'The answer contains a section headed “Directions”.',
  'The tool “get_calendar” is called before answering.',
  'The tool “send_draft” is called before answering.',
  'The answer ends with “Reply by:”.',
];

const demo: Readonly<Record<string, readonly string[]>> = {
  '.claude/skills/incident-summary': ['The answer has at most 700 characters.', 'The answer contains “data loss”.'],
  '.github/skills/code-review': [
    'The answer contains a section headed “Findings”.',
    'The answer contains a section headed “Tests”.',
    'The answer contains “rollback”.',
  ],
  '.agents/skills/support-answer': [
    'The answer does not contain “it depends”.',
    'The tool “search_help_center” is called before answering.',
  ],
};

function contents(skill: string, wanted: readonly string[]): readonly string[] {
  return editsOf(skill, wanted).map(({ content }) => content);
}

function editsOf(skill: string, wanted: readonly string[]): ReturnType<typeof editsFor> {
  const failures = wanted.map((criterion) => ({ criterion, count: 3, tasks: ['a'] }));
  const said = readInstructions(skill);
  const documents = [{ file: undefined, text: skill, said }];
  const prompt = { skill, said, documents, budget: 9, failures, tried: [] };
  const taken = new Set<string>();
  return lessonsFrom(prompt).flatMap((lesson) => {
    const edits = editsFor(lesson, prompt, taken);
    for (const { anchor, op } of edits) if (op === 'replace' && anchor !== undefined) taken.add(anchor);
    return edits;
  });
}
