// The helper process of the sandbox as a bundle of its own, with the two native files that lie beside it.
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** The only native files that ship: they close Unix sockets in the sandbox, on Linux, for two kinds of processors. */
export const nativeFiles = ['vendor/seccomp/x64/apply-seccomp', 'vendor/seccomp/arm64/apply-seccomp'];

/** Puts them where the helper in this folder looks for them. */
export function copyNativeFiles(folder) {
  for (const file of nativeFiles) {
    const to = path.join(folder, file);
    mkdirSync(path.dirname(to), { recursive: true });
    copyFileSync(path.join(root, 'node_modules/@anthropic-ai/sandbox-runtime', file), to);
  }
}

/**
 * What of the library is for other systems than Linux, where there is no sandbox, and for settings in files, which we have
 * none of, holds nothing: nobody calls it. Its search for an agent for Java, which does not ship, would start npm, which
 * writes to the person's home: it finds none.
 */
const elsewhere =
  /sandbox-runtime[\\/]dist[\\/]sandbox[\\/](?:(?:windows|mxc|macos)-sandbox-utils|sandbox-config)\.js$/;
const java = /sandbox-runtime[\\/]dist[\\/]sandbox[\\/]java-proxy-agent\.js$/;
const noJava = `export const getJavaProxyAgentJarPathAsync = () => Promise.resolve(null);
export const buildJavaToolOptions = () => undefined;`;

/** It finds programs by starting another, at every command and with a second to answer in, which a busy machine passes. */
const which = /sandbox-runtime[\\/]dist[\\/]utils[\\/]which\.js$/;
const ownWhich = `import { accessSync, constants } from 'node:fs';
import path from 'node:path';
export function whichSync(name) {
  const folders = path.isAbsolute(name) ? [''] : (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute);
  for (const folder of folders) {
    try {
      accessSync(path.join(folder, name), constants.X_OK);
      return path.join(folder, name);
    } catch {}
  }
  return null;
}`;

/** Certificates are made with a few parts of a large package. */
const forge = ['asn1', 'md', 'pki', 'random', 'sha1', 'sha256', 'util', 'x509']
  .map((part) => `require('./${part}');`)
  .join('');

const unusedForge = /node-forge[\\/]lib[\\/](?:des|pbe|pkcs12|rc2)\.js$/; // for files with a password

const onlyWhatRuns = {
  name: 'only-what-runs',
  setup({ onLoad }) {
    onLoad({ filter: unusedForge }, () => ({ contents: '', loader: 'js' }));
    onLoad({ filter: elsewhere }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
    onLoad({ filter: which }, () => ({ contents: ownWhich, loader: 'js' }));
    onLoad({ filter: java }, () => ({ contents: noJava, loader: 'js' }));
    onLoad({ filter: /node-forge[\\/]lib[\\/]index\.js$/ }, () => ({
      contents: `${forge} module.exports = require('./forge');`,
      loader: 'js',
    }));
  },
};

/** @type {import('esbuild').BuildOptions} */
export const sandboxBundle = {
  entryPoints: { sandbox: path.join(root, 'src/bundles/sandbox.ts') },
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  // For Windows alone, where there is no sandbox.
  external: ['@microsoft/mxc-sdk'],
  // The library is published as ES modules and reads import.meta.url; a CommonJS bundle has none.
  define: { 'import.meta.url': 'importMetaUrl' },
  inject: [path.join(root, 'scripts/importMetaUrl.js')],
  plugins: [onlyWhatRuns],
  logLevel: 'warning',
};
