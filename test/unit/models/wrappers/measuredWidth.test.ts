import assert from 'node:assert/strict';
import { measuredWidth } from '../../../../src/models/wrappers/measuredWidth.js';

/**
 * Calls to a server that works on so many at once and lets the others wait, on a clock of its own; gives the width in the
 * end, and how many answers it took to find it. Answers have different lengths.
 */
function found(slots: number, { most = 16, calls = 400, told }: { most?: number; calls?: number; told?: number } = {}) {
  let now = 0;
  const width = measuredWidth({ clock: { now: () => now }, most, told });
  const working: { readonly endsAt: number; readonly work: number }[] = [];
  const waiting: number[] = [];
  let [sent, changes, last] = [0, 0, width.current];
  const lengths = [40, 120, 80, 200, 60];
  const fill = (): void => {
    while (working.length + waiting.length < width.current && sent < calls)
      waiting.push(lengths[sent++ % lengths.length] ?? 0);
    while (working.length < slots && waiting.length > 0) {
      const work = waiting.shift() ?? 0;
      working.push({ endsAt: now + work * 20, work });
    }
  };
  for (fill(); working.length > 0; fill()) {
    working.sort((a, b) => a.endsAt - b.endsAt);
    const done = working.shift();
    now = done?.endsAt ?? now;
    width.answered(done?.work);
    if (width.current !== last) [last, changes] = [width.current, sent];
  }
  return { width: width.current, after: changes, ms: now };
}

describe('how many calls a server on the person’s own machine has under way', () => {
  it('is within three of what the server works on at once', () => {
    const widths = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16].map((slots) => ({ slots, ...found(slots) }));
    for (const { slots, width } of widths)
      assert.ok(Math.abs(width - slots) <= 3, `${width} where ${slots} are worked on at once`);
    assert.equal(widths[0]?.width, 1);
  });

  it('is found by few calls', () => {
    assert.ok(found(1).after <= 20, `after ${found(1).after}`);
    assert.ok(found(4).after <= 80, `after ${found(4).after}`);
  });

  it('is what the server says, from the beginning', () => {
    assert.deepEqual([found(4, { told: 4 }).width, found(4, { told: 4 }).after], [4, 0]);
    assert.equal(found(64, { told: 64 }).width, 16, 'and no more than the person wants');
  });

  it('costs little against the best width', () => {
    for (const slots of [1, 4, 8]) {
      const best = found(slots, { told: slots }).ms;
      assert.ok(found(slots).ms <= best * 1.35, `${found(slots).ms} ms with ${slots}, ${best} at best`);
    }
  });

  it('halves where the server says that it is too many', () => {
    const width = measuredWidth({ clock: { now: () => 0 }, most: 8, told: 8 });
    width.refused();
    assert.equal(width.current, 4);
  });
});
