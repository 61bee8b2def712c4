import * as z from 'zod';
import type { CheckSpec, StubTool } from '../task.js';
import { stubTool } from './whetstoneFile.js';
import type { Notes } from './importedTasks.js';

/** A check as SkillOpt and its relatives write it. */
const ruleCheck = z.looseObject({ op: z.string(), arg: z.unknown().optional() });

/** What each of their operators is called here, and under which name its argument goes. */
const operators: Readonly<Record<string, { readonly check: string; readonly argument: string | undefined }>> = {
  contains: { check: 'contains', argument: 'text' },
  not_contains: { check: 'not_contains', argument: 'text' },
  regex: { check: 'regex', argument: 'pattern' },
  section_present: { check: 'section_present', argument: 'heading' },
  section_contains: { check: 'section_contains', argument: 'heading' },
  max_chars: { check: 'max_chars', argument: 'limit' },
  min_chars: { check: 'min_chars', argument: 'limit' },
  no_refusal: { check: 'no_refusal', argument: undefined },
  tool_called: { check: 'tool_called', argument: 'tool' },
  tool_not_called: { check: 'tool_not_called', argument: 'tool' },
};

/** The checks of a foreign task that have an equal; a note for each that has none. */
export function checksOf(values: readonly unknown[], taskId: string, notes: Notes): readonly CheckSpec[] {
  return values.flatMap((value, index) => {
    const field = `judge.checks[${index}]`;
    const parsed = ruleCheck.safeParse(value);
    if (!parsed.success) {
      notes.noEqual(taskId, field, 'This is no check and is left behind.');
      return [];
    }
    const { op, arg, ...rest } = parsed.data;
    for (const name of Object.keys(rest))
      notes.noEqual(taskId, `${field}.${name}`, `“${name}” has no equal and is left behind.`);
    const operator = Object.hasOwn(operators, op) ? operators[op] : undefined;
    if (operator === undefined) {
      notes.noEqual(taskId, field, `There is no check like “${op}”. The task is judged without it.`);
      return [];
    }
    const options = operator.argument === undefined ? {} : { [operator.argument]: argumentOf(operator.argument, arg) };
    return [{ check: operator.check, hidden: false, arguments: options }];
  });
}

/** A tool that a check asks for must be offered; its answer is not in the file. */
export function stubToolsFor(checks: readonly CheckSpec[], taskId: string, notes: Notes): readonly StubTool[] {
  const names = checks
    .filter(({ check }) => check === 'tool_called' || check === 'tool_not_called')
    .map((check) => String(check.arguments['tool']));
  return [...new Set(names)].flatMap((name) => {
    const tool = stubTool.safeParse({ name });
    if (!tool.success) {
      notes.noEqual(taskId, 'tools', `“${name}” cannot be the name of a tool.`);
      return [];
    }
    const how = `The tool “${name}” is offered with an empty answer. Write a description and a result for it.`;
    notes.changed(taskId, 'tools', how);
    return [tool.data];
  });
}

// Limits are often written as texts; a text that is no number stays one and is shown as malformed.
function argumentOf(name: string, value: unknown): unknown {
  return name === 'limit' && typeof value === 'string' && /^\d+$/u.test(value.trim()) ? Number(value) : value;
}
