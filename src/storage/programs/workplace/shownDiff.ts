import type { LeftFile } from './leftFiles.js';
import type { GitDiff } from './ownGit.js';

/** The difference as it is shown and judged, and what of it is not: nobody takes what is missing for what is not there. */
export interface ShownDiff {
  readonly text: string;
  /** What was added and is not in the text, each with why. */
  readonly notShown: readonly string[];
}

const longestShown = 1024 * 1024;
const longestDiff = 256 * 1024;
const mostShown = 1_000;
const mostNamed = 50;
/** So many changed files are told at all. */
export const mostListed = 2_000;

/** The files whose difference git is asked for. What tools leave by the way comes last: it is ignored, and there is much of it. */
export function filesToShow(changed: readonly LeftFile[]): ReadonlySet<LeftFile> {
  const fitting = changed.filter(({ path: name, bytes = 0 }) => bytes <= longestShown && isText(name));
  const [aside, own] = [true, false].map((is) => fitting.filter((file) => byTheWay.test(file.path) === is));
  return new Set([...(own ?? []), ...(aside ?? [])].slice(0, mostShown));
}

const byTheWay = /(?:^|\/)(?:node_modules|__pycache__|\.pytest_cache|\.venv)\/|\.pyc$/u;

/** A name that went through text unharmed. */
export function isText(name: string): boolean {
  return !name.includes('\uFFFD');
}

/** `changed` are those that are not ignored. */
export function shownDiff(diff: GitDiff, changed: readonly LeftFile[]): ShownDiff {
  const kept = keptOf(diff.text);
  const rest = diff.text.slice(kept.length);
  const missing = changed.filter((file) => file.change !== 'deleted' && !diff.shown.has(file.path));
  const [unnamed, unlisted] = [missing.length - mostNamed, changed.length - mostListed];
  const notShown = [
    ...(diff.isWhole ? [] : ['the difference, which could not be made']),
    ...(/^\+/mu.test(rest) ? ['lines beyond the first 256 KB'] : []),
    ...missing.slice(0, mostNamed).map((file) => `${oneLine(file.path)} (${whyMissing(file)})`),
    ...(unnamed > 0 ? [`${unnamed} more files`] : []),
    ...(unlisted > 0 ? [`${unlisted} more changed files`] : []),
  ];
  const cut = rest === '' ? [] : [`… ${rest.length} more characters are not shown.`];
  const lines = [...cut, ...notShown.map((what) => `not shown: ${what}`), ...namesOf(diff.ignored)];
  return { text: `${kept}${lines.map((line) => `${line}\n`).join('')}`, notShown };
}

function keptOf(text: string): string {
  return text.length <= longestDiff ? text : text.slice(0, text.lastIndexOf('\n', longestDiff) + 1);
}

function whyMissing({ bytes = 0 }: LeftFile): string {
  if (bytes === Infinity) return 'no file';
  const size = bytes < 1024 ? `${bytes} bytes` : bytes < 1024 ** 2 ? `${tenths(bytes / 1024)} KB` : megabytes(bytes);
  return bytes > longestShown ? `too large, ${size}` : `binary or not readable, ${size}`;
}

function megabytes(bytes: number): string {
  return `${tenths(bytes / 1024 ** 2)} MB`;
}

function tenths(value: number): string {
  return value.toFixed(1);
}

function namesOf(ignored: ReadonlySet<string>): readonly string[] {
  const names = [...ignored].toSorted().slice(0, mostNamed);
  const more = ignored.size - names.length;
  const last = more > 0 ? [`ignored: ${more} more files`] : [];
  return [...names.map((name) => `ignored: ${oneLine(name)}`), ...last];
}

/** A name may hold anything, an end of a line too. */
function oneLine(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, '?');
}
