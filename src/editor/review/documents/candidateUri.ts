import { sha256 } from '../../../hash.js';
import * as vscode from 'vscode';

/** Under this scheme proposals are shown and edited. */
export const candidateScheme = 'whetstone-proposal';
/** The language of a proposal: its defaults make the diff inline, folded and with lenses, whatever the person's are. */
export const candidateLanguage = 'whetstone-proposal';

const idLength = 16;

/** Which review this is: one document of one proposal for one skill. */
export function reviewId(skillPath: string, proposalId: string, documentPath: string): string {
  return sha256([skillPath, proposalId, documentPath].join('\0')).slice(0, idLength);
}

/** The proposal as a document. Its ending gives it our language; its folder is what the breadcrumbs show. */
export function candidateUri(id: string, skillName: string, file: vscode.Uri): vscode.Uri {
  const folder = skillName.replaceAll(/[^\p{L}\p{N}._ -]/gu, '-') || 'skill';
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  return vscode.Uri.from({ scheme: candidateScheme, authority: id, path: `/${folder}/${name}.proposal` });
}

/**
 * The same proposal under the path of its file: a list of many diffs shows the two as one file, not as a renamed one.
 * Its name does not give it our language, so that has to be set.
 */
export function listedCandidateUri(id: string, file: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: candidateScheme, authority: id, path: file.path });
}

export function isCandidate(uri: vscode.Uri): boolean {
  return uri.scheme === candidateScheme;
}
