import type * as vscode from 'vscode';
import { sha256 } from '../../hash.js';
import type { KeptStanding } from './keptStanding.js';
import { plainText } from './plainText.js';
import { hashText } from '../../skill/document/fingerprint.js';
import type { KeptStanding } from '../../review/keptStanding.js';
import { plainText } from '../../review/plainText.js';
import type { ReviewHost } from './reviewHost.js';
import type { Standings } from './standings.js';

/**
 * What is known of the text in a skill's file: from a review, or else from its history, into which the command line and
 * other machines' windows write too. Undefined where it was measured, or nothing was taken.
 */
export async function standingInFile(
  standings: Standings,
  host: ReviewHost,
  document: vscode.TextDocument,
): Promise<KeptStanding | undefined> {
  const skillPath = document.uri.fsPath;
  const text = document.getText();
  const kept = await standings.of(skillPath, text);
  if (kept !== undefined || document.isDirty) return kept;
  const before = await host.unmeasuredBase(skillPath);
  if (before === undefined) return undefined;
  return {
    skillPath,
    before: plainText(before),
    afterHash: sha256(plainText(text)),
    standing: { kind: 'unmeasured', ...(await counted(host, skillPath)) },
  };
}

/** How much of the proposal is in the file, where one still waits; else nobody counts any more. */
async function counted(
  host: ReviewHost,
  skillPath: string,
): Promise<{ readonly cause: 'partly-accepted' | 'edited-by-hand'; readonly taken: number; readonly of: number }> {
  const pending = await host.pending(skillPath);
  if (pending === undefined) return { cause: 'edited-by-hand', taken: 0, of: 0 };
  const of = pending.proposal.documents.reduce((sum, { edits }) => sum + edits.length, 0);
  const taken = Object.values(pending.decisions).filter(({ kind }) => kind !== 'rejected').length;
  return { cause: 'partly-accepted', taken, of };
}
