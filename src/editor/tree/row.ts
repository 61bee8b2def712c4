import type { Command } from 'vscode';
import type { CommandLink } from '../commands/runCommand.js';

/** What a row shows, as data: two rows with the same data need not be drawn twice. */
export interface Row {
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon: string;
  readonly color?: 'passed' | 'failed' | 'errored' | 'skipped' | 'queued' | undefined;
  readonly state?: 'expanded' | 'collapsed' | 'leaf' | undefined;
  readonly contextValue: string;
  /** Full sentences for screen readers. */
  readonly says: string;
  /** One of ours, or one of VS Code's. */
  readonly command?: CommandLink | (Command & { readonly command: `vscode.${string}` }) | undefined;
  /** Undefined: the row has no checkbox. */
  readonly checked?: boolean | undefined;
  /** Markdown, made when the pointer rests on the row and not before. */
  readonly tooltip?: (() => string) | undefined;
}
