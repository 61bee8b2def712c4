import * as vscode from 'vscode';
import { nextStop, placesIn } from '../../review/proposalPlaces.js';
import { nothingLeft, reviewTarget } from './decisions/hunkTarget.js';
import { filesInReview, type ReviewedFile } from './filesInReview.js';
import type { RationaleThreads } from './lenses/rationaleThreads.js';
import type { Reviews } from './reviews.js';
import { goToEdit } from './showFile.js';

/** Goes to the edit after the cursor, or after the one whose row was pressed: into the next file where this one has no more. */
export async function stepToEdit(
  { reviews, threads }: { readonly reviews: Reviews; readonly threads: RationaleThreads },
  given: unknown,
  step: 'next' | 'previous',
): Promise<void> {
  const { files, at } = await filesInReview(reviews, await reviewTarget(reviews, given));
  const stop = nextStop(files, { file: at, line: lineOf(files, at, given) }, step);
  const file = stop === undefined ? undefined : files[stop.file];
  if (stop === undefined || file === undefined) throw nothingLeft();
  await goToEdit(threads, file, stop);
}

/** The row that was pressed, or else the cursor; above the first line where neither is in this file. */
function lineOf(files: readonly ReviewedFile[], at: number, given: unknown): number {
  const { hunks = [], candidate } = files[at] ?? {};
  const row = hunks.findIndex(({ key }) => key === keyOf(given));
  const editor = vscode.window.activeTextEditor;
  const cursor = editor?.document.uri.toString() === candidate?.toString() ? editor?.selection.active.line : undefined;
  return placesIn(files, at)[row]?.line ?? cursor ?? -1;
}

function keyOf(given: unknown): unknown {
  return typeof given === 'object' && given !== null && 'key' in given ? given.key : undefined;
}
