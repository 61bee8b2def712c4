import assert from 'node:assert/strict';
import { chromium, type Browser } from 'playwright-core';
import { findBrowser } from '../../../scripts/host/browserPath.mjs';

/** A browser without a workbench for the tests of this group: pages of ours, as anybody may open them. */
export function plainBrowser(): () => Browser {
  let browser: Browser | undefined;
  before(async () => {
    const executablePath = findBrowser();
    assert.ok(executablePath, 'there is a Chromium');
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  });
  after(() => browser?.close());
  return () => {
    assert.ok(browser, 'it is there once the tests run');
    return browser;
  };
}
