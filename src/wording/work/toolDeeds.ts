import type { WorkEvent } from '../../ports/agentWork.js';

/** What an agent did with a tool, whatever its program calls that tool. */
export type ToolDeed =
  /** `onlyTold`: nothing was started. */
  | { readonly kind: 'command'; readonly command: string; readonly onlyTold: boolean }
  | { readonly kind: 'file'; readonly change: FileDeed; readonly paths: readonly string[] }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'search'; readonly what: string }
  /** `what`: its arguments, as plain as they can be told. */
  | { readonly kind: 'tool'; readonly name: string; readonly what: string };

/** `written`: as a whole, whether or not it was there before. */
type FileDeed = 'read' | 'written' | 'added' | 'changed' | 'deleted' | 'several';

type Tool = Pick<Extract<WorkEvent, { kind: 'tool' }>, 'name' | 'input' | 'command' | 'onlyTold'>;

type Reader = (name: string, input: string) => ToolDeed;

/** Names of tools of the programs that work on tasks, in small letters and without what stands between words. */
const named: readonly (readonly [RegExp, Reader])[] = [
  [/^(?:read|readfile|readmanyfiles|view|notebookread)$/u, fileDeed('read')],
  [/^(?:write|writefile|create|createfile)$/u, fileDeed('written')],
  [
    /^(?:edit|multiedit|notebookedit|replace|strreplace|strreplaceeditor|insert|patch|applypatch)$/u,
    (name, input) => patchedFiles(input) ?? fileDeed('changed')(name, input),
  ],
  [/^filechange$/u, (name, input) => changedFiles(input) ?? toolOf(name, input)],
  [
    /^(?:ls|list|listdir|listdirectory)$/u,
    (_, input) => ({ kind: 'folder', path: inside(fieldIn(input, pathFields) ?? '.') }),
  ],
  [
    /^(?:grep|glob|search|grepsearch|filesearch|searchfilecontent|codesearch|websearch|googlewebsearch)$/u,
    (_, input) => ({ kind: 'search', what: fieldIn(input, searchFields) ?? plainInput(input) }),
  ],
];

/** The same deed under the many names that programs have for it; a tool that nobody knows stays what it is called. */
export function toolDeed({ name, input, command, onlyTold }: Tool): ToolDeed {
  if (command !== undefined) return { kind: 'command', command, onlyTold: onlyTold === true };
  const plain = name.toLowerCase().replaceAll(/[^a-z]/gu, '');
  const read = named.find(([names]) => names.test(plain))?.[1] ?? toolOf;
  return read(name, input);
}

const pathFields = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path'];
const searchFields = ['pattern', 'query'];

function fileDeed(change: FileDeed): Reader {
  return (name, input) => {
    const path = fieldIn(input, pathFields);
    return path === undefined ? toolOf(name, input) : { kind: 'file', change, paths: [inside(path)] };
  };
}

const kinds: Readonly<Record<string, FileDeed>> = {
  add: 'added',
  Add: 'added',
  update: 'changed',
  Update: 'changed',
  delete: 'deleted',
  Delete: 'deleted',
};

/** A list of changes, each with its path and its kind. */
function changedFiles(input: string): ToolDeed | undefined {
  const paths = [...input.matchAll(fieldPattern(['path']))].map(([, found = '']) => unescaped(found));
  return filesDeed(
    paths,
    [...input.matchAll(fieldPattern(['kind', 'type']))].map(([, kind = '']) => kind),
  );
}

/** `*** Update File: a.md`, as patches of some programs begin the part of a file. */
function patchedFiles(input: string): ToolDeed | undefined {
  const heads = [...input.matchAll(/\*\*\* (Add|Update|Delete) File: (.+?)(?:\\n|\n|$)/gu)];
  return filesDeed(
    heads.map(([, , path = '']) => path),
    heads.map(([, kind = '']) => kind),
  );
}

function filesDeed(paths: readonly string[], told: readonly string[]): ToolDeed | undefined {
  if (paths.length === 0) return undefined;
  const changes = new Set(told.map((kind) => kinds[kind] ?? 'changed'));
  const [change = 'changed', ...others] = changes;
  return { kind: 'file', change: others.length === 0 ? change : 'several', paths: paths.map(inside) };
}

function toolOf(name: string, input: string): ToolDeed {
  return { kind: 'tool', name, what: plainInput(input) };
}

/** Looked for instead of parsed: a long input has lost its middle. */
function fieldIn(input: string, names: readonly string[]): string | undefined {
  const found = fieldPattern(names).exec(input)?.[1];
  return found === undefined ? undefined : unescaped(found);
}

function fieldPattern(names: readonly string[]): RegExp {
  return new RegExp(String.raw`"(?:${names.join('|')})"\s*:\s*"((?:[^"\\]|\\.)*)"`, 'gu');
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gu, (_, next: string) => ({ n: '\n', t: '\t', r: '\r' })[next] ?? next);
}

/** `{"url":"x","deep":true}` as `url: x, deep: true`; what is no plain object stays as it is. */
function plainInput(input: string): string {
  const inner = /^\s*\{([^{}]*)\}\s*$/u.exec(input)?.[1];
  if (inner === undefined) return input === '[]' ? '' : input;
  const fields = [...inner.matchAll(/"([^"\\]+)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|([^,"]+))/gu)];
  return fields.map(([, name = '', text, other = '']) => `${name}: ${unescaped(text ?? other.trim())}`).join(', ');
}

/** The folder of an attempt is thrown away and called something else each time. */
function inside(path: string): string {
  const [, ours] = /^.*\/whetstone-place-[^/]+\/(?:[^/]+\/)*?work(?:\/(.*))?$/su.exec(path) ?? [undefined, path];
  return (ours ?? '').replace(/^\.\/(?=.)/u, '') || '.';
}
