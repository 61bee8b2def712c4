import { parseSkill } from '../../../src/skill/document/skillDocument.js';
import { textOf } from '../../../src/skill/document/span.js';
import { unseen } from './hostileReplies.js';

/** What no edit may do to a skill, written down apart from the code that holds it; each broken law is a sentence. */
export function brokenLaws(before: string, after: string): readonly string[] {
  const found: string[] = [];
  if (frontMatterOf(before) !== frontMatterOf(after)) found.push('the front matter changed');
  if (keptParts(before).join('\n') !== keptParts(after).join('\n')) found.push('a kept part or its marker changed');
  for (const fence of fencesOf(before))
    if (!fencesOf(after).includes(fence)) found.push(`a code fence changed: ${fence}`);
  const hidden = unseen.filter((text) => text !== '\r\r' && countOf(after, text) > countOf(before, text));
  if (hidden.length > 0) found.push(`came in unseen: ${hidden.map((text) => JSON.stringify(text)).join(', ')}`);
  if (parseSkill(after).size.lines > 500 || parseSkill(after).size.tokens > 5000) found.push('the skill is too long');
  if (!Buffer.from(after).toString('utf8').includes('# Words')) found.push('the skill is gone');
  return found;
}

/** Characters that a terminal obeys or hides. */
export function unsafeInTerminal(text: string): readonly string[] {
  const found = text.match(
    /[^\P{Cc}\n\t]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu,
  );
  return [...new Set(found ?? [])].map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16)}`);
}

function frontMatterOf(text: string): string {
  return /^---\n[\s\S]*?\n---\n/u.exec(text)?.[0] ?? '';
}

function keptParts(text: string): readonly string[] {
  return [
    ...text.matchAll(/<!-- whetstone:keep -->[\s\S]*?<!-- \/whetstone:keep -->/gu),
    ...text.matchAll(/<!--\s*\/?\s*(?:whetstone:|SKILLOPT-SLEEP|APPENDIX_|SLOW_UPDATE)[^>]*>/giu),
    ...text.matchAll(/<!-- SKILLOPT-SLEEP:LEARNED START -->[\s\S]*?<!-- SKILLOPT-SLEEP:LEARNED END -->/gu),
  ].map(([part]) => part);
}

function fencesOf(text: string): readonly string[] {
  return parseSkill(text).fences.map(({ span }) => textOf(text, span));
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}
