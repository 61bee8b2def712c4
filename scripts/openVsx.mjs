// Checks a packaged extension for Open VSX as far as that works without the registry: with ovsx itself, against a
// stand-in on this machine that takes the upload and compares it.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { validateManifest } from 'ovsx';
import { readVSIXPackage } from 'ovsx/lib/zip.js';

const ovsx = path.resolve(import.meta.dirname, '../node_modules/ovsx/bin/ovsx');

/** Sentences on what was and what was not checked. Throws when the file would not get through. */
export async function checkForOpenVsx(vsix) {
  const manifest = await readVSIXPackage(vsix);
  validateManifest(manifest);
  if (!manifest.license) throw new Error('Open VSX takes no extension without a license: package.json names none.');
  if (!/^[\w-]+$/.test(manifest.publisher)) throw new Error(`Open VSX has no namespace like “${manifest.publisher}”.`);
  const { received, url, stop } = await standIn(manifest);
  try {
    // Its output is dropped: it announces every upload as published, which here it is not.
    await promisify(execFile)(process.execPath, [ovsx, 'publish', vsix, '--registryUrl', url, '--pat', 'none-needed']);
  } finally {
    await stop();
  }
  if (received.at(-1) !== digest(readFileSync(vsix))) throw new Error('ovsx uploaded something else than the file.');
  const { publisher, name, version } = manifest;
  return [
    `Open VSX, checked: ovsx reads ${publisher}.${name} ${version} from the file, has its license, and uploads it whole.`,
    'Open VSX, not checked (needs the registry): the namespace and its owner, the token, whether this version is there.',
  ];
}

function standIn({ publisher, name, version }) {
  const received = [];
  const server = http.createServer((request, response) => {
    const hash = createHash('sha256');
    request.on('data', (data) => hash.update(data));
    request.on('end', () => {
      if (request.method === 'POST' && request.url.startsWith('/api/-/publish?')) received.push(hash.digest('hex'));
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ namespace: publisher, name, version, targetPlatform: 'universal' }));
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const stop = () => new Promise((done) => void server.close(done));
      resolve({ received, url: `http://127.0.0.1:${server.address().port}`, stop });
    });
  });
}

function digest(data) {
  return createHash('sha256').update(data).digest('hex');
}
