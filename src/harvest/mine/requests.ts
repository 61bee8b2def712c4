import type { HarvestedSession } from '../harvested.js';
import type { Exchange, Tone } from '../session.js';
import { toneOf } from '../feedback/tone.js';
import { isSkillCalled } from '../names.js';
import { commandOf } from '../personsWords.js';
import { contentOf } from './intents.js';
import { needsFiles, type FilesNeeded } from './needsFiles.js';

/** Something that a person asked and that could be asked again, by itself. */
export interface MinedRequest {
  readonly session: HarvestedSession;
  /** Its place among the exchanges of the session. */
  readonly index: number;
  readonly asked: string;
  readonly at: number | undefined;
  /** The skills that were loaded for it. */
  readonly fired: readonly string[];
  /** What the person said of the answers to it, as long as they were not content: in their words. */
  readonly corrections: readonly string[];
  /** Whether the person was not content with an answer to it: by what they said, or by a vote without a word. */
  readonly isCorrected: boolean;
  /** How it is known that it was about files; undefined where it was not. */
  readonly files: FilesNeeded | undefined;
}

/**
 * The requests of a session that can stand alone as tasks: not a remark on an answer, not the next word in a conversation,
 * neither a grunt nor a book. Who asked nothing in person asked nothing here.
 */
export function requestsIn(session: HarvestedSession): readonly MinedRequest[] {
  const { exchanges } = session;
  return exchanges.flatMap((exchange, index) => {
    const asked = wordsBehindSkill(exchange);
    if (exchange.by === 'program' || !standsAlone({ ...exchange, asked }, exchanges[index - 1])) return [];
    const corrections = correctionsOf(exchanges, index);
    return [
      {
        session,
        index,
        asked,
        at: exchange.askedAt ?? session.started,
        fired: exchange.skills,
        corrections,
        isCorrected: corrections.length > 0 || isVotedDown(exchange),
        files: needsFiles({ ...exchange, asked }),
      },
    ];
  });
}

/** `/release-notes for the new basket` is a request for the new basket: which skill does it is no part of the work. */
function wordsBehindSkill({ asked, skills }: Pick<Exchange, 'asked' | 'skills'>): string {
  const words = asked.trim();
  const command = commandOf(words);
  return command !== undefined && isSkillCalled(command, skills) ? words.slice(command.length + 1).trim() : words;
}

/** Whether an answer shortly before it was given with a skill loaded: what is said then may be about that answer. */
export function followsSkill({ session, index }: Pick<MinedRequest, 'session' | 'index'>): boolean {
  return session.exchanges.slice(Math.max(0, index - mostRemarks), index).some(({ skills }) => skills.length > 0);
}

const mostRemarks = 3; // that follow one another
const shortest = 16; // characters; below this it is a word to the agent, not a job
const shortestDense = 6; // where a character is a word
const longest = 4_000; // of what is longer most was pasted, and nobody wants to review it

function standsAlone({ asked, isCut, goesOn }: Exchange, before: Exchange | undefined): boolean {
  const words = asked.trim();
  if (words.length < fewestOf(words) || words.length > longest || (isCut && words.length >= longest)) return false;
  if (toGoOn.test(words) || isEmptied({ asked })) return false;
  return !saysOfEarlier(words, before !== undefined || goesOn === true);
}

/** A remark is no request either where what it is on was said in another folder, of which nothing is kept. */
function saysOfEarlier(words: string, isThere: boolean): boolean {
  return isRemark(words) ? isThere || ofAnAnswer.test(words) : isThere && leansBack.test(words);
}

/** How a message begins that speaks of an answer, though none is known. */
const ofAnAnswer =
  /^(?:(?:no|nope|nein|non)\s?[,.!–—-]|(?:that|this|it)(?:['’]s| is| was)\b|(?:still )?wrong\b|das (?:ist|war)\b|(?:immer noch )?falsch\b|c['’]est (?:faux|pas)|ce n['’]est pas|(?:eso |esto )?está mal|不对|不是这样|错了|違い?ます|違う)/iu;

function fewestOf(words: string): number {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(words) ? shortestDense : shortest;
}

/** Whether little was left of a message when its secrets were taken out: somebody was handed a key, and nothing to do. */
export function isEmptied({ asked }: Pick<Exchange, 'asked'>): boolean {
  if (!asked.includes('REDACTED_')) return false;
  const rest = asked.replaceAll(/REDACTED_[a-z0-9-]{1,40}_[0-9a-f]{12}/gu, ' ').trim();
  if (rest === asked.trim()) return false;
  return rest.length < fewestOf(rest) || contentOf(rest).size < fewestLeft;
}

const fewestLeft = 3; // words that say something

/** A message that says something of the answer before it; what is asked beside that belongs to it. */
function isRemark(words: string): boolean {
  return toneOf(words) !== undefined;
}

/** Nothing is asked but to go on with something. */
const toGoOn =
  /^(?:(?:please |bitte )?(?:continue|go on|go ahead|carry on|proceed|resume|keep going|try again|retry|do it|weiter|mach weiter|continuez?|vas-y|sigue|continúa|adelante)\b|继续|接着|再试|続け|つづけ|もう一度)/iu;

/** How a message begins, or what stands in a short one, that cannot be understood without what was said before. */
const leansBack =
  /^(?:(?:and|also|then|now|next|ok(?:ay)?|yes|no|so|but|instead|same|what about|how about|why did you|can you also|und|auch|jetzt|dann|ja|nein|aber|et|aussi|maintenant|oui|non|mais|y|también|ahora|sí|pero)\b|还有|另外|然后|那|也|再|それ|あと|では|じゃあ)|^.{0,80}\b(?:that one|the above|as before|the same (?:way|thing)|what you (?:said|wrote|did)|your (?:last )?(?:answer|reply|change|version))\b|^(?:\S+\s+){0,7}(?:it|that|this|them|those|these|es|das|ça|cela|eso|esto)[.!?]?$/iu;

const mostCorrections = 3;
const longestCorrection = 400;

/** The messages after a request, as long as each says that the answer before it was not what was wanted. */
function correctionsOf(exchanges: readonly Exchange[], index: number): readonly string[] {
  const said: string[] = [];
  for (let at = index; said.length < mostCorrections; at += 1) {
    const [answered, next] = [exchanges[at], exchanges[at + 1]];
    if (answered === undefined || next === undefined) break;
    const tone = toneIn(next, answered);
    if (tone === undefined || tone === 'positive') break;
    said.push(next.asked.trim().slice(0, longestCorrection));
  }
  return said;
}

/**
 * What the next message says of an answer. A vote stands in the place of that and takes nothing away from it: the words
 * beside it are asked again. What goes on with something that is not kept says nothing of what is kept before it.
 */
function toneIn({ asked, goesOn }: Exchange, { feedback }: Exchange): Tone | undefined {
  if (feedback?.from !== 'vote') return feedback?.tone;
  return goesOn === true ? undefined : toneOf(asked);
}

function isVotedDown({ feedback }: Exchange): boolean {
  return feedback?.from === 'vote' && feedback.tone !== 'positive';
}
