import type { Notes } from '../readers/importedTasks.js';
import type { CheckSpec } from '../task.js';
import { containing, matching, notContaining, notMatching, spec } from './assertions.js';
import { fieldsOf, textsOf, type Fields } from './plainTask.js';

/** The checks that say the same as a grader of Waza; a note for one that has none, or for the part of it that has none. */
export function checksOfGrader(grader: unknown, id: string, notes: Notes): readonly CheckSpec[] {
  const fields = fieldsOf(grader) ?? nothing;
  const [type = 'graders'] = textsOf(fields.get('type'));
  const [name = type] = textsOf(fields.get('name'));
  const config = fieldsOf(fields.get('config')) ?? nothing;
  const make = Object.hasOwn(graders, type) ? graders[type] : undefined;
  const { checks, read } = make?.(new Map([...fields, ...config])) ?? { checks: [], read: [...config.keys()] };
  const rest = [...config.keys()].filter((field) => !read.includes(field));
  for (const field of rest) notes.noEqual(id, `${name}.${field}`, `“${field}” has no equal and is left behind.`);
  if (checks.length + rest.length === 0)
    notes.noEqual(id, name, `There is no check like “${type}”. The task is judged without it.`);
  return checks;
}

const nothing: Fields = new Map();

interface ReadGrader {
  readonly checks: readonly CheckSpec[];
  /** The names of the settings that were read. */
  readonly read: readonly string[];
}

type Make = (config: Fields) => ReadGrader;

const textRules: Readonly<Record<string, (text: string) => CheckSpec>> = {
  contains: (text) => containing(text, false),
  not_contains: (text) => notContaining(text, false),
  contains_cs: (text) => containing(text, true),
  not_contains_cs: (text) => notContaining(text, true),
  keywords: (text) => containing(text, false),
  regex_match: matching,
  pattern: matching,
  regex_not_match: notMatching,
};

const text: Make = (config) => ({
  checks: Object.entries(textRules).flatMap(([name, make]) => textsOf(config.get(name)).map(make)),
  read: [...Object.keys(textRules), 'must_include_all'],
});

const jsonSchema: Make = (config) => {
  const schema = config.get('schema');
  return { checks: fieldsOf(schema) === undefined ? [] : [spec('json_schema', { schema })], read: ['schema'] };
};

/** A grader that calls tools of Waza to say its grade is a conversation; a rubric is a text that the judge can use. */
const prompt: Make = (config) => {
  const [rubric] = [...textsOf(config.get('rubric')), ...textsOf(config.get('prompt'))];
  const usable = rubric !== undefined && !/set_waza_grade/u.test(rubric);
  return {
    checks: usable ? [spec('rubric', { rubric })] : [],
    read: usable ? ['rubric', 'prompt', 'model', 'continue_session'] : [],
  };
};

const behavior: Make = (config) => ({
  checks: [
    ...textsOf(config.get('required_tools')).map((tool) => spec('tool_called', { tool })),
    ...textsOf(config.get('forbidden_tools')).map((tool) => spec('tool_not_called', { tool })),
  ],
  read: ['required_tools', 'forbidden_tools'],
});

const toolConstraint: Make = (config) => {
  const expected = toolsIn(config.get('expect_tools'));
  const rejected = toolsIn(config.get('reject_tools'));
  return {
    checks: [
      ...(expected ?? []).map((tool) => spec('tool_called', { tool })),
      ...(rejected ?? []).map((tool) => spec('tool_not_called', { tool })),
    ],
    read: [...(expected === undefined ? [] : ['expect_tools']), ...(rejected === undefined ? [] : ['reject_tools'])],
  };
};

/** Names of tools; undefined where one of them is an expression, or looks at arguments. */
function toolsIn(value: unknown): readonly string[] | undefined {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const names = entries.map((entry) => {
    const fields = fieldsOf(entry);
    const [name = ''] = textsOf(fields === undefined ? entry : fields.get('tool'));
    return fields !== undefined && fields.size > 1 ? '' : name;
  });
  return names.every((name) => /^[\w-]+$/u.test(name)) ? names : undefined;
}

const lengthRule = /^len\(output\)\s*(>=?|<=?)\s*(\d+)$/u;
const wordRule = /^(["'])(.+)\1\s+(not\s+)?in\s+output(\.lower\(\))?$/u;

/** Assertions in Python: how long the answer is and what it holds can be said here, the rest cannot. */
const code: Make = (config) => {
  const sources = textsOf(config.get('assertions'));
  const found = sources.map(checkOfSource);
  const all = found.every((check) => check !== undefined);
  return { checks: found.flatMap((check) => check ?? []), read: all && sources.length > 0 ? ['assertions'] : [] };
};

function checkOfSource(source: string): CheckSpec | undefined {
  const length = lengthRule.exec(source.trim());
  if (length !== null) {
    const [, sign = '', digits = '0'] = length;
    const off = sign === '>' ? 1 : sign === '<' ? -1 : 0;
    const limit = Math.max(0, Number(digits) + off);
    return spec(sign.startsWith('>') ? 'min_chars' : 'max_chars', { limit });
  }
  const word = wordRule.exec(source.trim());
  if (word === null) return undefined;
  const [, , held = '', denied, lowered] = word;
  return denied === undefined ? containing(held, lowered === undefined) : notContaining(held, lowered === undefined);
}

const graders: Readonly<Record<string, Make>> = {
  text,
  regex: text,
  json_schema: jsonSchema,
  prompt,
  behavior,
  tool_constraint: toolConstraint,
  code,
};
