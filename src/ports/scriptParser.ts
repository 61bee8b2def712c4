import type { ForeignLanguage } from '../skill/package/packageFile.js';
import type { ParsedScript } from '../skill/package/parsedScript.js';

/** Tells whether scripts parse that no parser in this process reads. Nothing of a text is ever run. */
export interface ScriptParser {
  /** Why texts of a language cannot be parsed on this machine, as a sentence; undefined where they can. */
  lacks(language: ForeignLanguage, signal: AbortSignal): Promise<string | undefined>;
  /** Equal texts are parsed once. Whatever a text does to its parser is a result; only an abort is thrown. */
  parse(language: ForeignLanguage, text: string, signal: AbortSignal): Promise<ParsedScript>;
}
