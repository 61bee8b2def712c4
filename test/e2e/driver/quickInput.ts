import type { Locator, Page } from 'playwright-core';
import { visibleTexts } from './visibleTexts.js';

/** How long to wait, where not as long as for everything else. */
interface Patience {
  readonly timeout?: number;
}

/** The drop-down at the top of the window: command palette, quick picks, input boxes, quick open. */
export class QuickInput {
  readonly #widget: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator('.quick-input-widget:visible');
  }

  /** Waits for the box and replaces what stands in it. */
  async type(text: string, patience: Patience = {}): Promise<void> {
    await this.#widget.locator('.quick-input-box input').first().fill(text, patience);
  }

  /** Picks the first row with this text. */
  async choose(text: string | RegExp, patience: Patience = {}): Promise<void> {
    await this.#rows().filter({ hasText: text }).first().click(patience);
  }

  /** Waits for a row with this text. */
  async offers(text: string): Promise<void> {
    await this.#rows().filter({ hasText: text }).first().waitFor();
  }

  /** Input boxes: types the text and confirms it. */
  async enter(text: string): Promise<void> {
    await this.type(text);
    await this.#page.keyboard.press('Enter');
  }

  /** The rows that are on the screen, label and description in one line each. */
  async items(): Promise<readonly string[]> {
    await this.#rows().first().waitFor();
    return visibleTexts(this.#rows());
  }

  /** Title, placeholder, prompt or validation message: everything it says beside its rows. */
  async message(): Promise<string> {
    const input = this.#widget.locator('.quick-input-box input').first();
    await input.waitFor();
    const placeholder = (await input.getAttribute('placeholder')) ?? '';
    const texts = await visibleTexts(this.#widget.locator('.quick-input-title, .quick-input-message'));
    return [...texts, placeholder].filter((text) => text !== '').join('\n');
  }

  async closeIfOpen(): Promise<void> {
    if (await this.#widget.isVisible()) await this.dismiss();
  }

  /** Waits for it first, and presses again where the key went elsewhere because it had just come up. */
  async dismiss(): Promise<void> {
    await this.#widget.waitFor();
    for (let press = 0; press < 5; press += 1) {
      await this.#page.keyboard.press('Escape');
      const isGone = this.#widget.waitFor({ state: 'hidden', timeout: 5_000 }).then(() => true);
      if (await isGone.catch(() => false)) return;
    }
    await this.#widget.waitFor({ state: 'hidden' });
  }

  #rows(): Locator {
    return this.#widget.locator('.quick-input-list .monaco-list-row');
  }
}
