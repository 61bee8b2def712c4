import type { Locator, Page } from 'playwright-core';

const mostToasts = 20;
const briefly = { timeout: 3_000 };

/** Notification toasts in the lower right corner. */
export class Toasts {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** `timeout`: how long to wait, where not as long as for everything else. */
  async text(pattern: RegExp, patience: { readonly timeout?: number } = {}): Promise<string> {
    const message = this.#toast(pattern).locator('.notification-list-item-message');
    await message.waitFor(patience);
    return message.innerText();
  }

  /** Presses a button of the toast that matches. */
  async press(pattern: RegExp, button: string): Promise<void> {
    await this.#toast(pattern)
      .locator('.notification-list-item-buttons-container .monaco-button', { hasText: button })
      .click();
  }

  /** Resolves when no toast is on the screen. One that goes by itself, or makes room for another, is tried no longer. */
  async clear(): Promise<void> {
    const toasts = this.#page.locator('.notifications-toasts .notification-toast');
    for (let left = mostToasts; (await toasts.count()) > 0; left -= 1) {
      if (left === 0) throw new Error(`in vain: ${await toasts.first().innerText()}`);
      await toasts
        .first()
        .hover(briefly)
        .then(() => toasts.first().locator('.codicon-notifications-clear').click(briefly))
        .catch(() => {});
    }
  }

  #toast(pattern: RegExp): Locator {
    return this.#page.locator('.notifications-toasts .notification-toast').filter({ hasText: pattern }).first();
  }
}
