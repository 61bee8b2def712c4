import assert from 'node:assert/strict';
import { toneOf } from '../../../src/harvest/feedback/tone.js';
import type { Tone } from '../../../src/harvest/session.js';
import { assertLinear } from '../../builders/linearTime.js';

const said: Readonly<Record<string, Readonly<Record<Tone, readonly string[]>>>> = {
  English: {
    positive: [
      'Good. Now check that add really works.',
      'Perfect, thanks!',
      'No, that works.',
      'no that works',
      'That works now',
      "That's it, well done",
      'It no longer crashes.',
      'There you go. This is not wrong.',
      'Nothing is broken any more, thank you',
      'Looks good to me? LGTM',
      'Thanks. Next: the README.',
      'It works and does not crash.',
      'That did the trick',
      'ok that looks right, commit it',
      'All tests pass now',
    ],
    negative: [
      "No, that's wrong. Name the function.",
      'not fixed',
      'Still wrong',
      'It is still not working on Windows',
      'That is not what I asked for',
      "That doesn't work",
      'It isn’t fixed',
      'Thanks, but it still fails',
      'Nothing works',
      'No. Use tabs.',
      'Undo that',
      'Please revert your last change',
      'You forgot the tests',
      'I still get the same error',
      'same error as before',
      'I said three columns',
      'The tests are failing now',
      'Try again',
      "doesn't work",
      'that broke the build',
      "it doesn't compile",
      'This is completely wrong',
      "That's totally wrong",
    ],
    mixed: ['Great, but the tests are broken', 'That is better, but the title is still wrong'],
  },
  Chinese: {
    positive: [
      '很好，接着写测试。',
      '没问题',
      '不错，谢谢',
      '没错，就是这样',
      '修好了',
      '现在可以了',
      '不再报错',
      '没有报错，继续',
      '好的，下一步',
      '不，这样可以了',
    ],
    negative: [
      '还是不对',
      '不对，请写出函数名。',
      '没有修好',
      '没修好',
      '并没有解决',
      '错了，重做',
      '还是报错',
      '不太好',
      '有问题',
      '撤销',
      '谢谢，但是还是不行',
      '这不是我要的，没用',
    ],
    mixed: ['很好，但是测试失败了'],
  },
  Japanese: {
    positive: [
      '完璧です。次はテスト。',
      '直りました',
      '動きました、ありがとう',
      '問題ありません',
      'いいえ、それで動きます',
      'ありがとうございます',
      '間違いないです',
    ],
    negative: [
      '違います。関数名を書いて。',
      'まだ直っていません',
      '動きません',
      'まだエラーが出ます',
      'うまくいかない',
      'やり直してください',
      '正しくないです',
      'ありがとう、でもまだ動かない',
    ],
    mixed: ['いいですね、でもテストが失敗しました'],
  },
  German: {
    positive: [
      'Perfekt, danke!',
      'Das funktioniert jetzt.',
      'Nein, das passt so.',
      'Es gibt keinen Fehler mehr.',
      'Danke.',
      'Sehr gut. Weiter mit den Tests.',
    ],
    negative: [
      'Nein, das ist falsch.',
      'Funktioniert nicht',
      'Das geht immer noch nicht',
      'nicht behoben',
      'Immer noch falsch',
      'Danke, aber das stimmt nicht',
      'Du hast die Tests vergessen',
      'Mach das rückgängig',
    ],
    mixed: ['Super, aber der Titel ist falsch'],
  },
  French: {
    positive: [
      'Parfait, merci !',
      'Ça marche',
      'Non, ça fonctionne.',
      'Ça ne plante plus.',
      'Merci.',
      'Très bien. Passe aux tests.',
      'pas mal',
    ],
    negative: [
      "Non, c'est faux.",
      'Ça ne marche pas',
      'ça marche pas',
      'toujours pas corrigé',
      'Ce n’est pas ce que je voulais',
      'Toujours la même erreur',
      'Merci, mais ça ne fonctionne pas',
      'Annule ça',
    ],
    mixed: ["Super, mais c'est cassé"],
  },
  Spanish: {
    positive: [
      'Perfecto, gracias',
      'Ya funciona',
      'No, eso está bien.',
      'Gracias.',
      'Muy bien. Ahora las pruebas.',
      'Eso no está mal',
    ],
    negative: [
      'No, está mal.',
      'No funciona',
      'Sigue sin funcionar',
      'todavía no está arreglado',
      'Eso no es correcto',
      'Gracias, pero sigue fallando',
      'Sigue igual',
      'no está bien',
      'Deshaz eso',
    ],
    mixed: ['Genial, pero la prueba falla y eso está mal'],
  },
};

/** Requests that have such words in them, in any language. */
const requests = [
  'Fix the wrong total in the report',
  'Add undo to the editor',
  'Correct the spelling of “receive”',
  'Broken links should be listed in a table',
  'Good error messages are needed here',
  'Make it work on Windows',
  'This file has good examples, use them',
  'Right align the column',
  'It should work on Windows too',
  'Does it work?',
  'Is that right?',
  'Write a test that fails when the total is wrong',
  'No tests are needed for this',
  'Great Britain is missing from the list of countries',
  'Now check the changelog',
  'Explain why the build fails',
  'Yes',
  'Ok, go on',
  '修复登录的错误',
  '通过邮件发送报告',
  '错误处理要改进',
  '测试失败时请重试',
  '好看的图表放在前面',
  'エラーを直してください',
  'テストを書いてください',
  'Korrigiere den Fehler im Bericht',
  'Das soll auch unter Windows funktionieren',
  "Corrige l'erreur dans le rapport",
  'Il faut que cela fonctionne aussi sous Windows',
  'Arregla el error del informe',
  'Debe funcionar también en Windows',
  '',
];

/** They judge nothing, and ask for the same answer in another form. */
const wishes = [
  'Use bullet points, and put the breaking changes first.',
  'Make it shorter.',
  'Keep it under 100 words, please.',
  'In two sentences, please.',
  'Use a table instead.',
  'No emojis, and use plain English.',
  'Nimm Stichpunkte und nenne die Änderungen zuerst.',
  'Kürzer, bitte.',
  'Utilise des puces, et mets les changements importants en premier.',
  "Plus court, s'il te plaît.",
  'Usa viñetas y pon los cambios importantes primero.',
  'Hazlo más corto.',
  '用列表，把重大变更放在最前面。',
  '简短一点。',
  '箇条書きにして、破壊的変更を最初に書いてください。',
  'もっと短くしてください。',
];

/** Work of its own that has the same words in it. */
const works = [
  'Make a list of the largest cities.',
  'Put the search box at the top.',
  'List the newest orders first.',
  'Use a table of contents on the start page.',
  'Write release notes for version 1.2 in bullet points.',
  'Use bullet points: the shop was down, nobody noticed.',
  'Make it shorter and rename the module.',
  'Add headings to the report and fix the total.',
  'Make it faster.',
  'Mach es schneller.',
  'Setz die Suche an den Anfang.',
  'Mets le menu en haut.',
  'Pon el buscador arriba.',
  '用表格存储用户',
  '把搜索框放在最前面',
  '表にユーザーを追加してください。',
  'Can you use bullet points?',
];

describe('what a person says of an answer', () => {
  it('is that it was not right where only another form of it is asked for', () => {
    assert.deepEqual(
      wishes.filter((message) => toneOf(message) !== 'negative'),
      [],
    );
    assert.deepEqual(
      works.filter((message) => toneOf(message) !== undefined),
      [],
    );
  });

  for (const [language, tones] of Object.entries(said))
    for (const [tone, messages] of Object.entries(tones))
      it(`${language}: ${tone}`, () => {
        assert.deepEqual(
          messages.map((message) => [message, toneOf(message)]),
          messages.map((message) => [message, tone]),
        );
      });

  it('is nothing in a request, whatever words stand in it', () => {
    assert.deepEqual(
      requests.flatMap((message) => (toneOf(message) === undefined ? [] : [[message, toneOf(message)]])),
      [],
    );
  });

  it('stands at the beginning: what a long message says later is about other things', () => {
    assert.equal(
      toneOf(`Rewrite the page. ${'It has many parts, and each has a title. '.repeat(10)}That is wrong.`),
      undefined,
    );
  });

  for (const piece of [
    'put the a ',
    'use bullet points ',
    '把放在',
    'それで',
    '这样这个',
    'not no ',
    'the a a a ',
    "n't n't ",
  ])
    it(`is found in time that grows with the message alone: ${piece}`, () =>
      assertLinear((size) => toneOf(piece.repeat(size)), 2_000));
});
