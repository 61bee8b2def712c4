import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './sourceFiles.js';

const kilobyte = 1024;
const mostForActivation = 80 * kilobyte;
const mostJavaScript = 2.4 * kilobyte * kilobyte;

/** `npm test` makes the production build before this floor; a run of single test files need not. */
describe('the bundles', () => {
  const dist = join(repository, 'dist');

  it('keep what activation loads under 80 KB and all JavaScript under 2.4 MB', function () {
    if (!existsSync(join(dist, 'extension.js')) || existsSync(join(dist, 'extension.js.map'))) {
      assert.notEqual(
        process.env['CI'],
        'true',
        'CI measures the production build: run `node esbuild.mjs --production`',
      );
      this.skip();
    }
    const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
    const sizes = Object.fromEntries(scripts.map((file) => [file, statSync(join(dist, file)).size]));
    assert.ok(
      (sizes['extension.js'] ?? Infinity) < mostForActivation,
      `extension.js has ${sizes['extension.js']} bytes`,
    );
    const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
    assert.ok(total < mostJavaScript, `dist holds ${total} bytes of JavaScript: ${JSON.stringify(sizes)}`);
  });

  it('hold the translations once, so that one language reaches every sentence', function () {
    if (!existsSync(join(dist, 'translate.js'))) this.skip();
    const holding = readdirSync(dist)
      .filter((file) => file.endsWith('.js'))
      .filter((file) => readFileSync(join(dist, file), 'utf8').includes('as the first argument to l10n.t'));
    assert.deepEqual(holding, ['translate.js']);
  });
});
