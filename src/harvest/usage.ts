import { liesIn } from './scope.js';
import type { Exchange } from './session.js';

/** A skill whose use is counted. */
export interface CountedSkill {
  readonly skillPath: string;
  /** What agents may call it: its name, and the name of its folder. */
  readonly names: readonly string[];
  /** Real paths: it is counted in sessions of these folders and of those beneath them. */
  readonly folders: readonly string[];
}

/** How often a skill was used. */
export interface SkillUses {
  /** The requests in which it was loaded. */
  readonly fired: number;
  readonly sessions: number;
  /** Those of the requests after which the person said that the answer was wrong, or voted so. */
  readonly corrected: number;
  readonly lastFired: number | undefined;
  /** All requests of persons in the sessions that it is counted in. */
  readonly messages: number;
}

const unused: SkillUses = { fired: 0, sessions: 0, corrected: 0, lastFired: undefined, messages: 0 };

/** What of an exchange is counted. */
export type CountedExchange = Pick<Exchange, 'skills' | 'feedback' | 'askedAt'>;

/** Counts which skills were used how often, session by session. Nothing of a session is kept but these counts. */
export class UsageCount {
  readonly #skills: readonly CountedSkill[];
  readonly #uses = new Map<string, SkillUses>();
  readonly #others = new Map<string, SkillUses>();

  constructor(skills: readonly CountedSkill[]) {
    this.#skills = skills;
  }

  /** A session of a folder, or of one of several; all as real paths. Elsewhere it counts for the skills that may take it alone. */
  add(exchanges: readonly CountedExchange[], inFolders: readonly string[], isElsewhere = false): void {
    const here = this.#skills.filter(({ folders }) =>
      folders.some((wanted) => inFolders.some((folder) => liesIn(wanted, folder))),
    );
    for (const skill of here) {
      const loads = exchanges.filter(({ skills }) => skills.some((name) => isCalled(skill, name)));
      this.#uses.set(skill.skillPath, added(this.usesOf(skill.skillPath), loads, exchanges.length));
    }
    if (isElsewhere) return;
    const unknown = new Set(exchanges.flatMap(({ skills }) => skills));
    for (const skill of here) for (const name of unknown) if (isCalled(skill, name)) unknown.delete(name);
    for (const name of unknown) {
      const loads = exchanges.filter(({ skills }) => skills.includes(name));
      this.#others.set(name, added(this.#others.get(name) ?? unused, loads, exchanges.length));
    }
  }

  usesOf(skillPath: string): SkillUses {
    return this.#uses.get(skillPath) ?? unused;
  }

  /** What was used and is none of the skills: those of plugins, or ones that are gone. */
  get others(): ReadonlyMap<string, SkillUses> {
    return this.#others;
  }
}

/** A plugin's name may stand before that of its skill. */
function isCalled({ names }: CountedSkill, name: string): boolean {
  return names.includes(name) || names.includes(name.slice(name.lastIndexOf(':') + 1));
}

function added(before: SkillUses, loads: readonly CountedExchange[], messages: number): SkillUses {
  const times = loads.flatMap(({ askedAt }) => askedAt ?? []);
  return {
    fired: before.fired + loads.length,
    sessions: before.sessions + (loads.length === 0 ? 0 : 1),
    corrected: before.corrected + loads.filter(isCorrected).length,
    lastFired: times.reduce<number | undefined>((last, time) => Math.max(last ?? time, time), before.lastFired),
    messages: before.messages + messages,
  };
}

/** Whoever says both that something is right and that something is wrong wants a change. */
function isCorrected({ feedback }: CountedExchange): boolean {
  return feedback !== undefined && feedback.tone !== 'positive';
}
