import type { Statement } from '../reading/statements.js';
import { namesIn, optionsIn } from '../reading/wording.js';
import type { PlannedLine } from '../target/plan.js';

/** The line that the quoted span with this number asks for: `Severity:`, `Severity: <high|low>` or fixed words. */
export function lineOf(statement: Statement, index: number): PlannedLine {
  const quote = statement.quotes[index] ?? '';
  const match = /^(\p{L}[^:\n]{0,40}):\s*(.*)$/u.exec(quote);
  if (match === null) return { kind: 'fixed', text: quote };
  const label = match[1] ?? '';
  const tail = match[2] ?? '';
  if (tail === '') return { kind: 'label', label, options: optionsAfter(statement, index) };
  if (/^[<[{(].*[>\]})]$|^(?:\.{3}|…|_+)$|\|/.test(tail)) return { kind: 'label', label, options: optionsIn(tail) };
  return { kind: 'fixed', text: quote };
}

function optionsAfter({ raw, quotes }: Statement, index: number): readonly string[] {
  const after = raw.split(`⟦${index}⟧`)[1] ?? '';
  const choice = /\b(?:one of|either|followed by|set to|with the values?|as)\b:?\s*(.+)$/i.exec(after)?.[1];
  const bracketed = /\(([^)]+)\)/.exec(after)?.[1];
  const text = bracketed ?? choice;
  if (text === undefined) return [];
  const named = namesIn(text, quotes);
  return text.includes('⟦') && named.length > 1 ? named : optionsIn(text);
}

/** How the line is named in a sentence: quoted, with its choices. */
export function quoted(line: PlannedLine): string {
  return line.kind === 'fixed' ? `“${line.text}”` : `“${line.label}:”${choices(line.options)}`;
}

function choices(options: readonly string[]): string {
  return options.length === 0
    ? ''
    : ` followed by one of ${options.slice(0, -1).join(', ')} or ${options.at(-1) ?? ''}`;
}

/** Whether a line of an answer is this one: the fixed words, or the label with one of its values. */
export function isLine(written: string, line: PlannedLine): boolean {
  const bare = written.replaceAll(/[*_`]/g, '').trim();
  if (line.kind === 'fixed') return bare.toLowerCase() === line.text.replaceAll(/[*_`]/g, '').trim().toLowerCase();
  if (!bare.toLowerCase().startsWith(`${line.label.toLowerCase()}:`)) return false;
  const value = bare
    .slice(line.label.length + 1)
    .trim()
    .toLowerCase();
  return (
    value !== '' && (line.options.length === 0 || line.options.some((option) => value.startsWith(option.toLowerCase())))
  );
}

/** Whether the text that begins here begins with this line's words. */
export function beginsWith(text: string, line: PlannedLine): boolean {
  return line.kind === 'fixed'
    ? text.trimStart().toLowerCase().startsWith(line.text.toLowerCase())
    : isLine(text.trim().split('\n')[0] ?? '', line);
}
