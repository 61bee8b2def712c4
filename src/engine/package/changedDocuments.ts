import { sha256 } from '../../hash.js';
import type { CandidateFile, DocumentKind, Proposal, ProposedEdit } from '../../ports/proposal.js';
import { fromFolder, type PackageFiles } from '../../skill/package/packageFile.js';
import { fileOf } from '../../skill/edits/edit.js';
import { storedText, type Candidate } from '../candidate.js';

/** An edit of a proposal that is being put together. */
export type EditToPropose = Omit<ProposedEdit, 'hunks' | 'changesCode'>;

/** A document of a proposal that is being put together. */
export interface DocumentParts {
  readonly kind: DocumentKind;
  readonly path: string;
  readonly base: Pick<Candidate, 'text' | 'hash'>;
  readonly candidate: Pick<Candidate, 'text' | 'hash'>;
  readonly edits: readonly EditToPropose[];
}

/** What of a package is proposed. */
interface ChangedPackage {
  readonly path: string;
  readonly base: Candidate;
  readonly candidate: Candidate;
  /** SKILL.md is one of the documents where nothing of it is changed, too. */
  readonly always?: boolean;
}

/** The documents of a package that a candidate changes, each with its own edits: SKILL.md first, then files by name. */
export function changedDocuments(
  { path, base, candidate, always = false }: ChangedPackage,
  edits: readonly EditToPropose[],
): readonly DocumentParts[] {
  const of = (file: string | undefined) => edits.filter(({ edit }) => fileOf(edit) === file);
  const changed = candidateFiles(candidate);
  const skill = { kind: 'skill' as const, path, base: hashed(base.text), candidate: hashed(candidate.text) };
  const isSkill = always || changed.length === 0 || candidate.text !== base.text;
  return [
    ...(isSkill ? [{ ...skill, edits: of(undefined) }] : []),
    ...changed.map((file) => ({
      kind: 'file' as const,
      path: file.path,
      base: hashed(file.baseText),
      candidate: hashed(file.candidateText),
      edits: of(file.path.slice(fromFolder.length)),
    })),
  ];
}

function hashed(text: string): DocumentParts['base'] {
  return { text, hash: sha256(text) };
}

/** The files that a candidate changes, as documents name them. */
export function candidateFiles({ files }: Candidate): readonly CandidateFile[] {
  return Object.entries(files?.changed ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, candidateText]) => ({
      path: `${fromFolder}${file}`,
      baseText: files?.before[file] ?? '',
      candidateText,
    }));
}

/** The files that a proposal changes, by their names in the package, as they are with it or as they were. */
export function filesProposed(
  { documents }: Pick<Proposal, 'documents'>,
  side: 'candidateText' | 'baseText',
): PackageFiles {
  const files = documents.filter(({ kind }) => kind === 'file');
  return Object.fromEntries(files.map((document) => [document.path.slice(fromFolder.length), document[side]]));
}

/** The hash under which its run names what a proposal makes of the skill; `text` is the skill where it stays as it is. */
export function candidateHashOf(proposal: Pick<Proposal, 'documents'>, text: string): string {
  const skill = proposal.documents.find(({ kind }) => kind === 'skill')?.candidateText ?? text;
  return sha256(storedText({ skill, files: filesProposed(proposal, 'candidateText') }));
}
