import { Notes, withDistinctIds, type ImportedTasks } from '../readers/importedTasks.js';
import type { TaskSource } from '../makeTask.js';
import type { CheckSpec } from '../task.js';
import { checksOfAssertion, type Counterpart } from './assertions.js';
import { fieldsOf, textsOf, type Fields } from './plainTask.js';

/** Whether a value is a configuration of promptfoo, or a list of its tests. */
export function isPromptfoo(value: unknown): boolean {
  const fields = fieldsOf(value);
  if (fields !== undefined) return fields.has('tests');
  return (
    Array.isArray(value) &&
    value.some((one: unknown) => fieldsOf(one)?.has('vars') === true || fieldsOf(one)?.has('assert') === true)
  );
}

/** What every test of a configuration shares. */
interface SharedParts {
  readonly template: string | undefined;
  readonly vars: Fields;
  readonly assertions: readonly unknown[];
}

/** Reads tests of promptfoo: a task for each, its assertions as checks where there is one that says the same. */
export function readPromptfoo(value: unknown): ImportedTasks {
  const notes = new Notes();
  const config = fieldsOf(value) ?? new Map([['tests', value]]);
  const tests = listOf(config.get('tests'));
  const shared = sharedBy(config, notes);
  const tasks = tests.flatMap((test, index) => taskOf(test, { index, shared }, notes));
  return { tasks: withDistinctIds(tasks, notes), notes: notes.all };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

function sharedBy(config: Fields, notes: Notes): SharedParts {
  const common = fieldsOf(config.get('defaultTest')) ?? new Map<string, unknown>();
  return {
    template: templateOf(listOf(config.get('prompts')), notes),
    vars: fieldsOf(common.get('vars')) ?? new Map<string, unknown>(),
    assertions: listOf(common.get('assert')),
  };
}

/** The first prompt that stands in the file itself: others lie elsewhere, or are conversations. */
function templateOf(prompts: readonly unknown[], notes: Notes): string | undefined {
  const texts = prompts.flatMap((prompt) => textsOf(fieldsOf(prompt)?.get('raw') ?? prompt));
  const template = texts.find((text) => !/^file:|^\s*\[|\{%/u.test(text) && text.includes('{{'));
  if (prompts.length > 1 && template !== undefined)
    notes.changed(undefined, 'prompts', 'There are several prompts. The tasks are asked with the first one.');
  if (prompts.length > 0 && template === undefined)
    notes.changed(
      undefined,
      'prompts',
      'The prompt does not stand in this file. The tasks are asked with their variables alone.',
    );
  return template;
}

function taskOf(
  test: unknown,
  { index, shared }: { readonly index: number; readonly shared: SharedParts },
  notes: Notes,
): readonly TaskSource[] {
  const where = `test ${index + 1}`;
  const fields = fieldsOf(test);
  const [reference] = textsOf(test);
  if (fields === undefined) {
    notes.refused(
      where,
      reference === undefined
        ? `Test ${index + 1} is not a test.`
        : `Test ${index + 1} is the file “${reference}”. Import that file, too.`,
    );
    return [];
  }
  const vars = new Map([...shared.vars, ...(fieldsOf(fields.get('vars')) ?? new Map<string, unknown>())]);
  const id = idOf(fields, index);
  const prompt = promptOf(vars, shared.template, id, notes);
  if (prompt === undefined) {
    notes.refused(where, `Test ${index + 1} needs “vars” that say what is asked.`);
    return [];
  }
  const assertions = [...shared.assertions, ...listOf(fields.get('assert'))];
  const checks = assertions.flatMap((assertion, at) => checksOf(assertion, { id, at, vars }, notes));
  if (checks.length === 0) notes.noEqual(id, 'assert', 'Nothing is left to judge this task by. Write a check for it.');
  notes.unread(id, Object.fromEntries(fields), ['vars', 'assert', 'description']);
  return [{ id, prompt, checks }];
}

function idOf(fields: Fields, index: number): string {
  const [described = ''] = textsOf(fields.get('description'));
  const words =
    described
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.slice(0, 6) ?? [];
  return words.length === 0 ? `test-${index + 1}` : words.join('-');
}

const asking = ['prompt', 'question', 'input', 'query', 'message', 'task', 'instruction', 'text'];

/** The prompt with its variables filled in; without a prompt the variable that asks, or all of them by name. */
function promptOf(vars: Fields, template: string | undefined, id: string, notes: Notes): string | undefined {
  const named = new Map([...vars].flatMap(([name, value]) => valueOf(name, value, id, notes)));
  if (template !== undefined) return filled(template, named);
  const only = named.size === 1 ? [...named.values()][0] : undefined;
  const asked = only ?? asking.flatMap((name) => named.get(name) ?? [])[0];
  if (asked !== undefined && named.size === 1) return asked;
  if (named.size === 0) return undefined;
  return asked === undefined
    ? [...named].map(([name, text]) => `${name}: ${text}`).join('\n')
    : [asked, ...[...named].flatMap(([name, text]) => (text === asked ? [] : [`${name}: ${text}`]))].join('\n\n');
}

function valueOf(name: string, value: unknown, id: string, notes: Notes): readonly (readonly [string, string])[] {
  const [text, ...more] = textsOf(value);
  if (text === undefined || text.startsWith('file://')) {
    if (value !== undefined && value !== null && value !== '')
      notes.noEqual(id, `vars.${name}`, `“${name}” has no equal and is left behind.`);
    return [];
  }
  if (more.length > 0) notes.changed(id, `vars.${name}`, `“${name}” is a list. The first value of it is taken.`);
  return [[name, text]];
}

function filled(template: string, vars: ReadonlyMap<string, string>): string {
  return template.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/gu, (mark, name: string) => vars.get(name) ?? mark);
}

interface Place {
  readonly id: string;
  readonly at: number;
  readonly vars: Fields;
}

function checksOf(assertion: unknown, place: Place, notes: Notes): readonly CheckSpec[] {
  const field = `assert[${place.at}]`;
  const fields = fieldsOf(assertion) ?? new Map<string, unknown>();
  const [type] = textsOf(fields.get('type'));
  if (type === undefined) {
    notes.noEqual(place.id, field, 'This is no check and is left behind.');
    return [];
  }
  if (type === 'assert-set' && fields.get('threshold') === undefined)
    return listOf(fields.get('assert')).flatMap((inner) => checksOf(inner, place, notes));
  const checks = counterpartOf(type, fields, place.vars);
  if (checks === undefined) {
    notes.noEqual(place.id, field, `There is no check like “${type}”. The task is judged without it.`);
    return [];
  }
  for (const extra of ['weight', 'transform', 'provider', 'rubricPrompt'])
    if (fields.has(extra)) notes.noEqual(place.id, `${field}.${extra}`, `“${extra}” has no equal and is left behind.`);
  return checks;
}

/** None for a value that lies in another file. */
function counterpartOf(type: string, fields: Fields, vars: Fields): Counterpart {
  const value = fields.get('value');
  if (textsOf(value).some((text) => text.startsWith('file://'))) return undefined;
  const known = new Map(
    [...vars].flatMap(([name, one]) =>
      textsOf(one)
        .slice(0, 1)
        .map((text) => [name, text] as const),
    ),
  );
  return checksOfAssertion(type, rendered(value, known), fields.get('threshold'));
}

function rendered(value: unknown, vars: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return filled(value, vars);
  return Array.isArray(value) ? value.map((one: unknown) => rendered(one, vars)) : value;
}
