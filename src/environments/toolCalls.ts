import * as z from 'zod';
import { parseJson } from '../parseJson.js';
import type { ToolCall } from '../ports/languageModel.js';
import type { StubTool } from '../tasks/task.js';

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

const anyObject = z.record(z.string(), z.unknown());

function problemWith(text: string, tool: StubTool): string | undefined {
  const given = anyObject.safeParse(parseJson(text.trim() === '' ? '{}' : text));
  if (!given.success) return `the arguments of “${tool.name}” are not a JSON object.`;
  const read = schemaOf(tool).safeParse(given.data);
  if (read.success) return undefined;
  const [issue] = read.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : `“${issue.path.join('.')}”: `;
  return `the arguments of “${tool.name}” are not as declared: ${where}${issue?.message ?? 'unknown form'}.`;
}

/** A declaration that is no JSON schema, or one with keywords that cannot be read, accepts any object. */
function schemaOf({ parameters }: StubTool): z.ZodType {
  try {
    return z.fromJSONSchema({ type: 'object', ...parameters });
  } catch {
    return anyObject;
  }
}
