import { compileFunction } from 'node:vm';
import { readEol } from '../document/lines.js';
import { sizeOf, type SkillDocument } from '../document/skillDocument.js';
import type { NotAppliedReason } from '../edits/splice.js';
import { parseAllDocuments } from 'yaml';
import { isSafeYaml } from '../document/safeYaml.js';
import type { ForeignLanguage, PackageScript } from './packageFile.js';
import { shortReason, type ParsedScript, type ParseScript } from './parsedScript.js';

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

/** Whether a text is a script in its language. It is compiled at most, never run. */
export async function parsedScript(
  language: PackageScript['language'],
  text: string,
  parse: ParseScript | undefined,
): Promise<ParsedScript> {
  const here = parsedInProcess(language, text);
  if (here.kind !== 'parses' || !isForeign(language)) return here;
  return (await parse?.(language, text)) ?? { kind: 'unparsed', reason: 'There is no parser for it here.' };
}

/** Why a script would no longer be one, as far as that can be told in this process. */
export function findSyntaxError({ file, language }: PackageScript, text: string): NotAppliedReason | undefined {
  return refusal(file, parsedInProcess(language, text));
}

/** Why a script would no longer be one, or why nobody can tell. */
export async function findScriptError(
  { file, language }: PackageScript,
  text: string,
  parse: ParseScript | undefined,
): Promise<NotAppliedReason | undefined> {
  return refusal(file, await parsedScript(language, text, parse));
}

function isForeign(language: PackageScript['language']): language is ForeignLanguage {
  return language !== 'json' && language !== 'yaml' && language !== 'javascript';
}

function refusal(file: string, parsed: ParsedScript): NotAppliedReason | undefined {
  switch (parsed.kind) {
    case 'parses':
      return undefined;
    case 'broken': {
      const [why, { line }] = [shortReason(parsed.message), parsed];
      const detail =
        line === undefined
          ? `${file} would no longer parse (${why}).`
          : `${file} would no longer parse in line ${line} (${why}).`;
      return { kind: 'refused', reason: 'syntax', detail };
    }
    case 'unparsed':
      return { kind: 'refused', reason: 'syntax', detail: `${file} could not be parsed. ${parsed.reason}` };
  }
}

/** Of a language that a program has to parse, only what that program would pass over. */
function parsedInProcess(language: PackageScript['language'], text: string): ParsedScript {
  if (text.includes('\0')) return { kind: 'broken', message: 'it holds a null byte' };
  try {
    return parsedHere(language, text);
  } catch (error) {
    if (error instanceof RangeError) return tooDeep;
    const { message, stack = '' } = error instanceof Error ? error : { message: String(error) };
    const [, line] = /^script:(\d+)$/mu.exec(stack) ?? [];
    return { kind: 'broken', message, ...(line === undefined ? {} : { line: Number(line) }) };
  }
}

const tooDeep: ParsedScript = { kind: 'unparsed', reason: 'It is nested too deeply.' };

function parsedHere(language: PackageScript['language'], text: string): ParsedScript {
  const code = text.replace(/^\uFEFF/u, '');
  switch (language) {
    case 'json':
      JSON.parse(code);
      return parses;
    case 'javascript':
      compile(code);
      return parses;
    case 'yaml':
      return parsedYaml(code);
    case 'python':
      return declaredEncoding(code);
    case 'sh':
    case 'bash':
      return code === text ? parses : { kind: 'broken', message: 'a shell takes its byte order mark for a command' };
    case 'module':
      return parses;
  }
}

const parses: ParsedScript = { kind: 'parses' };

const longestYaml = 1_000_000; // characters

function parsedYaml(code: string): ParsedScript {
  if (!isSafeYaml(code, longestYaml)) return tooDeep;
  const documents = parseAllDocuments(code, { logLevel: 'silent' });
  const [first] = Array.isArray(documents) ? documents.flatMap(({ errors }) => errors) : [];
  if (first === undefined) return parses;
  const [message = ''] = first.message.split(' at line ');
  return { kind: 'broken', message, line: first.linePos?.[0].line };
}

/** Python reads a file as its first lines say: in another encoding it would run what nobody sees. */
function declaredEncoding(code: string): ParsedScript {
  const declared = code.split(/\r\n?|\n/u, 2).map((line) => /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/u.exec(line)?.[1]);
  const other = declared.find((name) => name !== undefined && !/^(?:utf[-_]?8|(?:us[-_])?ascii)$/iu.test(name));
  return other === undefined ? parses : { kind: 'broken', message: `it declares the encoding ${other}, not UTF-8` };
}

/** As Node.js loads a script: the body of a function, in which a first line for the shell is none of its code. */
function compile(code: string): void {
  const given = ['exports', 'require', 'module', '__filename', '__dirname'];
  compileFunction(code.replace(/^#!.*/u, ''), given, { filename: 'script' });
}
