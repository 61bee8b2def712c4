import type { Locator, Page } from 'playwright-core';
import { visibleTexts } from './visibleTexts.js';

/** Lenses above the lines of the editors on the screen. */
export class CodeLenses {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** One text for each row of lenses, top to bottom, as `Accept | Reject`; icons have no text. Waits for the first. */
  async texts(): Promise<readonly string[]> {
    await this.#rows().locator('a').first().waitFor();
    return visibleTexts(this.#rows());
  }

  /** Presses the first lens with this text; `within` is text of its row, where several rows carry the same lens. */
  async click(text: string | RegExp, within?: string | RegExp): Promise<void> {
    const rows = within === undefined ? this.#rows() : this.#rows().filter({ hasText: within });
    await this.#page.mouse.move(0, 0); // where it was left, it may have opened a hover that covers the row
    await rows.locator('a').filter({ hasText: text }).first().click();
  }

  #rows(): Locator {
    return this.#page.locator('.codelens-decoration:visible'); // an editor behind the active one keeps its own
  }
}
