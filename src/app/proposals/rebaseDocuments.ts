import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Proposal, ProposedDocument } from '../../ports/proposal.js';
import { applyEdits } from '../../skill/edits/applyEdits.js';
import { decodeSkill } from '../../skill/document/decodeSkill.js';
import { sha256 } from '../../hash.js';
import { parseSkill, printSkill } from '../../skill/document/skillDocument.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import type { OpenSkill } from '../openSkill.js';

/** An edit that found no place in the file as it is now. */
export interface LostEdit {
  readonly id: string;
  readonly reason: string;
}

/** The text that a document of a proposal has on disk now; undefined where the file is gone. */
export async function textNow(skill: OpenSkill, { kind, path: file }: ProposedDocument): Promise<string | undefined> {
  if (kind === 'skill') return skill.text;
  const { root, skillPath } = skill.places;
  const bytes = await unlessMissing(readFile(path.resolve(root ?? path.dirname(skillPath), file)));
  return bytes === undefined ? undefined : decodeSkill(bytes, file);
}

/** Whether any document is no longer the text that the proposal was made from. */
export async function isStale(skill: OpenSkill, { documents }: Proposal): Promise<boolean> {
  const texts = await Promise.all(documents.map((document) => textNow(skill, document)));
  return documents.some((document, index) => texts[index] !== document.baseText);
}

/**
 * The same edits on the text as it is now: those whose anchor still stands there exactly once. All others are listed.
 * What an edit was worth on another text proves nothing here.
 */
export function rebaseDocument(
  document: ProposedDocument,
  now: string,
): { readonly document: ProposedDocument; readonly lost: readonly LostEdit[] } {
  const applied = applyEdits(
    parseSkill(now),
    document.edits.map(({ edit }) => edit),
    { scope: document.scope },
  );
  const outcomes = document.edits.map((edit, index) => ({ edit, outcome: applied.report[index]?.outcome }));
  const candidateText = printSkill(applied.document);
  return {
    document: {
      ...document,
      baseText: now,
      baseHash: sha256(now),
      candidateText,
      candidateHash: sha256(candidateText),
      edits: outcomes
        .filter(({ outcome }) => outcome?.kind === 'applied')
        .map(({ edit }) => ({ ...edit, worth: { kind: 'not-measured-singly' } })),
    },
    lost: outcomes.flatMap(({ edit, outcome }) =>
      outcome === undefined || outcome.kind === 'applied' ? [] : [{ id: edit.id, reason: outcome.detail }],
    ),
  };
}
