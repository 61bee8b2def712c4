import type { Locator, Page } from 'playwright-core';

/** Modal dialogs: questions that block the window. */
export class Dialogs {
  readonly #box: Locator;

  constructor(page: Page) {
    this.#box = page.locator('.monaco-dialog-box');
  }

  /** Question and detail, in lines. */
  async text(): Promise<string> {
    const message = this.#box.locator('.dialog-message-container');
    await message.waitFor();
    return message.innerText();
  }

  async press(button: string): Promise<void> {
    await this.#box.locator('.monaco-button', { hasText: button }).first().click();
    await this.#box.waitFor({ state: 'hidden' });
  }
}
