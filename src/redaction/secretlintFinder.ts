import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { Search, Span } from './span.js';

type Rule = (typeof rules)[number];
type Context = Parameters<Rule['create']>[0];
type Report = Parameters<Context['report']>[0];
type Source = Parameters<NonNullable<ReturnType<Rule['create']>['file']>>[0];

/**
 * What secretlint's recommended rules find in a string. The rules are driven here and not by secretlint's own core, which
 * obeys `secretlint-disable` comments in the text, shifts every range after a byte order mark, and keeps a record of each
 * run for the life of the process.
 */
export function* findWithSecretlint(text: string): Search {
  if (!/\S{16}/.test(text)) return []; // shorter than anything that a rule reports
  const source = sourceOf(text);
  const found: (readonly Span[])[] = [];
  for (const scan of scanners) {
    found.push(scan(source));
    yield;
  }
  return found.flat();
}

/** Finds out what is to be disabled, which nothing is here. */
const commentFilter = '@secretlint/secretlint-rule-filter-comments';

const scanners = rules
  .filter(({ meta: { type, id } }) => type === 'scanner' && id !== commentFilter)
  .map((rule) => scannerOf(rule));

/** A rule, made ready once. Only a file with a name is read later; of a text everything is reported at once. */
function scannerOf(rule: Rule): (source: Source) => readonly Span[] {
  let found: Span[] = [];
  let text = '';
  const kind = rule.meta.id.replace(/^.*secretlint-rule-/, '');
  const context = {
    sharedOptions: {},
    createTranslator: () => (messageId: unknown, data?: unknown) => ({
      message: '',
      messageId: String(messageId),
      data,
    }),
    report: (report: Report) => found.push(...spansOf(report, kind, text)),
    ignore: () => undefined,
  } as Context;
  const created = rule.create(context, {});
  return (source) => {
    [found, text] = [[], source.content];
    void created.file?.(source);
    return found;
  };
}

/**
 * The spans of one report. Its range alone is not to be trusted: where a rule captures the value behind a name, the range
 * has the value's length but starts at the name. So the reported value itself is looked up as well.
 */
function spansOf(report: Report, kind: string, text: string): readonly Span[] {
  const [start, end] = report.range;
  const data: unknown = report.message.data;
  const located = Object.values(data instanceof Object ? data : {}).flatMap((value: unknown) => {
    if (typeof value !== 'string' || value.length < 8) return [];
    const at = text.indexOf(value, start);
    return at < 0 ? [] : [{ start: at, end: at + value.length, kind }];
  });
  return located.length > 0 ? located : [{ start, end, kind }];
}

/** A text that is no file: rules that ask for a path get none. */
function sourceOf(text: string): Source {
  return {
    hasBOM: false,
    content: text,
    filePath: undefined,
    physicalFilePath: undefined,
    contentType: 'text',
    ext: '',
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: { line: 0, column: 0 }, end: { line: 0, column: 0 } }),
    positionToIndex: () => 0,
    indexToPosition: () => ({ line: 0, column: 0 }),
  };
}
