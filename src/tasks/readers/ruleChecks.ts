import * as z from 'zod';
import type { CheckSpec, StubTool } from '../task.js';
import { stubTool } from './whetstoneFile.js';
import type { Notes } from './importedTasks.js';

/** A check as SkillOpt and its relatives write it. */
const ruleCheck = z.looseObject({ op: z.string(), arg: z.unknown().optional() });

/** Under which name the argument of each of their operators goes; the operators themselves are called the same here. */
const argumentNames: Readonly<Record<string, string | undefined>> = {
  contains: 'text',
  not_contains: 'text',
  regex: 'pattern',
  section_present: 'heading',
  section_contains: 'heading',
  max_chars: 'limit',
  min_chars: 'limit',
  no_refusal: undefined,
  tool_called: 'tool',
  tool_not_called: 'tool',
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
    for (const extra of Object.keys(rest))
      notes.noEqual(taskId, `${field}.${extra}`, `“${extra}” has no equal and is left behind.`);
    if (!Object.hasOwn(argumentNames, op)) {
      notes.noEqual(taskId, field, `There is no check like “${op}”. The task is judged without it.`);
      return [];
    }
    const name = argumentNames[op];
    const options = name === undefined ? {} : { [name]: argumentOf(name, arg) };
    return [{ check: op, hidden: false, arguments: options }];
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
