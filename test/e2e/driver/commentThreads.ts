import type { Locator, Page } from 'playwright-core';

export interface CommentThread {
  readonly label: string;
  readonly comments: readonly { readonly author: string; readonly text: string }[];
}

/** Comment threads that are open between the lines of an editor. */
export class CommentThreads {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The open threads, top to bottom, once there is one. */
  async open(): Promise<readonly CommentThread[]> {
    const threads = this.#page.locator('.review-widget:visible');
    await threads.locator('.comment-body').first().waitFor();
    const found = await threads.evaluateAll((nodes) =>
      nodes.map((node) => {
        const textsOf = (selector: string): string[] =>
          [...node.querySelectorAll(selector)].map((element) => (element.textContent ?? '').trim());
        const [label = ''] = textsOf('.review-title .filename');
        const top = node.getBoundingClientRect().top;
        return {
          top,
          label,
          authors: textsOf('.review-comment .author'),
          bodies: textsOf('.review-comment .comment-body'),
        };
      }),
    );
    return found
      .sort((a, b) => a.top - b.top)
      .map(({ label, authors, bodies }) => ({
        label,
        comments: bodies.map((text, index) => ({ author: authors[index] ?? '', text })),
      }));
  }

  /** Presses a button in the title of the thread with this text. */
  async press(thread: string | RegExp, button: string): Promise<void> {
    await this.#thread(thread).locator(`.review-actions a[aria-label^="${button}"]`).click();
  }

  #thread(text: string | RegExp): Locator {
    return this.#page.locator('.review-widget:visible').filter({ hasText: text }).first();
  }
}
