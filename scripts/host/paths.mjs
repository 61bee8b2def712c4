// Where the host from npm lives and which versions it is made of. Changing a version makes the next run install anew.
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
/** Ignored by git and by the package; also the folder in which @vscode/test-electron keeps its downloads. */
export const cacheFolder = path.join(root, '.vscode-test');
export const hostFolder = path.join(cacheFolder, 'host');

// Node 24 is what this VS Code server is built for. The two packages stop at different releases.
const nodeVersions = { x64: '24.21.0', arm64: '24.22.0' };

/** The npm packages of the host for this machine, or undefined where none exist (not Linux, another processor). */
export function hostPackages(platform = process.platform, arch = process.arch) {
  const nodeVersion = nodeVersions[arch];
  if (platform !== 'linux' || nodeVersion === undefined) return undefined;
  return { node: `node-linux-${arch}`, nodeVersion, server: 'code-server', serverVersion: '4.139.1' };
}

export function hostNodeFolder(folder = hostFolder) {
  return path.join(folder, 'node_modules', `node-linux-${process.arch}`);
}

export function hostNode(folder = hostFolder) {
  return path.join(hostNodeFolder(folder), 'bin/node');
}

export function hostEntry(folder = hostFolder) {
  return path.join(folder, 'node_modules/code-server/out/node/entry.js');
}
