import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { instructionsIn, readInstructions } from '../../../src/simulated/reading/readInstructions.js';
import { sentencesOf, statementsOf } from '../../../src/simulated/reading/statements.js';
import { resolve } from '../../../src/simulated/instruction.js';
import { asHeeded } from '../../../src/harvest/mine/minedTask.js';

const said = (text: string): readonly string[] => readInstructions(text).map(({ instruction }) => instruction.sentence);
const settled = (text: string): readonly string[] =>
  resolve(readInstructions(text).map(({ instruction }) => instruction)).map(({ sentence }) => sentence);

const slotsOf = (text: string): readonly string[] => instructionsIn(text).map(({ slot }) => slot);

describe('reading a text', () => {
  it('takes no longer where words are long and a sentence goes on after its topic', function () {
    this.timeout(10_000);
    const long = 'antidisestablishmentarianism '.repeat(8);
    assert.deepEqual(said(`Explain ${long}, and so on.`), []);
    assert.deepEqual(said(`Explain ${'long words '.repeat(6).trim()}.`).length, 1);
    assert.deepEqual(said(`Explain ${'long words '.repeat(7).trim()}.`), []); // fourteen words are no topic
  });

  const cases: readonly { readonly name: string; readonly text: string; readonly says: readonly string[] }[] = [
    {
      name: 'takes a list beneath a lead-in as the names it lists',
      text: 'The answer has these sections:\n\n- **Summary**: what happened\n- Impact (who noticed)\n- Next steps\n',
      says: ['Summary', 'Impact', 'Next steps'].map((name) => `Include a section headed “${name}”.`),
    },
    {
      name: 'takes a list beneath a heading as the names it lists',
      text: '## Forbidden words\n\n- maybe\n- to be honest\n',
      says: ['Do not use the word “maybe”.', 'Do not use the words “to be honest”.'],
    },
    {
      name: 'takes the headings of a template',
      text: 'Use this template:\n\n```\n## Cause\n...\n## Cure\n```\n',
      says: ['Include a section headed “Cause”.', 'Include a section headed “Cure”.'],
    },
    {
      name: 'takes keys and types from an example of JSON',
      text: 'Answer with JSON like this:\n\n```json\n{ "title": "...", "score": 3, "level": "low|high", "tags": ["a"] }\n```\n',
      says: [
        'Answer only with a JSON object with the keys “title”, “score” (number), “level” (one of low, high), “tags” (array).',
      ],
    },
    {
      name: 'reads several instructions out of one sentence',
      text: 'Keep it under 80 words, do not greet the reader and end with “Done.”',
      says: [
        'Keep the answer to at most 79 words.',
        'Start directly with the answer, without greeting or sign-off.',
        'End with a line that reads “Done.”.',
      ],
    },
    {
      name: 'joins wrapped lines before it reads them',
      text: 'Whatever the question, keep the answer to at\nmost 80 words, as people\nread it on a phone.\n',
      says: ['Keep the answer to at most 80 words.'],
    },
    { name: 'passes over front matter', text: '---\ndescription: Answer in German.\n---\n# A skill\n', says: [] },
    { name: 'passes over code', text: 'Like so:\n\n```sh\n# Answer in German.\n```\n', says: [] },
    { name: 'passes over comments', text: '<!-- Answer in German. -->\n', says: [] },
    {
      name: 'opens a fence that holds a document',
      text: '```markdown\nAnswer in German.\n```\n',
      says: ['Answer in German.'],
    },
    {
      name: 'reads the words in quotation marks as names only',
      text: 'Mention “answer in German”.',
      says: ['Always use the words “answer in German”.'],
    },
    {
      name: 'does not end a sentence inside quotation marks',
      text: 'End with “Stop. Go.” Then rest.',
      says: ['End with a line that reads “Stop. Go.”.'],
    },
    {
      name: 'turns a denial round',
      text: 'Do not answer in JSON.',
      says: ['Never answer in JSON; write plain prose.'],
    },
    {
      name: 'lets a denial reach over a list',
      text: 'Never say “maybe”, write “perhaps”, or use “possibly”.',
      says: ['maybe', 'perhaps', 'possibly'].map((word) => `Do not use the word “${word}”.`),
    },
  ];
  for (const { name, text, says } of cases) it(name, () => assert.deepEqual(said(text), says));

  it('understands the wording of every check that states its criterion openly', () => {
    const criteria: Readonly<Record<string, readonly string[]>> = {
      'The answer contains “Severity:”.': ['Include a line that starts with “Severity:”.'],
      'The answer contains “data loss”.': ['Always use the words “data loss”.'],
      'The answer contains “<answer>”.': ['Wrap the whole answer in <answer> tags.'],
      'The answer does not contain “I think”.': ['Do not use the words “I think”.'],
      'The answer has at most 700 characters.': ['Keep the answer to at most 700 characters.'],
      'The answer has at least 200 characters.': ['Write at least 200 characters.'],
      'The answer contains a section headed “Tests”.': ['Include a section headed “Tests”.'],
      'A heading of the answer contains “Risks”.': ['Include a section headed “Risks”.'],
      'The section whose heading contains “Risks” contains “rollback”.': [
        'In the “Risks” section, mention “rollback”.',
      ],
      'The answer does the task instead of refusing it.': ['Never refuse; always give an answer.'],
      'The tool “search_docs” is called before answering.': ['Call the tool “search_docs” before answering.'],
      'The tool “drop_table” is not called.': ['Do not call the tool “drop_table”.'],
      'The answer is valid JSON.': ['Answer only with a JSON object.'],
      'The answer is valid JSON: an object with “title” (string), “count” (number, optional).': [
        'Answer only with a JSON object with the keys “title”, “count” (number).',
      ],
      'The answer ends with “Verdict: <approve|request changes>”.': [
        'End with a line that starts with “Verdict:” followed by one of approve or request changes.',
      ],
      'The answer follows a fixed pattern that this task requires.': [],
      'The answer states the expected result.': [],
    };
    const read = Object.keys(criteria).map((text) => [text, instructionsIn(text).map(({ sentence }) => sentence)]);
    assert.deepEqual(Object.fromEntries(read), criteria);
  });

  it('understands a remark of a person that a task out of a session quotes', () => {
    const remark =
      'That is not what I wanted. Keep it under 120 words, and end with a line that starts with “Upgrade:”.';
    assert.deepEqual(slotsOf(asHeeded(remark)), ['most words', 'closing']);
    assert.deepEqual(slotsOf(asHeeded('Skip the pleasantries.')), ['pleasantries']);
  });

  it('binds “if …,” to its condition', () => {
    const [read] = readInstructions('If the customer is angry, answer in two sentences.');
    assert.equal(read?.condition, 'the customer is angry');
  });

  it('never throws and never loses a sentence, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        readInstructions(text, true);
        const kept = sentencesOf(text).join(' ').replaceAll(/\s+/g, '');
        assert.equal(kept, text.replaceAll(/\s+/g, ''));
      }),
      { numRuns: 200 },
    );
  });

  it('keeps the sentence as it was written, so that an edit can name it', () => {
    const text = '- Be *very* calm. Be thorough and explain everything. Breathe.\n';
    const sources = statementsOf(text).map(({ source }) => source);
    assert.ok(sources.includes('Be thorough and explain everything.'));
  });
});

describe('instructions that contradict each other', () => {
  const cases: readonly { readonly name: string; readonly text: string; readonly left: readonly string[] }[] = [
    {
      name: 'the later of two limits wins',
      text: 'Use at most 90 words. Use at most 60 words.',
      left: ['Keep the answer to at most 60 words.'],
    },
    {
      name: 'limits in different units both hold',
      text: 'Use at most 90 words. Use at most 5 sentences.',
      left: ['Keep the answer to at most 90 words.', 'Keep the answer to at most 5 sentences.'],
    },
    {
      name: 'an exact limit beats a vague wish before it',
      text: 'Be thorough and explain everything. Use at most 60 words.',
      left: ['Keep the answer to at most 60 words.'],
    },
    {
      name: 'an exact limit beats a vague wish after it',
      text: 'Use at most 60 words. Be thorough and explain everything.',
      left: ['Keep the answer to at most 60 words.'],
    },
    {
      name: 'an exact floor beats an exact ceiling before it',
      text: 'Use at most 60 words. Write at least 2000 words.',
      left: ['Write at least 2000 words.'],
    },
    {
      name: 'a floor below a ceiling stays',
      text: 'Use at most 600 characters. Write at least 200 characters.',
      left: ['Keep the answer to at most 600 characters.', 'Write at least 200 characters.'],
    },
    {
      name: 'a word that is forbidden later is not required',
      text: 'Mention “rollback”. Do not use the word “rollback”.',
      left: ['Do not use the word “rollback”.'],
    },
    {
      name: 'sections asked for later end running text',
      text: 'Write in running text. Include a section headed “Risks”.',
      left: ['Include a section headed “Risks”.'],
    },
    {
      name: 'a tool named later is called although no tool was wanted before',
      text: 'Do not call any tools. Call `search_docs` before answering.',
      left: ['Call the tool “search_docs” before answering.'],
    },
    { name: 'the later language wins', text: 'Answer in German. Answer in French.', left: ['Answer in French.'] },
  ];
  for (const { name, text, left } of cases) it(name, () => assert.deepEqual(settled(text), left));
});
