import assert from 'node:assert/strict';
import { criteriaOf, gamingSecretsOf, undescribedChecks } from '../../../src/checks/criteria.js';
import { nearestName } from '../../../src/tasks/nearestName.js';
import { allChecks, checkCatalog, prepareCheck } from '../../../src/checks/registry.js';
import { aCheck, aTask } from '../../builders/aTask.js';

const stub = { name: 'search_docs', description: '', parameters: {}, result: '' };

describe('the registry of checks', () => {
  it('knows every check once', () => {
    const names = allChecks.map((check) => check.name);
    assert.deepEqual(names.toSorted(), [
      'command',
      'command_ran',
      'contains',
      'exact',
      'file_changed',
      'json_schema',
      'max_chars',
      'min_chars',
      'no_refusal',
      'not_contains',
      'regex',
      'rubric',
      'section_contains',
      'section_present',
      'skill_used',
      'tool_called',
      'tool_not_called',
    ]);
  });

  const sentences: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['max_chars', { limit: 600 }, 'The answer has at most 600 characters.'],
    ['min_chars', { limit: 50 }, 'The answer has at least 50 characters.'],
    ['section_present', { heading: 'Risks' }, 'The answer contains a section headed “Risks”.'],
    ['section_contains', { heading: 'Risk' }, 'A heading of the answer contains “Risk”.'],
    [
      'section_contains',
      { heading: 'Risk', text: 'high' },
      'The section whose heading contains “Risk” contains “high”.',
    ],
    ['contains', { text: 'Severity:' }, 'The answer contains “Severity:”.'],
    ['not_contains', { text: 'maybe' }, 'The answer does not contain “maybe”.'],
    ['tool_called', { tool: 'search_docs' }, 'The tool “search_docs” is called before answering.'],
    ['tool_not_called', { tool: 'search_docs' }, 'The tool “search_docs” is not called.'],
    ['no_refusal', {}, 'The answer does the task instead of refusing it.'],
    [
      'regex',
      { pattern: 'SEV-[1-4]' },
      'The answer contains “SEV-1”, “SEV-2”, “SEV-3” or “SEV-4”. Capital and small letters count as written.',
    ],
    ['regex', { pattern: String.raw`(\w+) \1` }, 'The answer follows a fixed pattern that this task requires.'],
    ['regex', { pattern: 'SEV-[1-4]', criterion: 'The answer names a severity.' }, 'The answer names a severity.'],
    ['exact', { answer: 'Paris' }, 'The answer is exactly the expected one, with nothing around it.'],
    ['exact', { answer: 'Paris', match: 'within' }, 'The answer states the expected result.'],
    ['command', { command: 'python3', arguments: ['check.py'] }, 'The program “python3” accepts the answer.'],
    ['rubric', { rubric: 'The tone is friendly.' }, 'The tone is friendly.'],
    ['json_schema', { schema: { type: 'array' } }, 'The answer is valid JSON: an array.'],
    [
      'json_schema',
      { schema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' }, b: {} } } },
      'The answer is valid JSON: an object with “a” (integer), “b” (optional).',
    ],
  ];
  for (const [check, options, sentence] of sentences) {
    it(`says of ${check}: ${sentence}`, () => {
      const preparation = prepareCheck(aCheck(check, options), aTask({ tools: [stub] }));
      assert.equal(preparation.kind === 'prepared' ? preparation.check.criterion : preparation, sentence);
    });
  }

  it('never says what an expression or a reference answer is', () => {
    for (const [check, options] of [
      ['regex', { pattern: 'SEV-[1-4]' }],
      ['regex', { pattern: 'SEV-[1-4]', criterion: 'The answer avoids a pattern that this task forbids.' }],
      ['exact', { answers: ['SEV-[1-4]'] }],
      ['json_schema', { schema: { pattern: 'SEV-[1-4]' } }],
    ] as const) {
      const preparation = prepareCheck(aCheck(check, options), aTask());
      assert.ok(preparation.kind === 'prepared');
      assert.ok(!preparation.check.criterion.includes('SEV-['));
      assert.deepEqual(preparation.check.secrets, ['SEV-[1-4]']);
    }
  });

  it('puts a pattern into words where an earlier import only said that there is one', () => {
    const criterion = 'The answer avoids a pattern that this task forbids.';
    const pattern = String.raw`^(?![\s\S]*(?:maybe))`;
    const preparation = prepareCheck(aCheck('regex', { pattern, criterion }), aTask());
    assert.ok(preparation.kind === 'prepared');
    assert.match(preparation.check.criterion, /^The answer does not contain “maybe”\./);
    const silent = prepareCheck(aCheck('regex', { pattern: String.raw`(\w) \1`, criterion }), aTask());
    assert.ok(silent.kind === 'prepared' && silent.check.isDescribed === false);
  });

  it('names the checks that nobody can learn from, and no hidden one', () => {
    const twice = { pattern: String.raw`(\w) \1` };
    const checks = [
      aCheck('regex', twice),
      aCheck('regex', twice, true),
      aCheck('regex', { ...twice, criterion: 'A letter comes twice.' }),
      aCheck('regex', { pattern: 'a|b' }),
      aCheck('command', { command: 'grade' }),
      aCheck('contains', { text: 'x' }),
    ];
    assert.deepEqual(undescribedChecks([aTask({ id: 'one', checks })]), [
      { taskId: 'one', check: 'regex' },
      { taskId: 'one', check: 'command' },
    ]);
  });

  const malformed: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ['max_chars', {}, /“limit”/],
    ['max_chars', { limit: '600' }, /“limit”/],
    ['max_chars', { limit: -1 }, /“limit”/],
    ['max_chars', { limit: 1.5 }, /“limit”/],
    ['max_chars', { limit: 600, limt: 1 }, /limt/],
    ['contains', { text: '' }, /“text”/],
    ['contains', { arg: 'x' }, /text|arg/],
    ['regex', { pattern: '(' }, /never closed/],
    ['regex', { pattern: 'a', flags: 'g' }, /flags/],
    ['section_present', { heading: '  ' }, /“heading”/],
    ['exact', {}, /references/],
    ['exact', { answers: [] }, /“answers”/],
    ['json_schema', { schema: { typ: 1 } }, /“typ” is not supported/],
    ['rubric', { rubric: 'x', passFrom: 7 }, /“passFrom”/],
    ['command', { command: 'x', folder: '../..' }, /outside/],
    ['tool_called', {}, /“tool”/],
    ['no_refusal', { language: 'en' }, /language/],
  ];
  for (const [check, options, reason] of malformed) {
    it(`refuses ${check} with ${JSON.stringify(options)}`, () => {
      const preparation = prepareCheck(aCheck(check, options), aTask());
      assert.equal(preparation.kind, 'malformed');
      assert.match(preparation.kind === 'malformed' ? (preparation.faults[0]?.reason ?? '') : '', reason);
    });
  }

  it('says which check a mistyped one probably is', () => {
    for (const [mistyped, nearest] of [
      ['max_char', 'max_chars'],
      ['file_chaged', 'file_changed'],
      ['toString', undefined],
    ] as const) {
      const known = allChecks.map(({ name }) => name);
      assert.deepEqual(prepareCheck(aCheck(mistyped), aTask()), { kind: 'unknown', nearest, known });
    }
    assert.equal(nearestName('x'.repeat(100_000), ['contains']), undefined);
  });

  const inspections: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>, object])[] = [
    ['max_chars', { limit: 9 }, {}, { shapeOnly: true, canFail: true, cannotPass: undefined }],
    ['min_chars', { limit: 0 }, {}, { shapeOnly: true, canFail: false, cannotPass: undefined }],
    ['regex', { pattern: '.*' }, {}, { shapeOnly: false, canFail: false, cannotPass: undefined }],
    ['regex', { pattern: '^$' }, {}, { shapeOnly: false, canFail: true, cannotPass: undefined, isDescribed: false }],
    ...['^(?![\\s\\S]*(?:bank))', '^(?!.*\\bIBAN\\b)', '^(?![\\s\\S]*\\d{4})'].map(
      (pattern) => ['regex', { pattern }, {}, { shapeOnly: false, canFail: true, cannotPass: undefined }] as const,
    ),
    ...['^[^!]*$', '^[^!#]{0,90}$'].map((pattern) => {
      const found = { shapeOnly: false, canFail: true, cannotPass: undefined, isDescribed: false };
      return ['regex', { pattern }, {}, found] as const;
    }),
    ...['(?!bank)', '[^!]*', '^[\\s\\S]*$'].map(
      (pattern) => ['regex', { pattern }, {}, { shapeOnly: false, canFail: false, cannotPass: undefined }] as const,
    ),
    ['regex', { pattern: 'a|b' }, {}, { shapeOnly: false, canFail: true, cannotPass: undefined }],
    ['command', { command: 'x' }, {}, { shapeOnly: false, canFail: true, cannotPass: undefined, isDescribed: false }],
    ['tool_not_called', { tool: 'x' }, {}, { shapeOnly: false, canFail: false, cannotPass: undefined }],
    [
      'tool_not_called',
      { tool: 'search_docs' },
      { tools: [stub] },
      { shapeOnly: false, canFail: true, cannotPass: undefined },
    ],
    [
      'tool_called',
      { tool: 'bash' },
      { environment: 'agent' },
      { shapeOnly: false, canFail: true, cannotPass: undefined },
    ],
  ];
  for (const [check, options, task, expected] of inspections) {
    it(`sees what ${check} with ${JSON.stringify(options)} can tell in ${JSON.stringify(task)}`, () => {
      assert.deepEqual(checkCatalog.inspect(aCheck(check, options), aTask(task)), {
        kind: 'sound',
        isDescribed: true,
        ...expected,
      });
    });
  }

  it('sees that a tool nobody offers cannot be called', () => {
    const inspection = checkCatalog.inspect(aCheck('tool_called', { tool: 'x' }), aTask());
    assert.match(inspection.kind === 'sound' ? (inspection.cannotPass ?? '') : '', /offers no tool named “x”/);
  });
});

describe('the criteria of a task', () => {
  it('are its checks and then its expectations', () => {
    const task = aTask({
      checks: [aCheck('max_chars', { limit: 9 }, true)],
      expectations: ['It is kind.'],
      expectedOutput: 'Kind words',
    });
    const found = criteriaOf(task);
    assert.deepEqual(
      found.kind === 'criteria'
        ? found.criteria.map(({ name, criterion, hidden }) => [name, criterion, hidden])
        : found,
      [
        ['max_chars', 'The answer has at most 9 characters.', true],
        ['expectation', 'It is kind.', false],
      ],
    );
  });

  it('are the expected output where there is nothing else', () => {
    const found = criteriaOf(aTask({ checks: [], expectedOutput: 'Kind words' }));
    assert.deepEqual(found.kind === 'criteria' ? found.criteria.map(({ criterion }) => criterion) : found, [
      'The answer delivers what was expected: Kind words',
    ]);
  });

  it('cannot be nothing', () => {
    assert.equal(criteriaOf(aTask({ checks: [] })).kind, 'malformed');
  });

  it('make secrets of expressions, answers, references and the expected output', () => {
    const task = aTask({
      checks: [
        aCheck('regex', { pattern: 'a+' }),
        aCheck('exact', { answer: 'forty-two' }),
        aCheck('contains', { text: 'open' }),
      ],
      references: ['the reference', 'forty-two'],
      expectedOutput: 'A number',
    });
    assert.deepEqual(gamingSecretsOf(task), ['a+', 'forty-two', 'the reference', 'A number']);
  });
});
