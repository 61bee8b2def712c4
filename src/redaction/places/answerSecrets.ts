import { caseless } from '../names/caselessPattern.js';
import { about, gap, loose, quoted, sign } from '../names/passwordNames.js';
import { isAnswer } from '../plainPassword.js';
import { isPassword } from '../plausibleValue.js';
import { shape, type NameGroup } from './saidGroup.js';

/** What is answered to prove who one is. */
const answer =
  "(?:security(?:[ -]question)?[ -]answer|answer to (?:the|my|our) security question|sicherheitsantwort|antwort auf (?:die|meine) sicherheitsfrage|密保答案|mother[’']s maiden name)";
const answered = `[^\\n]{0,80}?(?:(?<!\\p{L})(?:i|we|ich|wir) (?:answered|said|gave|wrote|antworte|antwortete|schrieb)|answer(?: is| was|:)|antwort(?: ist| war|:))${gap}{1,3}["'“„]?`;
const lastWords = `(?<secret>\\p{L}[\\p{L}\\p{N}'’-]{2,24}(?: \\p{L}[\\p{L}\\p{N}'’-]{1,24}){0,2})(?=[.!。]?${gap}{0,3}(?:(?![^])|\\r?\\n))`;

/** Answers to the questions that a service asks whoever forgot a password. */
export const answerGroups: readonly NameGroup[] = [
  {
    name: caseless(answer),
    shapes: [
      shape('answer', `${about}${sign}${quoted}`, isAnswer),
      shape('answer', `${about}${sign}${loose}`, (value) => isPassword(value, 'loose')),
      shape('answer', `${about}${sign}${lastWords}`, isAnswer),
    ],
  },
  {
    name: /(?:security question|sicherheitsfrage|question secrète|pregunta de seguridad)/gi,
    shapes: [
      shape('answer', `${answered}${loose}`, (value) => isPassword(value, 'loose')),
      shape('answer', `${answered}${lastWords}`, isAnswer),
    ],
  },
];
