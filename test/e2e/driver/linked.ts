import path from 'node:path';

/**
 * What the windows of most scripts have, so that they can share a browser: ours, and a formatter that does nothing until it
 * is turned on.
 */
export const linked = [path.resolve('.'), path.resolve('test/fixtures/formatterExtension')];
