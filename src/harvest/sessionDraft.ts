import { toneOf } from './feedback/tone.js';
import { isSkillCalled, skillName, toolName } from './names.js';
import { isOwnFolder, isOwnPrompt } from './ownCalls.js';
import { commandOf, personsWords } from './personsWords.js';
import { plainText } from './plainText.js';
import { liesIn } from './scope.js';
import type { Author, Exchange, Feedback, HarvestSource, Session, SessionPlace, Tone } from './session.js';

/** What is kept of a session, however long it is: the memory that it takes does not grow with its file. */
export const mostExchanges = 200; // the last ones
export const longestText = 8_000; // characters of a request, and of an answer
const mostAnswered = 4 * longestText; // of what an answer may hold beside words only its beginning would be kept
const mostTools = 500; // of one exchange
const mostFolders = 50; // of one exchange
const mostMarks = 20_000;

/** When a message was written, and by whom. */
interface MessageOrigin {
  readonly at: number | undefined;
  readonly by: Author;
}

/** An exchange that may still go on. */
interface OpenExchange {
  /** What it follows; undefined too where that was given up. */
  before: OpenExchange | undefined;
  /** How many there were before it. */
  readonly place: number;
  asked: string;
  /** It was asked in another folder than the session's: nothing of it is kept but its place. */
  isElsewhere: boolean;
  readonly stood: Set<string>;
  readonly askedAt: number | undefined;
  readonly by: Author;
  /** The command that it begins with: it is taken where a skill of that name is loaded. */
  readonly command: string | undefined;
  answer: string;
  /** Of which message of the agent the answer is, where one may come in parts. */
  answerOf: string | undefined;
  isCut: boolean;
  tools: string[];
  readonly skills: Set<string>;
  vote: Tone | undefined;
}

/**
 * A session while it is read. Readers tell it in order what was asked, said and used; it keeps the words of persons, finds
 * our own calls and reads the feedback, so that all of that is the same for every source.
 */
export class SessionDraft {
  readonly counts = { unknown: 0, broken: 0, tooLong: 0, commands: 0, noise: 0, dropped: 0 };
  id: string | undefined;
  folder: string | undefined;
  branch: string | undefined;
  commit: string | undefined;
  isSubAgent: boolean;
  isOwn = false;
  readonly #source: HarvestSource;
  readonly #place: SessionPlace;
  #started: number | undefined;
  #ended: number | undefined;
  /** Where the agent stands now, as far as that is told. */
  #stands: string | undefined;
  #current: OpenExchange | undefined;
  readonly #opened: OpenExchange[] = [];
  readonly #marks = new Map<string, OpenExchange | undefined>();

  constructor(source: HarvestSource, place: SessionPlace) {
    this.#source = source;
    this.#place = place;
    this.isSubAgent = place.isSubAgent ?? false;
  }

  /** Something happened at this instant. */
  hear(time: number | undefined): void {
    if (time === undefined) return;
    this.#started = Math.min(this.#started ?? time, time);
    this.#ended = Math.max(this.#ended ?? time, time);
  }

  /**
   * The agent stands in this folder from now on. Of what is said in another folder than the session's nothing is kept:
   * some sources tell the folder before a request, others between it and the answer.
   */
  stand(folder: string | undefined): void {
    if (folder === undefined) return;
    this.#stands = folder;
    const exchange = this.#current;
    if (exchange === undefined || exchange.answer !== '' || exchange.tools.length > 0) return;
    this.#noteFolder(exchange);
    if (!this.#isElsewhere()) return;
    exchange.isElsewhere = true;
    exchange.asked = '';
  }

  #noteFolder({ stood }: OpenExchange): void {
    if (this.#stands === undefined || stood.size > mostFolders || this.#isElsewhere()) return;
    stood.add(this.#stands);
  }

  /** A message to the agent. Where nobody asked anything in it, what comes next belongs to the request before. */
  ask(message: string, { at, by }: MessageOrigin): void {
    this.isOwn ||= isOwnPrompt(message);
    const words = personsWords(message);
    if (words === undefined) {
      this.counts.noise += 1;
      return;
    }
    this.#current = {
      before: this.#current,
      place: this.#current === undefined ? 0 : this.#current.place + 1,
      asked: this.#isElsewhere() ? '' : kept(words),
      isElsewhere: this.#isElsewhere(),
      stood: new Set(),
      askedAt: at,
      by: this.#place.by ?? by,
      command: commandOf(words),
      answer: '',
      answerOf: undefined,
      isCut: words.length > longestText,
      tools: [],
      skills: new Set(),
      vote: undefined,
    };
    this.#noteFolder(this.#current);
    this.#opened.push(this.#current);
    if (this.#opened.length > mostExchanges * 2) forget(this.#opened.shift());
  }

  #isElsewhere(): boolean {
    const own = this.folder ?? this.#place.folder;
    return this.#stands !== undefined && own !== undefined && !liesIn(own, this.#stands);
  }

  /** Words of the agent. They are its answer as long as it uses no tool after them. */
  say(text: string, of?: string): void {
    const exchange = this.#current;
    if (exchange === undefined || text.trim() === '') return;
    const isMore = of !== undefined && of === exchange.answerOf && exchange.answer !== '';
    const whole = isMore ? `${exchange.answer}\n\n${text}` : text;
    this.#noteFolder(exchange);
    exchange.answer = this.#isElsewhere() ? '' : kept(plainText(whole.slice(0, mostAnswered)).trim());
    exchange.answerOf = of;
    exchange.isCut ||= whole.length > longestText;
  }

  use(told: unknown): void {
    const tool = toolName(told);
    if (tool === undefined) this.counts.broken += 1;
    if (this.#current === undefined) return;
    this.#current.answer = '';
    if (tool !== undefined && this.#current.tools.length < mostTools) this.#current.tools.push(tool);
  }

  /** A skill was loaded; what can be no name of one is not kept. */
  load(told: unknown): void {
    const skill = skillName(told);
    if (skill !== undefined) this.#current?.skills.add(skill);
  }

  vote(tone: Tone): void {
    if (this.#current !== undefined) this.#current.vote = tone;
  }

  /** Takes back the last exchanges, as the person did. */
  undo(count: number): void {
    for (let left = count; left > 0 && this.#current !== undefined; left -= 1) this.#current = this.#current.before;
  }

  /** An entry of this id belongs to what is said now. */
  mark(id: string | undefined): void {
    if (id === undefined) return;
    this.#marks.set(id, this.#current);
    if (this.#marks.size > mostMarks) dropOldest(this.#marks, mostMarks / 2);
  }

  /** What is said next follows the entry of this id: where that is an earlier one, the person went back to it. */
  follow(id: string | undefined): void {
    if (id !== undefined && this.#marks.has(id)) this.#current = this.#marks.get(id);
  }

  finish(): Session {
    const folder = this.folder ?? this.#place.folder;
    return {
      source: this.#source,
      id: this.id ?? this.#place.id ?? '',
      kind: this.#kind(folder),
      folder,
      ...alsoIn(this.#place),
      git: { commit: this.commit, branch: this.branch },
      started: this.#started ?? this.#place.written,
      ended: this.#ended ?? this.#place.written,
      exchanges: this.#exchanges(),
      counts: { ...this.counts },
    };
  }

  #kind(folder: string | undefined): Session['kind'] {
    if (this.isOwn || (folder !== undefined && isOwnFolder(folder))) return 'own-call';
    return this.isSubAgent ? 'sub-agent' : 'main';
  }

  #exchanges(): readonly Exchange[] {
    const path: OpenExchange[] = [];
    for (let each = this.#current; each !== undefined; each = each.before) path.push(each);
    const remembered = path.toReversed().filter(({ asked, isElsewhere }) => asked !== '' || isElsewhere);
    const taken = remembered.filter(isTaken);
    this.counts.commands = remembered.length - taken.length;
    this.counts.dropped = (remembered[0]?.place ?? 0) + Math.max(0, taken.length - mostExchanges);
    const last = taken.slice(-mostExchanges);
    return last.flatMap((exchange, index) => {
      const goesOn = index === 0 ? this.counts.dropped > 0 : last[index - 1]?.isElsewhere === true;
      const { isElsewhere, stood } = exchange;
      if (isElsewhere || stood.size > mostFolders) return [];
      const beneath = [...stood].filter((folder) => folder !== (this.folder ?? this.#place.folder));
      const more = { ...(goesOn ? { goesOn } : {}), ...(beneath.length === 0 ? {} : { stood: beneath }) };
      return [{ ...closed(exchange, last[index + 1]), ...more }];
    });
  }
}

function alsoIn({ alsoIn: others = [] }: SessionPlace): Pick<Session, 'alsoIn'> {
  return others.length === 0 ? {} : { alsoIn: others };
}

/** A command to the program is no request, unless it is one to use a skill. */
function isTaken({ command, skills, isElsewhere }: OpenExchange): boolean {
  if (isElsewhere) return true; // it stands between what is taken
  return command === undefined || isSkillCalled(command, [...skills]);
}

function closed(exchange: OpenExchange, next: OpenExchange | undefined): Exchange {
  const { asked, askedAt, by, answer, isCut, tools, skills } = exchange;
  return { asked, askedAt, by, answer, isCut, tools, skills: [...skills], feedback: feedbackOn(exchange, next) };
}

function feedbackOn({ vote }: OpenExchange, next: OpenExchange | undefined): Feedback | undefined {
  if (vote !== undefined) return { tone: vote, from: 'vote' };
  const tone = next === undefined || next.by === 'program' ? undefined : toneOf(next.asked);
  return tone === undefined ? undefined : { tone, from: 'next-message' };
}

/** The beginning of a text, as a text of its own: a part of a text would hold on to all of it. */
function kept(text: string): string {
  return Buffer.from(text.slice(0, longestText), 'utf16le').toString('utf16le');
}

/** One that follows it may still be there: it keeps its place in the order, and nothing else. */
function forget(exchange: OpenExchange | undefined): void {
  if (exchange === undefined) return;
  exchange.before = undefined;
  exchange.asked = '';
  exchange.isElsewhere = false;
  exchange.answer = '';
  exchange.tools = [];
  exchange.skills.clear();
  exchange.stood.clear();
}

/** Many at a time: to find the oldest one takes as long as many were taken out before. */
export function dropOldest(entries: Map<string, unknown>, count: number): void {
  let left = count;
  for (const key of entries.keys()) {
    if (left <= 0) return;
    entries.delete(key);
    left -= 1;
  }
}
