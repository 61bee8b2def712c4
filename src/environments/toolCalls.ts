import * as z from 'zod';
import type { ToolCall } from '../ports/languageModel.js';
import type { StubTool } from '../tasks/task.js';

const Arguments = z.record(z.string(), z.unknown());
const Parameters = z.object({
  required: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.object({ type: z.unknown() }).partial()).default({}),
});

/** The stub's fixed result, or a sentence that tells the model what is wrong with its call. */
export function answerToolCall(
  call: ToolCall,
  tools: readonly StubTool[],
): { readonly valid: boolean; readonly result: string } {
  const tool = tools.find((each) => each.name === call.name);
  if (tool === undefined) {
    const names = tools.map((each) => each.name).join(', ');
    return { valid: false, result: `Error: there is no tool named “${call.name}”. The tools are: ${names}.` };
  }
  const problem = problemWith(call.arguments, tool);
  return problem === undefined ? { valid: true, result: tool.result } : { valid: false, result: `Error: ${problem}` };
}

function problemWith(text: string, tool: StubTool): string | undefined {
  const given = readArguments(text);
  if (given === undefined) return `the arguments of “${tool.name}” are not a JSON object.`;
  const parameters = Parameters.safeParse(tool.parameters);
  if (!parameters.success) return undefined; // A declaration without a usable schema accepts any object.
  const missing = parameters.data.required.find((name) => given[name] === undefined);
  if (missing !== undefined) return `“${tool.name}” needs the argument “${missing}”.`;
  const wrong = Object.entries(parameters.data.properties).find(([name, { type }]) => {
    return typeof type === 'string' && given[name] !== undefined && !isOfType(given[name], type);
  });
  return wrong === undefined
    ? undefined
    : `the argument “${wrong[0]}” of “${tool.name}” must be of the type ${String(wrong[1].type)}.`;
}

function readArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed = Arguments.safeParse(JSON.parse(text === '' ? '{}' : text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // Not JSON: the model is told so.
  }
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
