import path from 'node:path';

const formatter = path.resolve('test/fixtures/formatterExtension'); // does nothing until it is turned on

/** Ours as people install it. */
export const packaged = { vsix: path.resolve('whetstone.vsix'), link: [formatter] };

/**
 * What the windows of most scripts have, so that they can share a browser: ours as it was built last. With `--packaged` it
 * is the package for all of them, so that they share it with the scripts that are about the package.
 */
export const ours = process.env['WHETSTONE_PACKAGED'] === '1' ? packaged : { link: [path.resolve('.'), formatter] };
