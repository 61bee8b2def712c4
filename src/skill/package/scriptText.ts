import { compileFunction } from 'node:vm';
import { readEol } from '../document/lines.js';
import { sizeOf, type SkillDocument } from '../document/skillDocument.js';
import type { NotApplied } from '../edits/splice.js';
import type { PackageScript } from './packageFile.js';

/** A script as edits see it: code from its first character to its last, in which nothing is Markdown. */
export function readScript(text: string): SkillDocument {
  const hasBom = text.startsWith('\uFEFF');
  const whole = { start: hasBom ? 1 : 0, end: text.length };
  const { eol, mixed } = readEol(text);
  return {
    text,
    hasBom,
    eol,
    mixedEol: mixed,
    frontMatter: undefined,
    body: whole,
    headings: [],
    fences: [{ span: whole, body: whole, closed: true }],
    paragraphs: [],
    items: [],
    restarts: [],
    regions: [],
    size: sizeOf(text),
  };
}

/** Why a script would no longer be one. It is compiled at most, never run. */
export function findSyntaxError({ file, language }: PackageScript, text: string): NotApplied | undefined {
  const code = text.replace(/^\uFEFF/u, '');
  try {
    if (language === 'json') JSON.parse(code);
    else compile(code);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      kind: 'refused',
      reason: 'syntax',
      detail: `${file} would no longer parse (${why.slice(0, longestReason)}).`,
    };
  }
}

const longestReason = 200;

/** As Node.js loads a script: the body of a function, in which a first line for the shell is none of its code. */
function compile(code: string): void {
  compileFunction(code.replace(/^#!.*/u, ''), ['exports', 'require', 'module', '__filename', '__dirname']);
}
