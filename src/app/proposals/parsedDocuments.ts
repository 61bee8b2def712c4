import { UserError } from '../../errors.js';
import type { ProposedDocument } from '../../ports/proposal.js';
import type { ScriptParser } from '../../ports/scriptParser.js';
import { fromFolder, isScriptDocument, packageScript } from '../../skill/package/packageFile.js';
import { findScriptError } from '../../skill/package/scriptText.js';

/** A document of a proposal, and what its file would hold. */
type WrittenDocument = Pick<ProposedDocument, 'kind' | 'path'> & { readonly text: string };

/**
 * Throws where a script would be written that does not parse, or of which nobody can tell: a part of a proposal, or one
 * that was moved onto another text, was never parsed as it is.
 */
export async function refuseUnparsed(
  documents: readonly WrittenDocument[],
  parser: ScriptParser,
  signal: AbortSignal,
): Promise<void> {
  for (const { path, text } of documents.filter(isScriptDocument)) {
    const file = path.slice(fromFolder.length);
    const script = packageScript(file, text);
    const refused =
      script === undefined
        ? { detail: `The first line of ${file} would name another program to run it.` }
        : await findScriptError(script, text, (language, code) => parser.parse(language, code, signal));
    if (refused === undefined) continue;
    throw new UserError(
      'proposal-not-adoptable',
      refused.detail,
      'Take all edits of this file or none of them; where it cannot be parsed here, install what is missing.',
    );
  }
}
