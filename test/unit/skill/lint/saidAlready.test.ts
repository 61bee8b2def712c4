import assert from 'node:assert/strict';
import { saidAlready } from '../../../../src/skill/lint/saidAlready.js';

describe('a problem that another source reports too', () => {
  const ours = said(1, 'The name is not that of its folder, “dates”.');
  const rows: readonly (readonly [string, ReturnType<typeof said>, boolean])[] = [
    ['the same subject on the same line is said once', said(1, "The 'name' must match the folder."), true],
    ['another line is another problem', said(4, "The 'name' must match the folder."), false],
    ['another subject is another problem', said(1, 'Unknown attribute.'), false],
  ];
  for (const [name, other, quiet] of rows) it(name, () => assert.equal(saidAlready(ours, [other]), quiet));

  it('is said where nobody else says anything', () => assert.equal(saidAlready(ours, []), false));
});

function said(line: number, message: string) {
  return { range: { start: { line }, end: { line } }, message };
}
