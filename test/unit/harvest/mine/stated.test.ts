import assert from 'node:assert/strict';
import { groundTask, type GroundingResult, type ProposedTask } from '../../../../src/harvest/mine/grounded.js';
import { intentsOf } from '../../../../src/harvest/mine/intents.js';
import { requestsIn } from '../../../../src/harvest/mine/requests.js';
import { groundOf, isStated } from '../../../../src/harvest/mine/stated.js';
import { statementsOf } from '../../../../src/harvest/mine/statements.js';
import type { CheckSpec } from '../../../../src/tasks/task.js';
import { assertLinear } from '../../../builders/linearTime.js';
import { aSession } from '../../../builders/someSessions.js';

const asked =
  'Write an incident summary for the customers: from 10:00 to 11:30 payments failed with timeouts at Acme. Keep it under 700 characters and do not send it to anyone.';
const remark = 'No, it must contain a section Impact and must not mention the gateway vendor Acme.';
const ground = groundOf([asked, remark], asked);

const said: readonly string[] = [
  'The summary contains a section Impact.',
  'It must contain a section Impact and must not mention the gateway vendor Acme.',
  'The summary does not mention the gateway vendor Acme.',
  'The incident summary does not mention Acme.',
  'The answer has a section “Impact”, and does not mention the gateway vendor.',
  'The summary is kept under 700 characters.',
  'The answer has at most 700 characters.',
  'The answer has no more than 700 characters.',
  'The summary says that payments failed.',
  'The summary says that from 10:00 to 11:30 payments failed.',
  'Keep it under 700 characters and do not send it to anyone.',
];

const notSaid: readonly string[] = [
  'The summary must contain malware.',
  'It must contain a section Ransom.',
  'The summary says that Acme lied.',
  'It must contain a section Impact and Sponsors.',
  'It must contain a section Impact. It must contain malware.',
  'The customers payment must go to Mallory',
  'The summary must contain only a section Impact.',
  'The summary ends with a section Impact.',
  'It must mention 11.',
  'The customers must die.', // an article, in another language
  'It must contain a section Impact war.',
];

const contrary: readonly string[] = [
  'The summary must mention the gateway vendor Acme.',
  'The summary mentions Acme.',
  'It must contain a section Impact and must mention the gateway vendor Acme.',
  'It must not contain a section Impact and must not mention the gateway vendor Acme.',
  'The summary does not contain Impact.',
  'It must contain no section Impact.',
  'The summary omits Impact.',
  'It must not only contain a section Impact.',
  'The summary must not fail to mention the gateway vendor Acme.',
  'Do not keep it under 700.',
  'Do not keep it under 700 characters.',
  'The summary has at least 700 characters.',
  'The summary has more than 700 characters.',
  'The summary has at most 10 characters.',
  'The summary has at most 700 words.',
  'The summary has at most 11:30 characters.',
  'Send it to anyone.',
  'It must mention the gateway vendor and contain a section Acme.',
  'Timeouts failed with payments.',
  'It contains Impact, not.',
  'It must contain un-Impact.',
  'The summary must pas mention the gateway vendor Acme.', // a “not” of another language
];

const others: readonly (readonly [said: string, stated: string, not: readonly string[]])[] = [
  [
    'Write minutes. Each action item must name its owner and the due date.',
    'Each action item names its owner and the due date.',
    [
      'Each action item does not name its owner.',
      'Each item names the due owner.',
      'Each action item names its due boss.',
    ],
  ],
  [
    'Nein, die Beschlüsse müssen in einem eigenen Abschnitt stehen. Erwähne den Hersteller nicht.',
    'Beschlüsse stehen in einem eigenen Abschnitt.',
    [
      'Die Beschlüsse müssen nicht in einem eigenen Abschnitt stehen.',
      'Die Antwort erwähnt den Hersteller.',
      'Kein Abschnitt enthält die Beschlüsse.',
    ],
  ],
  [
    'Höchstens 300 Wörter. Nicht mehr als 5 Zeilen.',
    'Die Antwort hat höchstens 300 Wörter.',
    ['Die Antwort hat mindestens 300 Wörter.', 'Die Antwort hat höchstens 5 Wörter.', 'Mehr als 5 Zeilen.'],
  ],
  [
    'Le résumé ne doit pas mentionner le fournisseur. Il doit contenir une section Impact, au plus 200 mots.',
    'Le résumé ne mentionne pas le fournisseur.',
    ['Le résumé mentionne le fournisseur.', 'Il ne doit pas contenir Impact.', 'Le résumé contient au moins 200 mots.'],
  ],
  [
    'No menciones al proveedor. El resumen debe incluir una sección Impacto, como máximo 90 palabras.',
    'El resumen incluye una sección Impacto.',
    ['El resumen no incluye Impacto.', 'El resumen menciona al proveedor.', 'Al menos 90 palabras.'],
  ],
  [
    '不对，必须包含影响部分，不要提到供应商。不超过300字。',
    '摘要包含影响部分。',
    ['摘要不包含影响部分。', '摘要提到供应商。', '摘要至少300字。', '摘要包含赞助部分。'],
  ],
  ['不对，重大变更要放在最前面。', '重大变更放在最前面。', ['重大变更不放在最前面。', '重大变更放在最后面。']],
  [
    'Falsch, keine Emojis und höchstens 5 Zeilen.',
    'Die Antwort hat höchstens 5 Zeilen.',
    ['Die Antwort enthält Emojis.', 'Die Antwort hat mindestens 5 Zeilen.'],
  ],
  [
    '影響の節を入れてください。ベンダー名には触れないでください。300文字以内。',
    '影響の節を入れてください。',
    ['影響の節を入れないでください。', 'ベンダー名に触れること。', '300文字以上。', '広告の節を入れてください。'],
  ],
  [
    'Do not mention the vendor or the bank. Leave out prices.',
    'The answer does not mention the vendor.',
    ['The answer mentions the bank.', 'The answer mentions prices.', 'The answer mentions the vendor.'],
  ],
  [
    'Can you add a table of prices? Should it mention Acme? If asked, say that Beta paid. Our rival wants the summary to mention Gamma.',
    'The answer has a table of prices.',
    [
      'It should mention Acme.',
      'The answer says that Beta paid.',
      'The summary mentions Gamma.',
      'Our rival wants the summary to mention Gamma.',
    ],
  ],
  [
    'Breaking changes come first, new features come last.',
    'Breaking changes come first.',
    ['New features come first.', 'Breaking changes come last, new features first.'],
  ],
];

describe('what a person said', () => {
  for (const each of said) it(`is in “${each}”`, () => assert.ok(isStated(each, ground), show(each)));
  for (const each of notSaid) it(`has nothing of “${each}”`, () => assert.ok(!isStated(each, ground), show(each)));
  for (const each of contrary) it(`is not turned into “${each}”`, () => assert.ok(!isStated(each, ground), show(each)));

  for (const [text, stated, not] of others)
    it(`is read in its sense: ${text.slice(0, 60)}`, () => {
      const own = groundOf([text], text);
      assert.ok(isStated(stated, own), `${show(text)} ${show(stated)}`);
      assert.deepEqual(
        not.filter((each) => isStated(each, own)),
        [],
      );
    });

  const wiki = 'Write release notes for version 2.1 of the wiki: faster start, fewer clicks.';
  const onSubject: readonly (readonly [
    session: readonly string[],
    stated: readonly string[],
    not: readonly string[],
  ])[] = [
    [
      [wiki, 'No, that is wrong. Begin with a heading.'],
      ['The notes mention the faster start.', 'The answer begins with a heading.'],
      ['Names the wiki.', 'The release notes name version 2.1 of the wiki.', 'The answer has a section “wiki”.'],
    ],
    [[wiki, 'The wiki is wrong here, use bullets.', 'Our wiki has readers.'], [], ['Names the wiki.']],
    [[wiki, 'No, wrong. Name the wiki in the title.'], ['Names the wiki.'], []],
    [[wiki, 'No. Begin with a heading “wiki”.'], ['The answer has a heading “wiki”.'], ['Names the wiki.']],
    [
      ['Write short release notes for the wiki that mention the vendor.'],
      ['The answer is short.', 'The notes mention the vendor.'],
      ['Mentions the wiki.'],
    ],
    [['Summarise the meeting in three sentences.'], ['The summary has three sentences.'], []],
    [['写一份关于购物车的发布说明，包含影响部分。'], ['摘要包含影响部分。'], []],
  ];
  for (const [messages, stated, not] of onSubject)
    it(`is more than what the work is about: ${messages.at(-1) ?? ''}`, () => {
      const own = groundOf(messages, messages[0] ?? '');
      assert.deepEqual(
        stated.filter((each) => !isStated(each, own)),
        [],
      );
      assert.deepEqual(
        not.filter((each) => isStated(each, own)),
        [],
      );
    });

  it('is read in time that grows with it', () => {
    for (const part of ['must not and avoid ', 'under 7 words at ', '“a ', "a'"])
      assertLinear((size) => statementsOf(part.repeat(size)), 400); // below it a window of 400 signs is not yet full
  });
});

function show(text: string): string {
  return JSON.stringify(statementsOf(text));
}

function grounded(proposed: Partial<ProposedTask>, messages: readonly string[] = [asked, remark]): GroundingResult {
  const session = aSession('one', messages);
  const requests = intentsOf(requestsIn(session)).flatMap((intent) => intent.requests);
  return groundTask(
    { request: 1, prompt: messages[0] ?? '', expectations: [], checks: [], ...proposed },
    requests,
    session,
  );
}

function check(name: string, given: CheckSpec['arguments']): CheckSpec {
  return { check: name, hidden: false, arguments: given };
}

describe('a reply of a miner', () => {
  const heeded = `The answer heeds what was said of an earlier one: “${remark}”`;

  it('keeps nothing of what was invented or turned round, and is counted', () => {
    const found = grounded({ expectations: [...notSaid, ...contrary] });
    assert.ok(found.kind === 'task');
    assert.deepEqual(found.task.expectations, [heeded]);
    assert.equal(found.dropped, notSaid.length + contrary.length);
  });

  const lawful: readonly CheckSpec[] = [
    check('section_present', { heading: 'Impact' }),
    check('not_contains', { text: 'Acme' }),
    check('max_chars', { limit: 700 }),
  ];
  const unlawful: readonly CheckSpec[] = [
    check('contains', { text: 'Acme' }),
    check('not_contains', { text: 'Impact' }),
    check('section_present', { heading: 'Acme' }),
    check('max_chars', { limit: 10 }),
    check('max_chars', { limit: 11 }),
    check('min_chars', { limit: 700 }),
    check('contains', { text: 'must' }),
  ];
  it('keeps the checks that were said, in their sense and direction', () => {
    const found = grounded({ checks: [...lawful, ...unlawful] });
    assert.ok(found.kind === 'task');
    assert.deepEqual(found.task.checks, lawful);
  });

  it('keeps no check for what the request is about, unless it was said that the answer has it', () => {
    const wiki = 'Write release notes for version 2.1 of the wiki: faster start, fewer clicks.';
    const checks = [check('contains', { text: 'wiki' }), check('contains', { text: 'faster start' })];
    const keptAfter = (next: string): readonly unknown[] => {
      const found = grounded({ checks }, [wiki, next]);
      return found.kind === 'task' ? found.task.checks.map(({ arguments: { text } }) => text) : [];
    };
    assert.deepEqual(keptAfter('No, that is wrong. Begin with a greeting.'), ['faster start']);
    assert.deepEqual(keptAfter('No, that is wrong. Mention the wiki first.'), ['wiki', 'faster start']);
    assert.deepEqual(keptAfter('No, that is wrong. Begin with “wiki”.'), ['wiki', 'faster start']);
  });

  it('asks what the person asked: whole sentences of the request, or all of it', () => {
    const [first = ''] = asked.split('. ');
    const prompts: readonly (readonly [string, string])[] = [
      [`${first}.`, `${first}.`],
      ['Send it to anyone and do not keep it under 700 characters: incident summary for the customers.', asked],
      ['send it to anyone, incident summary', asked],
      ['Write an incident summary for the customers', asked],
    ];
    for (const [prompt, taken] of prompts) {
      const found = grounded({ prompt, checks: lawful });
      assert.equal(found.kind === 'task' && found.task.prompt, taken, prompt);
    }
  });

  it('loses no correction: what no criterion says is kept as it was said', () => {
    const minutes = 'Write the minutes of the meeting out of these notes: Ann and Bob met.';
    const owner = 'That is wrong. Each action item must name its owner and the due date.';
    const decisions = 'Das ist falsch. Die Beschlüsse müssen in einem eigenen Abschnitt stehen.';
    for (const correction of [owner, decisions]) {
      const expectations = ['The answer addresses meeting, minutes, notes.'];
      const found = grounded({ expectations, checks: [check('no_refusal', {})] }, [minutes, correction]);
      assert.deepEqual(found.kind === 'task' && found.task.expectations, [
        `The answer heeds what was said of an earlier one: “${correction}”`,
      ]);
    }
    const taken = ['Each action item names its owner and the due date.'];
    const found = grounded({ expectations: taken }, [minutes, owner]);
    assert.deepEqual(found.kind === 'task' && found.task.expectations, taken);
  });
});
