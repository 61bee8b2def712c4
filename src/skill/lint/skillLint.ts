import { lintFrontMatter } from './frontMatterLint.js';
import { lintInvisible } from './invisibleLint.js';
import type { LintFinding, LintRule } from './lintFinding.js';
import { isBlank, lineAt } from '../document/lines.js';
import { advisedSize } from '../edits/sizeBudget.js';
import type { SkillDocument } from '../document/skillDocument.js';
import { contains, textOf, type Span } from '../document/span.js';

/** What is wrong with a SKILL.md, in the order it stands there. `folderName` is the folder that holds it. */
export function lintSkill(document: SkillDocument, folderName: string): readonly LintFinding[] {
  return [
    ...lintFrontMatter(document, folderName),
    ...lintLength(document),
    ...lintReferences(document),
    ...lintOpenParts(document),
    ...lintInvisible(document),
  ].toSorted((a, b) => a.span.start - b.span.start);
}

function lintLength({ text, body, size }: SkillDocument): readonly LintFinding[] {
  const span = firstLine(text, body.start);
  if (isBlank(textOf(text, body))) {
    return [warning('body-empty', 'The skill has no instructions. Write what the agent should do.', span)];
  }
  const long = size.lines > advisedSize.lines ? `${size.lines} lines` : `about ${size.tokens} tokens`;
  if (size.lines <= advisedSize.lines && size.tokens <= advisedSize.tokens) return [];
  const advice = `${advisedSize.lines} lines or ${advisedSize.tokens} tokens`;
  return [
    warning(
      'body-long',
      `The skill has ${long}; at most ${advice} are advised. Move details into files beside it.`,
      span,
    ),
  ];
}

const link = /\]\(([^()\s<>]{1,300})\)/g;

function lintReferences({ text, body, fences }: SkillDocument): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  let fence = 0;
  for (const match of textOf(text, body).matchAll(link)) {
    const target = match[1] ?? '';
    const start = body.start + match.index + 2;
    const span = { start, end: start + target.length };
    while ((fences[fence]?.span.end ?? Infinity) <= start) fence += 1;
    const isCode = contains(fences[fence]?.span ?? { start: Infinity, end: Infinity }, span);
    if (isDeep(target) && !isCode) {
      findings.push(
        warning(
          'reference-deep',
          `“${target}” lies more than one folder deep. Keep references one level below the skill.`,
          span,
        ),
      );
    }
  }
  return findings;
}

function isDeep(target: string): boolean {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/|#)/i.test(target)) return false;
  const path = target.replace(/[?#].*$/, '').split('/');
  return path.filter((part) => part !== '' && part !== '.').length > 2;
}

function lintOpenParts({ text, fences, regions }: SkillDocument): readonly LintFinding[] {
  const openFences = fences
    .filter(({ closed }) => !closed)
    .map(({ span }) =>
      warning('fence-open', 'This code fence is never closed; all below it is code.', firstLine(text, span.start)),
    );
  const openRegions = regions
    .filter(({ state }) => state !== 'closed')
    .map(({ kind, state, span }) => {
      const lacks = state === 'orphan' ? 'start' : 'end';
      return warning('region-open', `This ${kind} marker has no ${lacks} marker.`, firstLine(text, span.start));
    });
  return [...openFences, ...openRegions];
}

function firstLine(text: string, offset: number): Span {
  const line = lineAt(text, offset);
  return { start: Math.min(offset, line.end), end: line.end };
}

function warning(rule: LintRule, message: string, span: Span): LintFinding {
  return { rule, severity: 'warning', message, span, fix: undefined };
}
