import type { FrontMatter } from '../document/frontMatter.js';
import type { FrontMatterField } from '../document/frontMatterLines.js';
import { isBlank } from '../document/lines.js';
import type { SkillDocument } from '../document/skillDocument.js';
import type { LintFinding, LintFix, LintRule } from './lintFinding.js';
import { contains, type Span } from '../document/span.js';
import { isSkillName, longestDescription, longestName } from '../skillName.js';

const longestCompatibility = 500;

/** The rules of the Agent Skills specification for `name`, `description` and `compatibility`. */
export function lintFrontMatter(document: SkillDocument, folderName: string): readonly LintFinding[] {
  const { frontMatter, body } = document;
  if (frontMatter === undefined) {
    const message = 'A skill starts with front matter: “---”, its name and description, “---”.';
    return [error('front-matter-missing', message, { start: body.start, end: body.start })];
  }
  return [
    ...lintYaml(frontMatter, document.text),
    ...lintName(frontMatter, folderName),
    ...lintDescription(frontMatter),
    ...lintCompatibility(frontMatter),
  ];
}

function lintYaml(frontMatter: FrontMatter, text: string): readonly LintFinding[] {
  return frontMatter.problems.map(({ message, span }) =>
    error('front-matter-yaml', message, span, quoteFix(frontMatter, text, span)),
  );
}

/** The usual mistake is a colon in a plain value: quotes mend it. */
function quoteFix({ fields }: FrontMatter, text: string, problem: Span): LintFix | undefined {
  const field = fields.find(({ valueSpan }) => contains(valueSpan, { start: problem.start, end: problem.start }));
  if (field?.value === undefined || field.value === '') return undefined;
  const written = text.slice(field.valueSpan.start, field.valueSpan.end);
  if (/^["'[{>|&*!]/.test(written) || !written.includes(': ')) return undefined;
  return { title: `Put the ${field.key} in quotes`, span: field.valueSpan, text: JSON.stringify(field.value) };
}

function lintName(frontMatter: FrontMatter, folderName: string): readonly LintFinding[] {
  const field = fieldOf(frontMatter, 'name');
  const name = frontMatter.name;
  if (field === undefined || name === undefined) {
    return [
      error('name-missing', 'The skill has no name. Give it the name of its folder.', spanOf(frontMatter, field)),
    ];
  }
  const wanted = isSkillName(folderName) ? folderName : slug(name);
  const fix = isSkillName(wanted) ? { title: `Rename to “${wanted}”`, span: field.valueSpan, text: wanted } : undefined;
  if (!isSkillName(name)) {
    const message = `The name is 1 to ${longestName} small letters, digits and single hyphens between them.`;
    return [error('name-format', message, field.valueSpan, fix)];
  }
  if (name === folderName) return [];
  const message = `The name is not that of its folder, “${folderName}”.`;
  return [error('name-folder', message, field.valueSpan, isSkillName(folderName) ? fix : undefined)];
}

function lintDescription(frontMatter: FrontMatter): readonly LintFinding[] {
  const field = fieldOf(frontMatter, 'description');
  const { description } = frontMatter;
  if (field === undefined || description === undefined) {
    const message = 'The skill has no description. Say what it does and when to use it.';
    return [error('description-missing', message, spanOf(frontMatter, field))];
  }
  if (description.length <= longestDescription) return isVague(description) ? [vague(field.valueSpan)] : [];
  const message = `The description has ${description.length} characters; ${longestDescription} are allowed.`;
  return [error('description-long', message, field.valueSpan)];
}

const vagueOpening =
  /^(?:(?:this|the|an?|my)\s+(?:[\w-]+\s+)?skill\s+(?:(?:that|which|to|for|about|is)\s+)*)?(?:helps?|assists?|aids?|supports?|deals?\s+with|works?\s+with|useful|helpful|stuff|things|everything|anything)\b/i;
const occasion = /\b(?:use[ds]?|using|when|whenever|if|asks?|asked|before|after|while|during)\b/i;
const mostVagueWords = 8;

/** `Helps with release notes.`: neither what is done with them, nor when. A description that says either is left alone. */
function isVague(description: string): boolean {
  const words = description.trim().split(/\s+/u);
  return words.length <= mostVagueWords && vagueOpening.test(description.trim()) && !occasion.test(description);
}

function vague(span: Span): LintFinding {
  const message =
    'The description is vague: agents choose a skill by it. Say what the skill makes of what, and when to use it.';
  return { rule: 'description-vague', severity: 'warning', message, span, fix: undefined };
}

function lintCompatibility(frontMatter: FrontMatter): readonly LintFinding[] {
  const field = fieldOf(frontMatter, 'compatibility');
  const length = field?.value?.length ?? 0;
  if (field === undefined || length <= longestCompatibility) return [];
  const message = `“compatibility” has ${length} characters; ${longestCompatibility} are allowed.`;
  return [error('compatibility-long', message, field.valueSpan)];
}

function slug(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  return plain
    .split(/[^a-z0-9]+/)
    .filter((part) => !isBlank(part))
    .join('-')
    .slice(0, longestName)
    .replace(/-$/, '');
}

function fieldOf({ fields }: FrontMatter, key: string): FrontMatterField | undefined {
  return fields.find((field) => field.key === key);
}

function spanOf({ span }: FrontMatter, field: FrontMatterField | undefined): Span {
  return field?.keySpan ?? { start: span.start, end: span.start + 3 };
}

function error(rule: LintRule, message: string, span: Span, fix?: LintFix): LintFinding {
  return { rule, severity: 'error', message, span, fix };
}
