/** A stretch of an answer under a heading, a bold line or a label. */
export interface Section {
  readonly kind: 'heading' | 'bold' | 'label';
  readonly title: string;
  /** What follows the title, up to the next title of the same or a higher level. */
  readonly body: () => string;
}

/**
 * The sections of a Markdown answer. What stands in a code fence is code and opens none, unless the whole answer is
 * one fence. Linear in the length of the answer.
 */
export function sectionsOf(answer: string): readonly Section[] {
  const lines = unwrapped(answer.replaceAll('\r\n', '\n')).split('\n');
  const titles = titlesIn(lines);
  const ends = endsOf(titles, lines.length);
  return titles.map(({ kind, title, next, rest }, index) => ({
    kind,
    title,
    body: () => [rest, ...lines.slice(next, ends[index])].join('\n').trim(),
  }));
}

interface Title {
  readonly kind: Section['kind'];
  readonly title: string;
  readonly level: number;
  readonly line: number;
  /** The line after the title's own lines. */
  readonly next: number;
  /** What stands on the title's line after it. */
  readonly rest: string;
}

const longestTitle = 300;
const lowestLevel = 7; // Bold lines and labels stand below every heading.

function titlesIn(lines: readonly string[]): readonly Title[] {
  const titles: Title[] = [];
  let fence: string | undefined;
  lines.forEach((line, index) => {
    const ticks = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    if (ticks === undefined) {
      const found = fence === undefined ? titleAt(line, lines[index + 1]) : undefined;
      if (found !== undefined) titles.push({ line: index, next: index + 1 + (found.skip ?? 0), rest: '', ...found });
    } else if (fence === undefined) fence = ticks;
    else if (ticks.startsWith(fence) && line.trim() === ticks) fence = undefined;
  });
  return titles;
}

function titleAt(line: string, next: string | undefined): FoundTitle | undefined {
  if (line.length > longestTitle) return undefined;
  return heading(line) ?? underlined(line, next) ?? boldLine(line) ?? label(line);
}

/** For each title the line where its section ends: at the next one of the same or a higher level. */
function endsOf(titles: readonly Title[], lineCount: number): readonly number[] {
  const nextOf = Array.from({ length: lowestLevel + 1 }, () => lineCount);
  const ends: number[] = [];
  for (const title of titles.toReversed()) {
    ends.push(Math.min(...nextOf.slice(1, title.level + 1)));
    nextOf[title.level] = title.line;
  }
  return ends.toReversed();
}

type FoundTitle = Pick<Title, 'kind' | 'title' | 'level'> & { readonly rest?: string; readonly skip?: number };

function heading(line: string): FoundTitle | undefined {
  const [, marks, text] = /^ {0,3}(#{1,6})[ \t]+(.+)$/u.exec(line) ?? [];
  if (marks === undefined || text === undefined) return undefined;
  return { kind: 'heading', title: plain(text.replace(/[ \t]#+[ \t]*$/u, '')), level: marks.length };
}

function underlined(line: string, next: string | undefined): FoundTitle | undefined {
  const underline = /^ {0,3}(=+|-{2,})[ \t]*$/u.exec(next?.slice(0, longestTitle) ?? '')?.[1];
  if (underline === undefined || !/^ {0,3}[^\s>\-*+|]/u.test(line)) return undefined;
  return { kind: 'heading', title: plain(line), level: underline.startsWith('=') ? 1 : 2, skip: 1 };
}

function boldLine(line: string): FoundTitle | undefined {
  const text = /^[ \t]*(?:[-*+][ \t]+)?(\*\*|__)(.+)\1[ \t]*:?[ \t]*$/u.exec(line)?.[2];
  return text === undefined ? undefined : { kind: 'bold', title: plain(text), level: lowestLevel };
}

function label(line: string): FoundTitle | undefined {
  const [, text, rest] = /^[ \t]*(?:[-*+][ \t]+)?([^:：]{1,80})[:：](.*)$/u.exec(line) ?? [];
  if (text === undefined || rest === undefined) return undefined;
  return { kind: 'label', title: plain(text), level: lowestLevel, rest };
}

function plain(title: string): string {
  return title
    .replaceAll(/[*_`]/gu, '')
    .trim()
    .replace(/[:：]$/u, '')
    .trim();
}

function unwrapped(answer: string): string {
  const lines = answer.trim().split('\n');
  const ticks = /^(`{3,})[^`]*$/u.exec(lines[0] ?? '')?.[1];
  const body = lines.slice(1, -1);
  const isOneFence = ticks !== undefined && lines.at(-1) === ticks && !body.some((line) => line.startsWith(ticks));
  return isOneFence ? body.join('\n') : answer;
}
