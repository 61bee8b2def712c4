import { blocksOf, type Block } from './blocks.js';

/** One clause of a text, made ready for the recognisers. */
export interface Statement {
  /** Lower case, contractions written out, quoted spans as `⟦n⟧`. */
  readonly plain: string;
  /** The same in the writer's case. */
  readonly raw: string;
  /** What stood in quotation marks or backticks, verbatim. */
  readonly quotes: readonly string[];
  /** The list beneath a lead-in or a heading. */
  readonly items: readonly string[];
  /** The code fence beneath a lead-in. */
  readonly example: string | undefined;
  /** The sentence as it was written. */
  readonly source: string;
  /** What stands between an opening “If” and its comma. */
  readonly condition: string | undefined;
  /** Which sentence of the text it belongs to. */
  readonly sentence: number;
}

const clauseVerbs =
  'add|address|always|answer|ask|avoid|begin|call|cite|close|commit|conclude|consult|cover|decide|do not|end|explain|finish|' +
  'format|give|go|greet|hedge|include|keep|label|lead|leave|limit|list|make|mention|must|name|never|no|offer|omit|open|order|' +
  'output|pick|place|provide|put|query|recommend|refer|refuse|reply|respond|return|run|say|search|skip|start|state|stay|' +
  'stick|structure|use|wrap|write';
const clauseStart = `(?=(?:also |then |please )?(?:${clauseVerbs})\\b)`;
const clauseBoundary = new RegExp(`(?:;|,(?: and| but| then)?| (?:and|but|then)) ${clauseStart}`, 'i');
// “Never say A, use B, or do C” denies all three, so a bare comma does not end a clause that denies.
const clauseBoundaryAfterDenial = new RegExp(`(?:;|,? (?:and|but)) ${clauseStart}`, 'i');
const sentenceBoundary = /(?<=[.!?])\s+(?=\S)|(?<=\uE002⟧)\s+(?=\p{Lu})/u;

// A criterion that is made of a person's own remark quotes it whole: what it asks for stands inside the quotation marks.
const heeded = /\bThe answer heeds what was said of an earlier one: “([^\n]*)”/gu;

/** Every clause of a text with what stands beneath it. With `everything`, code fences are read as text too. */
export function statementsOf(text: string, everything = false): readonly Statement[] {
  const blocks = blocksOf(text.replaceAll(heeded, '$1'), everything);
  let sentence = 0;
  return blocks.flatMap((block, at) => {
    if (block.kind === 'code') return [];
    const sentences = sentencesOf(block.text);
    return sentences.flatMap((written, index) => {
      sentence += 1;
      const last = index === sentences.length - 1;
      const beneath = last ? beneathOf(blocks, at) : { items: [], example: undefined };
      return clausesOf(written.slice(0, longestSentence)).map((clause): Statement => ({
        ...clause,
        ...beneath,
        source: written,
        sentence,
      }));
    });
  });
}

const longestSentence = 1_000; // characters: what is longer asks for nothing in them, and patterns read no further

/** Splits running text into sentences; full stops inside quotation marks and abbreviations do not count. */
export function sentencesOf(text: string): readonly string[] {
  const masked = maskQuotes(text);
  const marked = masked.text.replaceAll(/\b(e\.g|i\.e|etc|vs|approx|no)\.(?=\s)/gi, '$1\uE001');
  const ended = marked.replaceAll(/⟦(\d+)⟧/g, (mark, index: string) =>
    /[.!?]$/.test(masked.quotes[Number(index)] ?? '') ? `⟦${index}\uE002⟧` : mark,
  );
  return ended
    .split(sentenceBoundary)
    .map((part) => masked.unmask(part.replaceAll('\uE001', '.').replaceAll('\uE002', '')).trim())
    .filter((part) => part !== '');
}

type Clause = Pick<Statement, 'plain' | 'raw' | 'quotes' | 'condition'>;

function clausesOf(sentence: string): readonly Clause[] {
  const masked = maskQuotes(sentence);
  const { condition, rest } = conditionOf(masked.text);
  const boundary = /^\s*(?:never|do not|don.t|avoid)\b/i.test(rest) ? clauseBoundaryAfterDenial : clauseBoundary;
  return keepOpener(rest)
    .split(boundary)
    .map((part) => {
      const raw = expandContractions(part.replace('\uE003', ' ').trim());
      return { raw, plain: raw.toLowerCase(), quotes: masked.quotes, condition };
    });
}

/** “In the risks section, mention …” and “Before you answer, run …” are one clause each. */
function keepOpener(sentence: string): string {
  return sentence.replace(/^((?:in|under|within|inside|beneath|before|after|at|when|once)\b[^,]{1,60},) /i, '$1\uE003');
}

function conditionOf(text: string): { readonly condition: string | undefined; readonly rest: string } {
  const match =
    /^if\s+([^,]{3,80}),\s+(.+)$/is.exec(text) ??
    /^for\s+([^,]{3,60}\b(?:questions?|tasks?|requests?|issues?|reports?|cases?)),\s+(.+)$/is.exec(text);
  return match === null ? { condition: undefined, rest: text } : { condition: match[1] ?? '', rest: match[2] ?? '' };
}

function expandContractions(text: string): string {
  return text
    .replaceAll('’', "'")
    .replaceAll(/\bcan't\b/gi, 'cannot')
    .replaceAll(/\bwon't\b/gi, 'will not')
    .replaceAll(/n't\b/gi, ' not')
    .replaceAll(/\s+/g, ' ');
}

function beneathOf(blocks: readonly Block[], at: number): Pick<Statement, 'items' | 'example'> {
  const block = blocks[at];
  const next = blocks[at + 1];
  const leads = block !== undefined && (block.kind === 'heading' || block.text.endsWith(':'));
  if (!leads || next === undefined) return { items: [], example: undefined };
  if (next.kind === 'code') return { items: [], example: next.text };
  const nested = next.kind === 'item' && (block.kind !== 'item' || next.indent > block.indent);
  return { items: nested ? itemsFrom(blocks, at + 1, next.indent) : [], example: undefined };
}

/** The items of the list that begins here; deeper ones belong to the item above them. */
function itemsFrom(blocks: readonly Block[], from: number, indent: number): readonly string[] {
  const items: string[] = [];
  for (let at = from; at < blocks.length; at += 1) {
    const block = blocks[at];
    if (block?.kind !== 'item' || block.indent < indent) break;
    if (block.indent === indent) items.push(block.text);
  }
  return items;
}

// No mark that opens stands in a quote: the end of one that has none is looked for once, not from every other one.
const quotePattern =
  /“([^“”\n]+)”|"([^"\n]+)"|`([^`\n]+)`|«\s?([^«»\n]+?)\s?»|‘([^‘’\n]+)’(?!\p{L})|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/gu;

/** A text whose quoted spans are `⟦n⟧`, so that no word inside them is taken for a word of the writer. */
interface MaskedText {
  readonly text: string;
  /** The quoted spans without their marks, in order; a comma before the closing mark is left out. */
  readonly quotes: readonly string[];
  unmask(text: string): string;
}

/** Understands typographic and straight quotation marks, guillemets and backticks. */
function maskQuotes(text: string): MaskedText {
  const quotes: string[] = [];
  const literals: string[] = [];
  const masked = text.replaceAll(quotePattern, (literal: string, ...groups: readonly (string | undefined)[]) => {
    const inside = groups.slice(0, 6).find((group) => group !== undefined) ?? '';
    quotes.push(inside.replace(/,$/, ''));
    literals.push(literal);
    return `⟦${quotes.length - 1}⟧`;
  });
  return {
    text: masked,
    quotes,
    unmask: (part) => part.replaceAll(/⟦(\d+)⟧/g, (mark, index: string) => literals[Number(index)] ?? mark),
  };
}
