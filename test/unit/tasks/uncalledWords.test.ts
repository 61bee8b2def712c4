import assert from 'node:assert/strict';
import { uncalledWords } from '../../../src/tasks/uncalledWords.js';
import { aCheck } from '../../builders/aTask.js';

const skill = '# Notes\n\nBegin with the severity. End with a line “Next step:”.\n';
const prompt = 'The disk of the billing server is full. Write the note for the operators.';

describe('words that a task demands and nothing calls for', () => {
  const rows: readonly (readonly [name: string, judged: Judged, words: readonly string[]])[] = [
    ['a word out of nowhere', { text: 'rollback' }, ['rollback']],
    ['a word of the request', { text: 'billing' }, []],
    ['a word of the request in another form', { text: 'operator' }, []],
    ['a word of the skill', { text: 'Next step:' }, []],
    ['one word of two out of nowhere', { text: 'billing synergy' }, ['billing synergy']],
    ['another word that begins alike', { text: 'operate', request: 'Write operations notes.' }, ['operate']],
    ['a word within another one', { text: 'art', request: 'Start the night.' }, ['art']],
    ['a short word of the request in another form', { text: 'servers' }, []],
    ['a short word that the request has in another form', { text: 'note', request: 'Write the notes.' }, []],
    ['the plural of a word of the request', { text: 'summaries', request: 'Write a summary.' }, []],
    ['a Korean word of the request', { text: '서버', request: '서버가 가득 찼습니다.' }, []],
    ['a number, which may be the answer', { text: '42' }, []],
    ['a heading out of nowhere', { heading: 'Stakeholders' }, ['Stakeholders']],
    ['a heading of the skill', { heading: 'Severity' }, []],
    [
      'a quoted word that an expectation asks for',
      { expectation: 'The answer includes the word "synergy".' },
      ['synergy'],
    ],
    ['a quoted word that it forbids', { expectation: 'The answer does not include "synergy".' }, []],
    ['a quoted word that is no demand', { expectation: 'It is about the "billing server".' }, []],
    ['an expectation without quotes', { expectation: 'The note is brief and kind.' }, []],
    ['a Chinese word of the request', { text: '账单', request: '账单服务器的磁盘已满。' }, []],
    ['a Chinese word out of nowhere', { text: '回滚计划', request: '账单服务器的磁盘已满。' }, ['回滚计划']],
    ['a hidden check', { text: 'rollback', hidden: true }, []],
  ];
  for (const [name, judged, words] of rows) {
    it(`are ${words.length === 0 ? 'none' : 'told'}: ${name}`, () => assert.deepEqual(found(judged), words));
  }
});

interface Judged {
  readonly text?: string;
  readonly heading?: string;
  readonly expectation?: string;
  readonly request?: string;
  readonly hidden?: boolean;
}

function found({ text, heading, expectation, request = prompt, hidden = false }: Judged): readonly string[] {
  const checks = [
    ...(text === undefined ? [] : [{ ...aCheck('contains', { text }), hidden }]),
    ...(heading === undefined ? [] : [aCheck('section_present', { heading })]),
  ];
  return uncalledWords(
    { prompt: request, checks, expectations: expectation === undefined ? [] : [expectation] },
    skill,
  );
}
