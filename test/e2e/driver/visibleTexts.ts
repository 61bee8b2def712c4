import type { Locator } from 'playwright-core';

/** What each element says, top to bottom as a reader sees it (the order in the document is another), in one line each. */
export async function visibleTexts(elements: Locator): Promise<readonly string[]> {
  const found = await elements.evaluateAll((nodes) =>
    nodes.map((node) => {
      const { top, left, width, height } = node.getBoundingClientRect();
      const text = 'innerText' in node ? node.innerText : (node.textContent ?? '');
      return { top, left, shown: width > 0 && height > 0, text };
    }),
  );
  return found
    .filter(({ shown }) => shown)
    .sort((a, b) => a.top - b.top || a.left - b.left)
    .map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
}
