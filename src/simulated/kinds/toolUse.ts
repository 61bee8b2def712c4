import type { Instruction, InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { quotesIn } from '../reading/wording.js';

const verb =
  /\b(?:calls?|called|calling|uses?|used|using|runs?|running|query|queries|querying|consults?|consulting|invokes?|invoked|invoking|search(?:es)?|verif(?:y|ies)|looks?|checks?|checking|look(?:s|ing)?(?: \S+){0,3} up|fetch(?:es)?|execute[sd]?|ask|try|rely on)\b/;
const identifier = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g;
const anyTool =
  /\b(?:the|your|any|every|all|available|offered|provided|given|relevant|a|right)(?: \w+){0,2} tools?\b|\btools?\b/;
const namedTool = /\b(?:the|a|your) ([a-z][\w-]*) tool\b/;
const vagueNames = new Set([
  'available',
  'offered',
  'provided',
  'given',
  'relevant',
  'right',
  'appropriate',
  'matching',
  'best',
  'single',
  'same',
  'first',
]);
const denied =
  /\b(?:do(?:es)? not|must not|never|avoid|without|no|is not|are not|not)\b(?:(?! before| answer| reply| respond| skip)[^,;])*\b(?:calls?|called|calling|uses?|used|using|runs?|tools?|query|invoke[sd]?|rely)\b/;
const doubleDenial =
  /\b(?:never|do not|must not|no)\b.*\b(?:answer|reply|respond|write|guess|answering)\b.*\b(?:without|before|until|unless)\b/;
const fromMemory = /\banswer from (?:memory|what you know|your own knowledge)\b/;

/** `search_docs`, `readFile` or `read_file()`: how tools are named, and words of a text are not. */
export function isToolName(text: string): boolean {
  return /^(?:[a-z][a-z0-9]*(?:[_.-][a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+)(?:\(\))?$/.test(text);
}

/** `Call search_docs before answering`: the tool is called with arguments that fit its schema, and its result is used. */
export const toolUse: InstructionKind = {
  name: 'tool use',
  followed:
    'The tool is called first, with JSON arguments that fit its parameters, and its result stands in the answer. A tool that the request does not offer is not called.',
  otherwise: 'No tool is called.',
  phrasings: [
    'Call `search_docs` before answering.',
    'The tool “search_docs” is called before answering.',
    'Always look it up with `search_docs` first.',
    'Never answer without calling search_docs.',
    'Use the search_docs tool for every question.',
    'Before you answer, run `search_docs`.',
    'Consult the available tools before you reply.',
  ],
  read: (statement) => {
    const { plain } = statement;
    if (fromMemory.test(plain)) return [notCalling('*')];
    const names = toolsIn(statement);
    if (names.length === 0 || !verb.test(plain)) return [];
    const refused = denied.test(plain) && !doubleDenial.test(plain);
    return names.map((name) => (refused ? notCalling(name) : calling(name)));
  },
};

function toolsIn(statement: Statement): readonly string[] {
  const { plain, raw } = statement;
  const quoted = quotesIn(statement).filter(
    (quote) => isToolName(quote) || (isAboutTools(plain) && /^[\w.-]+(?:\(\))?$/.test(quote)),
  );
  if (quoted.length > 0) return quoted.map((quote) => quote.replace(/\(\)$/, ''));
  const bare = raw.match(identifier) ?? [];
  return bare.length > 0 ? [...new Set(bare)] : unnamedTools(plain);
}

function isAboutTools(plain: string): boolean {
  return (
    /\btools?\b/.test(plain) ||
    (/\b(?:before|first|prior|without|always|until)\b/.test(plain) &&
      /\b(?:call|run|invoke|consult|query|look)/.test(plain))
  );
}

/** “The search tool” by its first word; “the available tools” are all of them. */
function unnamedTools(plain: string): readonly string[] {
  if (!/\btools?\b/.test(plain) || plain.includes('⟦')) return [];
  const named = namedTool.exec(plain)?.[1];
  if (named !== undefined && !vagueNames.has(named)) return [named];
  return anyTool.test(plain) ? ['*'] : [];
}

function calling(name: string): Instruction {
  return {
    slot: `tool ${name}`,
    vague: name === '*',
    sentence:
      name === '*' ? 'Call every tool that is offered before answering.' : `Call the tool “${name}” before answering.`,
    opposite: 'Do not call any tools; answer from memory.',
    follow: (plan) => ({ ...plan, tooled: true, tools: [...plan.tools.filter((tool) => tool !== name), name] }),
    heldBy: ({ toolsCalled }) => toolsCalled.some((called) => isTool(called, name)),
  };
}

function notCalling(name: string): Instruction {
  return {
    slot: name === '*' ? 'tool' : `tool ${name}`,
    sentence: name === '*' ? 'Do not call any tools; answer from memory.' : `Do not call the tool “${name}”.`,
    opposite:
      name === '*' ? 'Call every tool that is offered before answering.' : `Call the tool “${name}” before answering.`,
    follow: (plan) =>
      name === '*'
        ? { ...plan, tooled: false, tools: [] }
        : { ...plan, tools: plan.tools.filter((tool) => tool !== name) },
    heldBy: ({ toolsCalled }) => !toolsCalled.some((called) => isTool(called, name)),
  };
}

/** Whether a declared tool is the one that an instruction names; `*` names every tool, `search` names `search_docs`. */
export function isTool(declared: string, name: string): boolean {
  if (name === '*' || declared === name) return true;
  const wanted = flat(name);
  return flat(declared) === wanted || (wanted.length >= 4 && flat(declared).includes(wanted));
}

function flat(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
