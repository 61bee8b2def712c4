import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const repository = process.cwd();
export const sources = join(repository, 'src');

/** Every TypeScript source, as paths relative to `src/` with forward slashes. */
export function sourceFiles(): readonly string[] {
  return readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'))
    .map((entry) => relative(sources, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

export function readSource(file: string): string {
  return readFileSync(join(sources, file), 'utf8');
}

export interface ImportStatement {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

const statement =
  /(?:^|\n)\s*(import|export)\s(\s*type\s)?[^'";]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|\brequire\(\s*['"]([^'"]+)['"]\s*\)/g;

/** The imports of a source text, static, dynamic and required. */
export function importsOf(text: string): readonly ImportStatement[] {
  return [...text.matchAll(statement)].map((match) => ({
    specifier: match[3] ?? match[4] ?? match[5] ?? match[6] ?? '',
    typeOnly: match[2] !== undefined,
  }));
}

/** The room a source stands in: its folder, or its own name where it lies directly in `src/`. */
export function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}

/** What an import names: a room of ours, a package (`@scope/name` whole), or a Node module (`node:fs`). */
export function targetOf(file: string, specifier: string): string {
  if (specifier.endsWith('.md')) return '*.md';
  if (specifier.startsWith('.')) {
    const resolved = relative(sources, join(sources, dirname(file), specifier)).replaceAll('\\', '/');
    return roomOf(resolved).replace(/\.js$/, '.ts');
  }
  if (specifier.startsWith('node:')) return specifier;
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}
