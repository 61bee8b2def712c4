import type { ModelRequest, ToolCall, ToolDeclaration } from '../../ports/languageModel.js';
import type { Chance } from '../chance.js';
import { isTool } from '../kinds/toolUse.js';
import { instanceOf } from '../schemaInstance.js';
import type { Material } from './material.js';
import type { AnswerPlan } from './plan.js';

/** The next tool that the plan wants and no earlier turn has called, with arguments that fit its parameters. */
export function nextToolCall(
  plan: AnswerPlan,
  request: ModelRequest,
  material: Material,
  chance: Chance,
): ToolCall | undefined {
  const called = new Set(calledTools(request));
  const wanted = (request.tools ?? []).find(
    (tool) => plan.tooled && !called.has(tool.name) && plan.tools.some((name) => isTool(tool.name, name)),
  );
  if (wanted === undefined) return undefined;
  return {
    id: `call_${chance.digits(`tool ${wanted.name}`, 24)}`,
    name: wanted.name,
    arguments: JSON.stringify(instanceOf(wanted.parameters, suggestions(wanted, material))),
  };
}

/** The names of the tools that earlier turns called. */
function calledTools(request: ModelRequest): readonly string[] {
  return request.messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => call.name) : [],
  );
}

function suggestions(tool: ToolDeclaration, { task, words, names }: Material): (property: string) => string {
  return (property) => {
    if (/path|file/i.test(property)) return names.find((name) => name.includes('.')) ?? 'README.md';
    if (/(?:^|_)id$|Id$|key|number|ticket/i.test(property))
      return names.find((name) => /\d/.test(name)) ?? names[0] ?? tool.name;
    if (/question|prompt|text|request|message/i.test(property)) return task.trim().slice(0, 200) || tool.name;
    return words.slice(0, 4).join(' ');
  };
}
