import type * as vscode from 'vscode';
import type { ToldSize } from '../../app/runs/bound/toldSize.js';
import type { FilesToMeasure } from '../../app/proposals/acceptedFiles.js';
import type { EditorSave, EditorSaves } from '../../app/proposals/editorSaves.js';
import type { EditorWrite } from '../../app/proposals/editorWrites.js';
import type { PendingProposal } from '../../app/proposals/pending.js';
import type { DecisionStore } from '../../review/decisionSync.js';
import type { AdoptionsUnderWay } from '../../review/adoptionsUnderWay.js';
import type { MeasuredText, MeasurementStatus } from '../../review/measurementStatus.js';

/** A text that is to be measured against the one it came from. */
export interface MeasureRequest {
  readonly skillPath: string;
  readonly before: string;
  readonly after: string;
  /** The files of the package that are measured along; of a text that is in the file now they are known without. */
  readonly files?: FilesToMeasure | undefined;
}

/** All that a review asks of the rest of Whetstone. */
export interface ReviewHost extends DecisionStore {
  /** A folder of this user alone, shared by all windows: proposals that are being reviewed lie there. */
  readonly storage: vscode.Uri;
  /** Fires with the path of a skill whose proposal or decisions changed, here or in another window; undefined: any. */
  readonly onDidChange: vscode.Event<string | undefined>;
  pending(skillPath: string): Promise<PendingProposal | undefined>;
  /** Paths of the skills whose proposals wait. */
  waiting(): Promise<readonly string[]>;
  /** Told of every adoption from its first word in a buffer to its receipt. */
  readonly adoptions: Pick<AdoptionsUnderWay, 'begin' | 'end' | 'saving'>;
  /** Throws where a document must not be changed in this way; asked before every change of a file's buffer. */
  refuseWrite(skillPath: string, write: EditorWrite): Promise<void>;
  /** The editor saved another text. `edits` is empty where an accept was undone. */
  noteAdoption(skillPath: string, change: EditorSave): Promise<void>;
  /** Has the editor save several files as one adoption, or as one undo: all of them or none. `save` writes them. */
  saveTogether(skillPath: string, change: EditorSaves, save: () => Promise<void>): Promise<void>;
  /** Whether the text of the skill on disk was measured. */
  measurement(skillPath: string): Promise<MeasurementStatus>;
  /** The text before the adoption that left the skill as it is on disk, unmeasured; undefined where none did. */
  unmeasuredBase(skillPath: string): Promise<string | undefined>;
  price(request: MeasureRequest): Promise<ToldSize | undefined>;
  /** Certifies one text against the other; undefined where the person cancelled. */
  measure(request: MeasureRequest): Promise<Omit<MeasuredText, 'hash'> | undefined>;
  showReport(skillPath: string): Promise<void>;
  /** Unfolds the rows of a skill and its proposed edits, where the person has the view open; waits for nothing. */
  showRows(skillPath: string): void;
}
