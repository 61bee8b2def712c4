import type { Locator, Page } from 'playwright-core';

export interface DiffState {
  readonly mode: 'inline' | 'side by side';
  /** Text of the lines that only the original has, as far as they are on the screen. */
  readonly removed: readonly string[];
  /** The same for the lines that only the modified side has. */
  readonly added: readonly string[];
}

/** The diff editor in front. */
export class DiffEditor {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The sides with lines that run out of their half of the editor. */
  async cutOff(): Promise<readonly string[]> {
    const editor = this.#page.locator('.editor-group-container.active .monaco-diff-editor').first();
    await editor.locator('.view-line').first().waitFor({ state: 'attached' });
    const found = await Promise.all(
      halves.map(async (side) => {
        const half = editor.locator(`.editor.${side}`).first();
        const [lines, box] = [await placesOf(half.locator('.view-line > span')), await half.boundingBox()];
        const border = (box?.x ?? 0) + (box?.width ?? 0);
        return box !== null && lines.some(({ right }) => right > border + 1) ? [side] : [];
      }),
    );
    return found.flat();
  }

  /** Waits until the comparison has been made; then what it shows. */
  async state(): Promise<DiffState> {
    const editor = this.#page.locator('.editor-group-container.active .monaco-diff-editor').first();
    await editor.locator('.line-insert, .line-delete').first().waitFor({ state: 'attached' });
    const sideBySide = await editor.evaluate((node) => node.classList.contains('side-by-side'));
    const lines = await placesOf(editor.locator('.view-line'));
    const added = marked(lines, await placesOf(editor.locator('.view-overlays .line-insert')));
    if (!sideBySide) {
      // Removed lines are drawn between the others, in zones that are all theirs.
      const zones = await placesOf(
        editor.locator('.view-lines.line-delete .view-line, .view-zones .line-delete .view-line'),
      );
      return { mode: 'inline', removed: zones.map(({ text }) => text), added };
    }
    const removed = marked(lines, await placesOf(editor.locator('.view-overlays .line-delete')));
    return { mode: 'side by side', removed, added };
  }
}

/** The two halves of a diff side by side, or the one of an inline one. */
const halves = ['original', 'modified'] as const;

interface Place {
  readonly top: number;
  readonly left: number;
  readonly right: number;
  readonly text: string;
}

async function placesOf(elements: Locator): Promise<readonly Place[]> {
  const places = await elements.evaluateAll((nodes) =>
    nodes.map((node) => {
      const { top, left, right } = node.getBoundingClientRect();
      return { top, left, right, text: (node.textContent ?? '').replaceAll('\u00a0', ' ') };
    }),
  );
  return places.sort((a, b) => a.top - b.top);
}

// Marks lie in a layer of their own, at the height of the line that they mark.
function marked(lines: readonly Place[], marks: readonly Place[]): readonly string[] {
  const lies = (mark: Place, line: Place): boolean =>
    Math.abs(mark.top - line.top) < 2 && mark.left < line.right && line.left < mark.right;
  return lines.filter((line) => marks.some((mark) => lies(mark, line))).map(({ text }) => text);
}
