import type { Page } from 'playwright-core';

export interface WorkbenchOptions {
  /** A packaged extension to install. */
  readonly vsix?: string;
  /** Unpacked extensions to link in. */
  readonly link?: readonly string[];
  /** Under test/fixtures/workspaces, or absolute; always opened as a copy. Without it the window has no folder. */
  readonly workspace?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly theme?: 'dark' | 'light' | 'high-contrast-dark' | 'high-contrast-light';
  /** off: nothing is asked. ask: VS Code's own question. untrusted: restricted mode. */
  readonly trust?: 'off' | 'ask' | 'untrusted';
  /** Further environment variables of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The throw-away folders of one window; `workspace` is the copy that is open. */
export interface Session {
  readonly folder: string;
  readonly home: string;
  readonly workspace: string | undefined;
  readonly state: string;
  /** The user settings that it began with. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Where the helper extension inside the window takes changes of user settings. */
  readonly settingsSocket: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface RunningWorkbench {
  readonly page: Page;
  readonly session: Session;
  serverLog(): string;
  /** The next window in the same browser, on the same server: extensions and environment stay, all else is new. */
  reopen(options: WorkbenchOptions): Promise<RunningWorkbench>;
  stop(): Promise<void>;
}

export function startWorkbench(options: WorkbenchOptions): Promise<RunningWorkbench>;
