import type { Instruction, InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { denies } from '../reading/wording.js';

const verb =
  /\b(?:wrap|wraps|wrapped|put|puts|enclose|enclosed|surround|surrounded|place|placed|inside|within|between|in|use|uses|around|contains?|include|includes|deliver|return|go|goes)\b/;
const tagPattern = /<([a-z][\w-]*)>/i;
const named =
  /\b(?:xml |html )?tags? (?:named |called )?⟦(\d+)⟧|⟦(\d+)⟧ tags?\b|\b(?:in|with) (?:an? )?(?:xml )?tags? (?:named |called )([a-z][\w-]*)/;
const short =
  /\b(?:final answer|final verdict|conclusion|verdict|result only|short answer|final result|one-line answer)\b/;

/** `Wrap the answer in <answer> tags`: around all of it, or around a last short answer where “the final answer” is meant. */
export const tags: InstructionKind = {
  name: 'tags',
  followed: 'The answer stands between the tags; “the final answer” adds a short last one between them.',
  otherwise: 'No tag is written.',
  phrasings: [
    'Wrap the answer in <answer> tags.',
    'Put the final answer between <result> and </result>.',
    'Enclose what you write in `<report>` tags.',
    'The answer contains “<summary>”.',
    'Place everything inside <reply></reply>.',
    'Use <output> tags around the whole answer.',
    'Surround the text with an XML tag named “note”.',
  ],
  read: (statement) => {
    const name = tagIn(statement);
    if (name === undefined || !verb.test(statement.plain)) return [];
    return denies(statement.plain) ? [untagged(name)] : [tagged(name, !short.test(statement.plain))];
  },
};

function tagIn({ plain, raw, quotes }: Statement): string | undefined {
  const bare = tagPattern.exec(raw)?.[1];
  if (bare !== undefined) return bare;
  const marks = [...plain.matchAll(/⟦(\d+)⟧/g)].map((match) => quotes[Number(match[1])] ?? '');
  const quoted = marks
    .map((quote) => /^<([a-z][\w-]*)>(?:.*<\/\1>)?$/i.exec(quote)?.[1])
    .find((name) => name !== undefined);
  if (quoted !== undefined) return quoted;
  const match = named.exec(plain);
  return match === null ? undefined : (match[3] ?? quotes[Number(match[1] ?? match[2])]);
}

function tagged(name: string, whole: boolean): Instruction {
  return {
    kind: tags.name,
    slot: `tag ${name}`,
    vague: false,
    sentence: whole
      ? `Wrap the whole answer in <${name}> tags.`
      : `Put the final answer between <${name}> and </${name}>.`,
    opposite: `Do not use <${name}> tags.`,
    follow: (plan) => ({ ...plan, tags: [...plan.tags.filter((tag) => tag.name !== name), { name, whole }] }),
    heldBy: ({ answer }) => new RegExp(`<${name}>[\\s\\S]*\\S[\\s\\S]*</${name}>`).test(answer),
  };
}

function untagged(name: string): Instruction {
  return {
    kind: tags.name,
    slot: `tag ${name}`,
    vague: false,
    sentence: `Do not use <${name}> tags.`,
    opposite: `Wrap the whole answer in <${name}> tags.`,
    follow: (plan) => ({ ...plan, tags: plan.tags.filter((tag) => tag.name !== name) }),
    heldBy: ({ answer }) => !answer.includes(`<${name}>`),
  };
}
