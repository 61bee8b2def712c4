import type { Instruction, InstructionKind } from '../instruction.js';
import { numberIn, numberPattern } from '../reading/wording.js';
import type { PlannedItems } from '../target/plan.js';

const noun =
  '(?:bullets?(?: points?)?|(?:list )?items?|points|steps?|options?|reasons?|examples?|suggestions?|findings?|takeaways?|actions?|questions?|risks|alternatives?|entries|numbered (?:points|steps|items))';
const least = 'at least|no fewer than|no less than|a minimum of|minimum';
const most = 'at most|no more than|not more than|up to|a maximum of|maximum|never more than';
const counted = new RegExp(
  `(?:\\b(${least})|\\b(${most})|\\b(?:exactly|precisely|only|just))? ?\\b(${numberPattern}) (?:\\w+ )?(${noun})\\b(?! (?:or (?:fewer|less|more))?\\w*words)`,
);
const asks =
  /\b(?:list|lists|give|gives|provide|provides|include|includes|use|uses|write|name|names|offer|offers|contain|contains|has|have|present|presents|answer|answers|reply|as|in|with|limit|there (?:is|are)|break|keep)\b/;
const bulleted =
  /\b(?:use|as|in|with|write|format|present|structure|contains?|give)\b[^.]*\b(?:bullets|bullet points|a bulleted list|a list of bullets|a numbered list|numbered steps)\b|^number (?:the|your|all|each) (?:steps?|points?|items?)\b/;
const denied =
  /\b(?:no|without|avoid|never use|do not use|does not contain|not as)(?: any)? (?:bullets?|bullet points|lists?|bulleted lists?)\b/;
const someItems = 3;
const boundless = 99;

/** `Exactly three bullet points`: a list of that many items, bullets unless it is numbered or of steps. */
export const itemCounts: InstructionKind = {
  name: 'counts',
  followed: 'A list has that many items, as bullets, or numbered where steps or numbers are asked for.',
  otherwise: 'There is no list.',
  phrasings: [
    'Give exactly three bullet points.',
    'List at least five items.',
    'Use no more than 4 bullets.',
    'The answer has exactly two options.',
    'Provide a numbered list of six steps.',
    'Present the matter in four bullet points.',
    'Answer with bullet points.',
  ],
  read: ({ plain }) => {
    if (denied.test(plain)) return [unlisted()];
    const match = counted.exec(plain);
    const marker = /\bnumbered\b|\bsteps?\b/.test(plain) ? 'number' : 'bullet';
    if (match === null || !asks.test(plain))
      return bulleted.test(plain) ? [listing({ marker, least: 1, most: boundless })] : [];
    if (/\b(?:each|every|per) (?:section|heading)\b/.test(plain)) return [];
    const count = numberIn(match[3] ?? '');
    return [
      listing({
        marker,
        least: match[2] === undefined ? count : Math.min(1, count),
        most: match[1] === undefined ? count : boundless,
      }),
    ];
  },
};

function listing(items: PlannedItems): Instruction {
  return {
    slot: 'items',
    vague: items.least === 1 && items.most === boundless,
    sentence: sentenceOf(items),
    opposite: 'Do not use bullet points.',
    follow: (plan) => ({ ...plan, items }),
    heldBy: ({ answer }) => {
      const count = answer.match(/^[^\S\n]*(?:[-*+•]|\d{1,3}[.)])\s+\S/gm)?.length ?? 0;
      return count >= items.least && count <= items.most;
    },
  };
}

function sentenceOf({ marker, least: from, most: to }: PlannedItems): string {
  const what = marker === 'number' ? 'numbered steps' : 'bullet points';
  if (from === 1 && to === boundless) return `Answer with ${marker === 'number' ? 'a numbered list' : what}.`;
  if (from === to) return `Give exactly ${from} ${what}.`;
  return to === boundless ? `Give at least ${from} ${what}.` : `Give at most ${to} ${what}.`;
}

function unlisted(): Instruction {
  return {
    slot: 'items',
    sentence: 'Do not use bullet points.',
    opposite: `Give exactly ${someItems} bullet points.`,
    follow: (plan) => ({ ...plan, items: undefined }),
    heldBy: ({ answer }) => !/^[^\S\n]*(?:[-*+•]|\d{1,3}[.)])\s+\S/m.test(answer),
  };
}
