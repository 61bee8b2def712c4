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
 * The library looks for an agent for Java, which does not ship, by starting npm, which writes to the person's home: it
 * finds none instead.
 */
const withoutJava = {
  name: 'without-java',
  setup({ onLoad }) {
    onLoad({ filter: /sandbox-runtime[\\/]dist[\\/]sandbox[\\/]java-proxy-agent\.js$/ }, () => ({
      contents: `export const getJavaProxyAgentJarPathAsync = () => Promise.resolve(null);
        export const buildJavaToolOptions = () => undefined;`,
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
  plugins: [withoutJava],
  logLevel: 'warning',
};
