import type { AgentId } from '../../src/ports/agentPrograms.js';
import type { AskedRequest, ServerBehaviour } from './AgentServer.js';
import { realAgents } from './realAgents.js';
import type { WireAnswer } from './wireFormats.js';

/**
 * A model that does what the skill says, as far as the skill's text reached it in the request, and knows nothing of it
 * else. Asked for an entry about “X”, it writes a line about X to NOTES.md that begins as the skill's rule has it, or as
 * everybody would begin it. A skill that it is offered, it loads first.
 */
export function skilledModel(id: AgentId, skill: string, ms = 0): ServerBehaviour {
  const agent = realAgents[id];
  if (agent === undefined) throw new Error(`${id} is not installed here.`);
  const next = (request: AskedRequest): WireAnswer => {
    const text = plainText(request.text);
    if (!hasTools(request)) return { text: 'A title' };
    const rule = ruleIn(text);
    if (rule === undefined && text.includes(skill) && !text.includes(loading)) {
      return { text: loading, calls: [agent.load(skill)] };
    }
    const line = `${rule ?? '* '}${aboutIn(text)}`;
    if (!text.includes(writing)) return { text: writing, calls: [agent.run(`printf '%s\\n' '${line}' > NOTES.md`)] };
    return { text: `NOTES.md says: ${line}` };
  };
  return { kind: 'works', next, ms };
}

const loading = 'I look at the skill.';
const writing = 'I write the note.';

/** The rule as a skill states it. */
export function ruleOf(beginning: string): string {
  return `Begin every line of NOTES.md with «${beginning}».`;
}

function ruleIn(text: string): string | undefined {
  return /Begin every line of NOTES\.md with «([^»]*)»/u.exec(text)?.[1];
}

function aboutIn(text: string): string {
  return /an entry about “([^”]*)”/u.exec(text)?.[1] ?? 'nothing';
}

/** Texts in texts of JSON are escaped, some twice. */
function plainText(text: string): string {
  return text.replaceAll(/\\+u([0-9a-f]{4})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function hasTools({ body }: AskedRequest): boolean {
  return Array.isArray(body['tools']) && body['tools'].length > 0;
}
