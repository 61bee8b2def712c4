import { findSourceMap } from 'node:module';
import path from 'node:path';

const bundledPlace = /(?:file:\/\/)?((?:[A-Za-z]:)?[^\s():]*tests\.cjs):(\d+):(\d+)/g;

/**
 * Rewrites places in the bundle of the tests to places in their sources. VS Code formats stack traces itself, so Node's
 * own translation never comes into play.
 */
export function toSourceLines(text: string): string {
  return text.replace(bundledPlace, (place, bundle: string, line: string, column: string) => {
    const file = path.resolve(bundle); // Mocha shortens what lies below the working directory
    const entry = findSourceMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return place;
    return `${path.resolve(path.dirname(file), sourcePath(entry.originalSource))}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function sourcePath(source: string): string {
  return source.startsWith('file://') ? new URL(source).pathname : source;
}
