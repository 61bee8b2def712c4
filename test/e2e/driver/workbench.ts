import path from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import type { RunningWorkbench, Session, WorkbenchOptions } from '../../../scripts/host/workbench.mjs';
import { again } from './again.js';
import { CodeLenses } from './codeLenses.js';
import { CommentThreads } from './commentThreads.js';
import { Dialogs } from './dialogs.js';
import { DiffEditor } from './diffEditor.js';
import { Editors } from './editors.js';
import { patienceMs } from './patience.js';
import { QuickInput } from './quickInput.js';
import { sendWishes } from './sendWishes.js';
import { StatusBar } from './statusBar.js';
import { takeScreenshot } from './takeScreenshot.js';
import { Toasts } from './toasts.js';
import { TreeView } from './treeView.js';

const themeFiles: Record<NonNullable<WorkbenchOptions['theme']>, string> = {
  dark: 'dark_modern',
  light: 'light_modern',
  'high-contrast-dark': 'hc_black',
  'high-contrast-light': 'hc_light',
};

/** One VS Code window in a browser. Every method waits for what it needs, and fails with a timeout, never with a guess. */
export class Workbench {
  readonly page: Page;
  /** The throw-away folders of this window, for tests that write files behind the editor's back. */
  readonly session: Session;
  readonly toasts: Toasts;
  readonly dialogs: Dialogs;
  readonly quickInput: QuickInput;
  readonly editors: Editors;
  readonly lenses: CodeLenses;
  readonly threads: CommentThreads;
  readonly diff: DiffEditor;
  readonly statusBar: StatusBar;
  readonly #theme: NonNullable<WorkbenchOptions['theme']>;
  readonly #close: () => Promise<void>;
  readonly #changedSettings = new Set<string>();
  #isSpoilt = false;

  /** `close`: what the end of the script does with it; the window itself may stay for another. */
  constructor(
    { page, session }: Pick<RunningWorkbench, 'page' | 'session'>,
    theme: NonNullable<WorkbenchOptions['theme']>,
    close: () => Promise<void>,
  ) {
    this.#close = close;
    this.#theme = theme;
    this.page = page;
    page.context().setDefaultTimeout(patienceMs);
    this.session = session;
    this.toasts = new Toasts(page);
    this.dialogs = new Dialogs(page);
    this.quickInput = new QuickInput(page);
    this.editors = new Editors(page, this.quickInput);
    this.lenses = new CodeLenses(page);
    this.threads = new CommentThreads(page);
    this.diff = new DiffEditor(page);
    this.statusBar = new StatusBar(page);
  }

  /** The theme comes last of what a start shows: an extension brings it, so the extension host runs by then. */
  async ready(): Promise<void> {
    const themed = `.monaco-workbench[class*="themes-${themeFiles[this.#theme]}-json"]`;
    await this.page.locator(themed).waitFor({ timeout: 2 * patienceMs });
    await this.page.locator('.part.statusbar .statusbar-item').first().waitFor();
  }

  /** Runs a command by the name that the palette shows, category included: `Whetstone: Refresh Skills`. */
  palette(command: string): Promise<void> {
    return again(async () => {
      await this.quickInput.closeIfOpen(); // it knows only the commands that were there when it opened
      await this.page.keyboard.press('F1');
      await this.quickInput.type(`>${command}`, { timeout: 5_000 });
      await this.quickInput.choose(command, { timeout: 5_000 });
    });
  }

  /** The text of the first toast that matches, once there is one. */
  toast(pattern: RegExp): Promise<string> {
    return this.toasts.text(pattern);
  }

  clearToasts(): Promise<void> {
    return this.toasts.clear();
  }

  /** Shows a view container by its name in the activity bar; leaves it open when it is. */
  async openContainer(name: string): Promise<void> {
    const icon = this.page.locator(`.activitybar .action-item:has(a[aria-label^="${name}"])`).first();
    await icon.waitFor();
    const isOpen = await icon.evaluate((element) => element.classList.contains('checked'));
    // A badge lies over the icon and takes the click, which does as well.
    if (!isOpen) await icon.click({ force: true });
  }

  /** A tree in the open container, by the name of its view. */
  tree(view: string): TreeView {
    return new TreeView(this.page, view);
  }

  /** The page of ours in front, once an element that matches is in it. */
  async webview(selector: string): Promise<FrameLocator> {
    const page = this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await page.locator(selector).first().waitFor();
    return page;
  }

  /** `Control+Shift+P`, `Enter`, `a`: as Playwright names keys. */
  press(keys: string): Promise<void> {
    return this.page.keyboard.press(keys);
  }

  /** Changes user settings, as the person would; undefined or null takes one back. Resolves when they hold. */
  updateSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    for (const name of Object.keys(settings)) this.#changedSettings.add(name);
    return sendWishes(this.session.settingsSocket, { settings });
  }

  /** Runs a command without the palette, to get a window ready for what the test is about. */
  run(command: string, ...given: readonly unknown[]): Promise<void> {
    return sendWishes(this.session.settingsSocket, { run: [[command, ...given]] });
  }

  /** Opens a file of the workspace without quick open, and waits for its tab. */
  async openFile(file: string): Promise<void> {
    const { settingsSocket, workspace = '' } = this.session;
    await sendWishes(settingsSocket, { open: [path.join(workspace, file)] });
    await this.editors.waitFor(path.basename(file));
  }

  /** A picture of the whole window, `out/screenshots/<name>.png`, taken once nothing in it changes any more. */
  screenshot(name: string): Promise<string> {
    return takeScreenshot(this.page, name);
  }

  /**
   * A new extension host, the same profile. As a person does it: VS Code first writes down which editors are open,
   * which a reload of the page may cut short.
   */
  async reload(): Promise<void> {
    await again(async () => {
      const loaded = this.page.waitForEvent('load', { timeout: 25_000 });
      await Promise.all([loaded, this.palette('Developer: Reload Window')]);
    });
    await this.ready();
  }

  /** Back to how a script expects it: nothing open, nothing said, no setting changed, the theme of its start. */
  async tidy(): Promise<void> {
    if (this.#isSpoilt) throw new Error('A test failed in this window; nobody knows what it left.');
    await this.quickInput.closeIfOpen();
    await this.clearToasts();
    const changed = [...this.#changedSettings].map((name) => [name, this.session.settings[name]]);
    await sendWishes(this.session.settingsSocket, {
      settings: Object.fromEntries(changed),
      run: ['unpinEditor', 'closeAllEditors', 'closePanel'].map((name) => [`workbench.action.${name}`]),
    });
    this.#changedSettings.clear();
    await this.page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
    await this.ready();
  }

  /** A test failed in it: no other script takes it over. */
  spoil(): void {
    this.#isSpoilt = true;
  }

  /** The script has done with it. */
  close(): Promise<void> {
    return this.#close();
  }
}
