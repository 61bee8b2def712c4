import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { spokenTexts, textsIn, unreadIn, unreadTexts } from '../../scripts/spokenTexts.mjs';
import { readSource, repository, sourceFiles, sources } from './sourceFiles.js';

const Words = z.record(z.string(), z.string());

/**
 * Everything a person reads in the editor exists in English and in Simplified Chinese, with the same places in it: what
 * views say, what errors say, and the sentences that other rooms store or throw and the editor retells.
 */
describe('the words of the editor', () => {
  const spoken = [...spokenTexts(sources)].sort();
  const english = read('l10n/bundle.l10n.json');
  const chinese = read('l10n/bundle.l10n.zh-cn.json');

  it('sees them', () => assert.ok(spoken.length > 1000, `only ${spoken.length} texts were found`));

  const seen: readonly (readonly [string, string, string, readonly string[]])[] = [
    ['what a view says', 'editor/a.ts', `vscode.l10n.t('Good {0}', day)`, ['Good {0}']],
    ['what wording says', 'wording/a.ts', `say(one ? 'A task' : 'Some tasks')`, ['A task', 'Some tasks']],
    [
      'what a name stands for',
      'editor/a.ts',
      `const said = one ? 'A task' : 'Some tasks'; t(said)`,
      ['A task', 'Some tasks'],
    ],
    ['nouns with their number', 'wording/a.ts', `const nouns = { a: ['{0} apple'] }`, ['{0} apple']],
    ['errors', 'app/a.ts', "new UserError('usage', `No ${a} in ${b}.`, 'Do it.')", ['No {0} in {1}.', 'Do it.']],
    ['cures of model errors', 'models/a.ts', `new ModelError('quota', 'No.', { cure: 'Pay.' })`, ['No.', 'Pay.']],
    ['stored sentences', 'engine/a.ts', 'const reason = `The ${x} ended.`', ['The {0} ended.']],
    ['no description of a schema', 'tasks/a.ts', `z.string().describe('What it is.')`, []],
    ['no mistake of ours', 'engine/a.ts', `throw new Error('This cannot be.')`, []],
    ['no word of the command line', 'checks/askJudge.ts', `const text = 'Judge this.'`, []],
  ];
  for (const [name, file, source, texts] of seen) {
    it(`finds ${name}`, () => assert.deepEqual(textsIn(file, source), texts));
  }

  it('are never said to the editor without a translation', () => {
    const bare =
      /show(?:Information|Warning|Error)Message\(\s*['`](?!Whetstone: \$)[A-Z]|(?:title|placeHolder|prompt|label|detail|description): '[A-Z][a-z]+ /;
    assert.deepEqual(
      sourceFiles().filter((file) => file.startsWith('editor/') && bare.test(withoutComments(readSource(file)))),
      [],
    );
  });

  it('are read wherever something is said, but for tables whose texts all have a place, and what was translated before', () => {
    assert.deepEqual(unreadTexts(sources).toSorted(), [
      'editor/run/withRunProgress.ts: progressMessage(live, capUsd)', // to a notification, which translates nothing
      'wording/amounts.ts: number === 1 ? one : many',
      'wording/translate.ts: template.text',
    ]);
  });

  const unread: readonly (readonly [string, string, readonly string[]])[] = [
    ['a name of a literal', `const said = 'It is.'; t(said);`, []],
    ['a name of something else', 'const said = words.of(it); t(said);', ['said']],
    ['a name from elsewhere', `import { said } from './said.js'; vscode.l10n.t(said);`, ['said']],
    ['a field', 'say(words.said)', ['words.said']],
    ['a choice of which one side is unknown', `t(one ? 'A task' : many)`, [`one ? 'A task' : many`]],
    ['what a person said', 'draft.say(text)', []],
  ];
  for (const [name, source, refused] of unread) {
    it(`are ${refused.length === 0 ? 'read' : 'missed'}: ${name}`, () =>
      assert.deepEqual(unreadIn('wording/a.ts', source), refused));
  }

  it('are all in the bundle, and nothing else is', () => {
    assert.deepEqual(Object.keys(english).sort(), spoken);
  });

  it('are all translated', () => {
    assert.deepEqual(Object.keys(chinese).sort(), spoken);
    const same = Object.entries(chinese).filter(([key, text]) => key === text && /[a-z]{4}/.test(key));
    assert.deepEqual(same, []);
  });

  it('keep their places in the translation', () => {
    const lost = Object.entries(chinese).filter(([key, text]) => placesIn(key).join() !== placesIn(text).join());
    assert.deepEqual(lost, []);
  });
});

describe('the worth of an edit', () => {
  it('is worded in one place', () => {
    const defining = sourceFiles().filter((file) => /function \w*[wW]orth(?:Text|Words)\b/.test(readSource(file)));
    assert.deepEqual(defining, ['wording/worthText.ts']);
  });
});

describe('an amount of dollars', () => {
  it('is put in figures in one place', () => {
    const rounding = sourceFiles().filter((file) => /\b[uU]sd\w*\.toFixed\(/.test(readSource(file)));
    assert.deepEqual(rounding, ['usdFigure.ts']);
  });
});

describe('the words of package.json', () => {
  const manifest = readFileSync(join(repository, 'package.json'), 'utf8');
  const used = [...new Set([...manifest.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? ''))].sort();
  const english = read('package.nls.json');
  const chinese = read('package.nls.zh-cn.json');

  it('are all in both files, and nothing else is', () => {
    assert.ok(used.length > 80);
    assert.deepEqual(Object.keys(english).sort(), used);
    assert.deepEqual(Object.keys(chinese).sort(), used);
  });

  it('are never written into package.json itself', () => {
    const { contributes } = Manifest.parse(JSON.parse(manifest));
    const literal = contributes.commands.filter(({ title }) => !title.startsWith('%')).map(({ command }) => command);
    assert.deepEqual(literal, []);
  });

  it('run the same commands in both languages', () => {
    const differing = Object.keys(english).filter(
      (key) => commandsIn(english[key] ?? '') !== commandsIn(chinese[key] ?? ''),
    );
    assert.deepEqual(differing, []);
  });
});

const Manifest = z.object({
  contributes: z.object({ commands: z.array(z.object({ command: z.string(), title: z.string() })) }),
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}

function commandsIn(text: string): string {
  return [...text.matchAll(/\(command:[\w.]+\)/g)].join();
}

function placesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{\d\}/g)].map(String).sort();
}

function read(file: string): z.infer<typeof Words> {
  return Words.parse(JSON.parse(readFileSync(join(repository, file), 'utf8')));
}
