import type { ScriptParser } from '../../src/ports/scriptParser.js';
import type { ForeignLanguage } from '../../src/skill/package/packageFile.js';
import type { ParsedScript } from '../../src/skill/package/parsedScript.js';

/**
 * A parser in memory that knows one law of each language: in Python a line that ends in a colon has an indented one after
 * it, a shell closes what `if` opens, and a module ends no line in an equals sign.
 */
export class ScriptedParser implements ScriptParser {
  /** What was really parsed: equal texts once. */
  readonly parsed: string[] = [];
  readonly #known = new Map<string, ParsedScript>();
  readonly #lacking: Partial<Record<ForeignLanguage, string>>;

  constructor(lacking: Partial<Record<ForeignLanguage, string>> = {}) {
    this.#lacking = lacking;
  }

  async lacks(language: ForeignLanguage): Promise<string | undefined> {
    return this.#lacking[language];
  }

  async parse(language: ForeignLanguage, text: string, signal: AbortSignal): Promise<ParsedScript> {
    signal.throwIfAborted();
    const reason = this.#lacking[language];
    if (reason !== undefined) return { kind: 'unparsed', reason };
    const known = this.#known.get(`${language} ${text}`);
    if (known !== undefined) return known;
    this.parsed.push(text);
    const line = brokenLine(language, text.split('\n'));
    const result: ParsedScript =
      line < 0 ? { kind: 'parses' } : { kind: 'broken', message: 'unexpected', line: line + 1 };
    this.#known.set(`${language} ${text}`, result);
    return result;
  }
}

function brokenLine(language: ForeignLanguage, lines: readonly string[]): number {
  switch (language) {
    case 'python':
      return lines.findIndex((line, at) => lines[at - 1]?.endsWith(':') === true && !/^\s/u.test(line));
    case 'sh':
    case 'bash': {
      let open = 0;
      return lines.findIndex((line) => (open += line.startsWith('if ') ? 1 : line === 'fi' ? -1 : 0) < 0);
    }
    case 'module':
      return lines.findIndex((_, at) => lines[at - 1]?.endsWith('=') === true);
  }
}
