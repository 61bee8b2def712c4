import type { Locator, Page } from 'playwright-core';
import { visibleTexts } from './visibleTexts.js';

/** Entries of the status bar. */
export class StatusBar {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Texts from left to right; icons have no text. */
  items(): Promise<readonly string[]> {
    return visibleTexts(this.#page.locator('.part.statusbar .statusbar-item'));
  }

  /** Waits for an entry with this text and gives it. */
  async item(text: string | RegExp): Promise<Locator> {
    const item = this.#page.locator('.part.statusbar .statusbar-item').filter({ hasText: text }).first();
    await item.waitFor();
    return item;
  }

  async click(text: string | RegExp): Promise<void> {
    await (await this.item(text)).locator('a').first().click();
  }

  /** What hovering over the entry shows. */
  async tooltip(text: string | RegExp): Promise<string> {
    await (await this.item(text)).hover();
    const hover = this.#page.locator('.workbench-hover:visible, .monaco-hover:visible').first();
    await hover.waitFor();
    return hover.innerText();
  }
}
