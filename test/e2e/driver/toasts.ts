import type { Locator, Page } from 'playwright-core';

/** Notification toasts in the lower right corner. */
export class Toasts {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async text(pattern: RegExp): Promise<string> {
    const message = this.#toast(pattern).locator('.notification-list-item-message');
    await message.waitFor();
    return message.innerText();
  }

  /** Presses a button of the toast that matches. */
  async press(pattern: RegExp, button: string): Promise<void> {
    await this.#toast(pattern)
      .locator('.notification-list-item-buttons-container .monaco-button', { hasText: button })
      .click();
  }

  /** Resolves when no toast is on the screen. */
  async clear(): Promise<void> {
    const toasts = this.#page.locator('.notifications-toasts .notification-toast');
    while ((await toasts.count()) > 0) {
      await toasts.first().hover();
      await toasts.first().locator('.codicon-notifications-clear').click();
    }
  }

  #toast(pattern: RegExp): Locator {
    return this.#page.locator('.notifications-toasts .notification-toast').filter({ hasText: pattern }).first();
  }
}
