import type { ForeignLanguage } from '../../skill/package/packageFile.js';
import { shortReason, type ParsedScript } from '../../skill/package/parsedScript.js';
import { t, type Say } from '../translate.js';

/** Whether edits may change scripts of skills on this machine. */
export function scriptEditsSentence(on: boolean): string {
  return on
    ? t(
        'Edits may change scripts of skills (JSON, YAML, JavaScript, Python, shell) where agents attempt every task. Agents run what is adopted, so read every line; nothing of it is adopted unattended.',
      )
    : t('Edits change no script of a skill: agents and the optimizer read them, and that is all.');
}

/** Languages whose scripts no edit changes here, because nothing can parse them; the reason is a sentence. */
export function unparsedLanguagesSentence(languages: readonly ForeignLanguage[], reason: string): string {
  return t('Not changed on this machine: scripts in {0}. {1}', languages.map(languageName).join(', '), reason);
}

function languageName(language: ForeignLanguage): string {
  switch (language) {
    case 'python':
      return 'Python';
    case 'module':
      return t('JavaScript modules');
    case 'sh':
    case 'bash':
      return language;
  }
}

/** Why a script stays as it is: it does not parse as it is, nobody can tell, here or at all, or there is too much of them. */
export type WhyFixed = Exclude<ParsedScript, { kind: 'parses' }> | { readonly kind: 'no-room' | 'no-parser' };

/** Scripts that no edit changes, those with the same reason together. */
export function fixedScriptsSentences(
  scripts: readonly { readonly file: string; readonly why: WhyFixed }[],
  say: Say,
): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { file, why } of scripts) {
    const reason = fixedReason(why, say);
    byReason.set(reason, [...(byReason.get(reason) ?? []), file]);
  }
  return [...byReason].map(([reason, files]) => {
    const more = files.length - mostNamed;
    const names = more > 0 ? [...files.slice(0, mostNamed), '…'] : files;
    return say('No edit changes {0}. {1}', names.join(', '), reason);
  });
}

const mostNamed = 12; // what a person reads before a run

function fixedReason(why: WhyFixed, say: Say): string {
  switch (why.kind) {
    case 'broken':
      return why.line === undefined
        ? say('It does not parse as it is ({0}).', shortReason(why.message))
        : say('It does not parse as it is, in line {0} ({1}).', why.line, shortReason(why.message));
    case 'unparsed':
      return why.reason;
    case 'no-parser':
      return say('It is read-only: nothing here parses its language, so nobody could tell whether an edit broke it.');
    case 'no-room':
      return say('An optimizer is shown 20 scripts and 10,000 tokens of them at most.');
  }
}
