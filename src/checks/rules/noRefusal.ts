import * as z from 'zod';
import { defineCheck, scored } from '../check.js';

export const noRefusal = defineCheck({
  name: 'no_refusal',
  about: 'The answer does not open with a refusal.',
  arguments: z.strictObject({}),
  prepare: () => ({
    criterion: 'The answer does the task instead of refusing it.',
    shapeOnly: true,
    evaluation: {
      by: 'rule',
      evaluate: ({ answer }) => {
        const text = answer.trim();
        if (text === '') return scored(false, 'It is empty.');
        const refused = text.length < longestRefusal && refusals.some((refusal) => refusal.test(opening(text)));
        return scored(!refused, refused ? 'It opens with a refusal.' : 'It does not open with a refusal.');
      },
    },
  }),
});

// A longer answer that opens with a doubt usually goes on to do the work.
const longestRefusal = 600;
const openingLength = 160;

function opening(text: string): string {
  return text
    .slice(0, openingLength)
    .replaceAll('’', "'")
    .replaceAll(/[*_#>]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}

const refusals = [
  /^(?:(?:i'm|i am|we're|we are) (?:very |so |really )?(?:sorry|afraid)|sorry|apologies|i apologi[sz]e|unfortunately)\b.{0,40}?\b(?:can't|cannot|can not|won't|unable|not able|must decline|have to decline)\b/u,
  /^(?:i|we) (?:can't|cannot|can not|won't|will not|am unable to|am not able to|must decline|have to decline|do not feel comfortable|don't feel comfortable)\b.{0,20}?\b(?:help|assist|comply|do (?:that|this|so)|fulfil|fulfill|provide|answer|complete|create|generate|write|engage|with|to)\b/u,
  /^(?:i'm|we're) (?:unable|not able|not comfortable)\b/u,
  /^as an? (?:ai|language model)\b.{0,60}?\b(?:can't|cannot|unable|not able|won't)\b/u,
  /^(?:es )?tut mir leid\b.{0,40}?\b(?:nicht|kein)/u,
  /^(?:je suis |)désolée?\b.{0,40}?\bne (?:peux|puis)\b/u,
  /^lo siento\b.{0,40}?\bno (?:puedo|podemos)\b/u,
  /^(?:desculpe|sinto muito|lamento)\b.{0,40}?\bnão (?:posso|podemos)\b/u,
  /^(?:mi dispiace|spiacente)\b.{0,40}?\bnon (?:posso|possiamo)\b/u,
  /^(?:извините|простите|к сожалению)(?![\p{L}]).{0,40}?не (?:могу|можем)/u,
  /^(?:非常|很)?(?:抱歉|对不起|對不起|遗憾|遺憾).{0,30}?(?:无法|無法|不能)/u,
  /^(?:大変)?(?:申し訳|すみません|恐れ入りますが).{0,40}?(?:できません|できかねます|いたしかねます)/u,
  /^(?:정말 )?죄송.{0,40}?(?:수 없|어렵)/u,
];
