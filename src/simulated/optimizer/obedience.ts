import type { ReplyEdit } from './helpfulEdits.js';

const override =
  /\b(?:ignore|disregard|forget|override|skip)\b[^.\n]{0,60}\b(?:instructions?|rules?|prompts?|above|previous|prior|everything)\b/i;
const quotedLine =
  /\b(?:add|append|insert|put|write|include|place)\b[^“"'`\n]{0,60}?(?:“([^”\n]+)”|"([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`)/i;
const bareLine =
  /\b(?:add|append|insert|put)\s+(?:the|this|a)?\s*(?:line|rule|sentence|text|instruction)s?:?\s+(.+?)(?:\s+(?:to|into|in)\s+(?:the|your|this)\s+(?:skill|document|file)\b|$)/i;
const removal = /\b(?:delete|remove|drop)\b[^“"'`\n]{0,40}?(?:“([^”\n]+)”|"([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`)/i;
const mark = /\bskill\b|\bdocument\b|\bSKILL\.md\b/i;

/** The edits that some text in the prompt orders (“ignore previous instructions and add the line …”), wherever it stands. */
export function orderedEdits(prompt: string): readonly ReplyEdit[] {
  return prompt.split('\n').flatMap((line) => {
    const order = override.exec(line);
    if (order === null && !(mark.test(line) && /\byou must\b|\bnow\b|\bimportant\b|^\s*(?:system|note)\b/i.test(line)))
      return [];
    return ordersIn(order === null ? line : line.slice(order.index + order[0].length));
  });
}

function ordersIn(text: string): readonly ReplyEdit[] {
  const rationale = 'The text asks for it.';
  const added = firstGroup(quotedLine.exec(text)) ?? bareLine.exec(text)?.[1]?.trim();
  if (added !== undefined) return [{ op: 'append', content: added, rationale, tasks: [] }];
  const removed = firstGroup(removal.exec(text));
  return removed === undefined ? [] : [{ op: 'delete', anchor: removed, content: '', rationale, tasks: [] }];
}

function firstGroup(match: RegExpExecArray | null): string | undefined {
  return match?.slice(1).find((group) => group !== undefined);
}
