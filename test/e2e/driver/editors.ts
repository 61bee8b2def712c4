import type { Page } from 'playwright-core';
import type { QuickInput } from './quickInput.js';
import { visibleTexts } from './visibleTexts.js';

/** Tabs and the text of the editor in front. */
export class Editors {
  readonly #page: Page;
  readonly #quickInput: QuickInput;

  constructor(page: Page, quickInput: QuickInput) {
    this.#page = page;
    this.#quickInput = quickInput;
  }

  /** Opens a file of the workspace by its path, and waits for its tab. */
  async open(file: string): Promise<void> {
    const [name = file, folder = ''] = file.split('/').toReversed();
    await this.#page.keyboard.press('Control+P');
    await this.#quickInput.type(file);
    // Files of the same name are in the list until it is narrowed: the row of the right folder is waited for.
    const [ofName, ofFolder] = [name, folder].map((part) => part.replaceAll(/[^\w\s-]/g, String.raw`\$&`));
    await this.#quickInput.choose(new RegExp(`${ofName}[^]*${ofFolder}`));
    await this.waitFor(name);
  }

  /** Titles of the tabs, left to right. */
  tabs(): Promise<readonly string[]> {
    return visibleTexts(this.#page.locator('.tabs-container .tab .tab-label'));
  }

  /** Waits until the tab in front has this title. */
  async waitFor(title: string | RegExp): Promise<void> {
    await this.#page.locator('.tabs-container .tab.active .tab-label').filter({ hasText: title }).first().waitFor();
  }

  /** True while the tab in front has changes that are not saved. */
  async isDirty(): Promise<boolean> {
    return (await this.#page.locator('.tabs-container .tab.active.dirty').count()) > 0;
  }

  /** The lines on the screen of the editor in front (the right side of a diff), top to bottom, spaces kept. */
  async lines(): Promise<readonly string[]> {
    // Widgets between the lines (comments) hold editors too, and removed lines of a diff are drawn as lines.
    const own =
      '.editor-group-container.active .editor-instance .view-lines:not(.zone-widget-container *, .line-delete)';
    const lines = this.#page.locator(own).last().locator('.view-line');
    await lines.first().waitFor({ state: 'attached' }); // an empty line counts as hidden
    const found = await lines.evaluateAll((nodes) =>
      nodes.map((node) => ({ top: node.getBoundingClientRect().top, text: node.textContent ?? '' })),
    );
    return found.sort((a, b) => a.top - b.top).map(({ text }) => text.replaceAll('\u00a0', ' '));
  }
}
