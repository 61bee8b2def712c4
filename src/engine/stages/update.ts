import { applyEdits } from '../../skill/edits/applyEdits.js';
import { sha256 } from '../../hash.js';
import { parseSkill, printSkill, type SkillDocument } from '../../skill/document/skillDocument.js';
import type { Candidate, Update } from '../candidate.js';
import type { PatchEdit } from '../patch.js';
import type { RunContext } from '../runContext.js';

const documents = new WeakMap<Candidate, SkillDocument>();

/** Edits are tried on the same text again and again. */
function documentOf(candidate: Candidate): SkillDocument {
  const document = documents.get(candidate) ?? parseSkill(candidate.text);
  documents.set(candidate, document);
  return document;
}

/** The skill with the edits that are lawful and find their place; every other one is in the report with its reason. */
export function update(context: RunContext, from: Candidate, edits: readonly PatchEdit[]): Update {
  const applied = applyEdits(
    documentOf(from),
    edits.map((each) => each.edit),
    { scope: context.options.edits.scope, gaming: context.gaming },
  );
  const text = printSkill(applied.document);
  const taken = applied.report.filter((row) => row.outcome.kind === 'applied').flatMap((row) => edits[row.index] ?? []);
  return {
    candidate: { text, hash: sha256(text), edits: [...from.edits, ...taken] },
    report: applied.report,
  };
}
