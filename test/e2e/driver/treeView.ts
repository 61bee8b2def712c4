import type { Locator, Page } from 'playwright-core';

export interface TreeRow {
  readonly label: string;
  readonly description: string;
  /** From 1. */
  readonly level: number;
  readonly state: 'leaf' | 'expanded' | 'collapsed';
}

const mostTries = 4;

/** One tree view. Only rows on the screen exist: about forty at the window's height. */
export class TreeView {
  readonly #pane: Locator;

  constructor(page: Page, view: string) {
    this.#pane = page.locator(`.pane:has(> .pane-header[aria-label^="${view} Section"])`).first();
  }

  /** The rows from top to bottom, once there is one. */
  async rows(): Promise<readonly TreeRow[]> {
    const rows = this.#pane.locator('.monaco-list-row');
    await rows.first().waitFor();
    const found = await rows.evaluateAll((nodes) =>
      nodes.map((node) => {
        const text = (selector: string): string => node.querySelector(selector)?.textContent?.trim() ?? '';
        const row = { label: text('.label-name'), description: text('.label-description') };
        const expanded = node.getAttribute('aria-expanded');
        const index = Number(node.getAttribute('data-index'));
        return { ...row, expanded, index, level: Number(node.getAttribute('aria-level')) };
      }),
    );
    return found
      .sort((a, b) => a.index - b.index)
      .map(({ label, description, level, expanded }) => ({ label, description, level, state: stateOf(expanded) }));
  }

  /** Waits for a row and gives it to tests that look closer. */
  async row(label: string): Promise<Locator> {
    const row = this.#pane
      .locator('.monaco-list-row')
      .filter({ has: exactly(this.#pane, label) })
      .first();
    await row.waitFor();
    return row;
  }

  async click(label: string): Promise<void> {
    await (await this.row(label)).locator('.label-name').first().click();
  }

  /** Opens the row's children; a row that is open stays so. */
  async expand(label: string): Promise<void> {
    await this.#bring(label, 'true');
  }

  /** Puts the row's children away, for scripts that come after: rows of other skills have the same words. */
  async collapse(label: string): Promise<void> {
    await this.#bring(label, 'false');
  }

  /** A tree that is drawn anew may swallow the press, or open the row by itself. */
  async #bring(label: string, expanded: 'true' | 'false'): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const row = await this.row(label);
      if ((await row.getAttribute('aria-expanded')) !== expanded) await row.locator('.monaco-tl-twistie').click();
      const there = row.and(row.page().locator(`[aria-expanded="${expanded}"]`));
      if (tries >= mostTries) return there.waitFor();
      const isThere = await there.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
      if (isThere) return;
    }
  }

  /** Presses a button that the row shows under the pointer. */
  async action(label: string, action: string): Promise<void> {
    // A row that is drawn again under the pointer hides its buttons until the pointer moves.
    for (let tries = 1; ; tries += 1) {
      const row = await this.row(label);
      await row.page().mouse.move(0, 0);
      await row.hover();
      const button = row.locator(`.actions a[aria-label^="${action}"]`);
      if (tries >= mostTries) return button.click();
      const isPressed = await button.click({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
      if (isPressed) return;
    }
  }

  /** What the view says while it has no rows. */
  async welcome(): Promise<string> {
    const content = this.#pane.locator('.welcome-view-content');
    await content.waitFor();
    return content.innerText();
  }
}

function exactly(scope: Locator, label: string): Locator {
  return scope.page().locator('.label-name').getByText(label, { exact: true });
}

function stateOf(expanded: string | null): TreeRow['state'] {
  if (expanded === null) return 'leaf';
  return expanded === 'true' ? 'expanded' : 'collapsed';
}
