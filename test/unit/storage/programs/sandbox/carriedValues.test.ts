import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import https from 'node:https';
import path from 'node:path';
import { aScript, aSandbox, needsSandbox, onDisk } from '../../../../builders/aSandbox.js';
import { inFull } from '../../../../builders/few.js';
import { neverAborted } from '../../../../builders/storage.js';

const file = { path: 'key', value: 'wf-6f1c0d2e9b7a4835' };
const canaries = { file, variable: { name: 'TOKEN', value: 'wv-0b9d8c7e6f5a4132' }, host: 'a.invalid' };

describe('planted values in requests', () => {
  inFull('are seen where the request is encrypted, and it is passed on as it was sent', async function () {
    await needsSandbox(this);
    await onDisk('/tmp', async (folder) => {
      const at = (name: string): string => path.join(folder, name);
      const places = { work: at('work'), home: at('home'), temporary: at('tmp') };
      for (const place of Object.values(places)) await mkdir(place);
      const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
      const made = ['-nodes', '-days', '2', '-keyout', at('key'), '-out', at('certificate'), ...names];
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...made], { stdio: 'ignore' });
      const heard: string[] = [];
      const tls = { key: await readFile(at('key')), cert: await readFile(at('certificate')) };
      const server = https.createServer(tls, (request, response) => {
        request.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
        request.on('end', () => response.end('heard'));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      try {
        const carried: string[] = [];
        const own = aSandbox({ masks: true, environment: { ...process.env, NODE_EXTRA_CA_CERTS: at('certificate') } });
        const placed = {
          at: { ...places, canaries },
          onSaid: () => undefined,
          onRefused: () => undefined,
          onCarried: (canary: string) => void carried.push(canary),
        };
        const sending = `curl -s --noproxy '' -d 'key=${file.value}' https://localhost:${port}/`;
        const { PATH = '' } = process.env;
        const reach = { hosts: [`localhost:${port}`] };
        await own.runAt(aScript(sending, { reach, environment: { PATH } }), placed, neverAborted);
        assert.deepEqual(heard, [`key=${file.value}`]);
        assert.deepEqual(carried, ['file']);
      } finally {
        server.close();
      }
    });
  });
});
