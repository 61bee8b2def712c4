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

  /** Waits a short while for a question, for steps that are taken `again` where a busy window lost the click. */
  async appears(): Promise<void> {
    await this.#box.first().waitFor({ timeout: 10_000 });
  }

  /** Presses a button, and waits until its dialog is gone; another question may take its place at once. */
  async press(button: string): Promise<void> {
    const asked = await this.#box.first().elementHandle();
    await this.#box.locator('.monaco-button', { hasText: button }).first().click();
    await asked?.waitForElementState('hidden');
  }
}
