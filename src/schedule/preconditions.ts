import type { ScheduleSettings } from './scheduleSettings.js';

/** Everything that can stop a night, in the order in which the person would have to mend it. */
export type StopName =
  | 'untrusted'
  | 'no-consent'
  | 'no-key'
  | 'cap-reached'
  | 'on-battery'
  | 'no-tasks'
  | 'tool-tasks'
  | 'running-elsewhere'
  | 'unsaved-changes'
  | 'nothing-changed'
  | 'server-given-up'
  | 'later-night'
  | 'stopped';

/** Why a night, or one skill of it, did not run: a sentence for the report, and what to do about it. */
export interface Blocker {
  readonly name: StopName;
  readonly sentence: string;
  /** Empty where there is nothing to mend. */
  readonly cure: string;
}

/** What is known about one skill at the moment a night is due. */
export interface SkillFacts {
  readonly name: string;
  /** Relative to the root; the person may exclude a skill by it or by its name. */
  readonly path: string;
  readonly confirmedTasks: number;
  /** The skill or one of its task files is open with unsaved changes. */
  readonly unsaved: boolean;
  /** Who holds the skill's lock, in words ("another window"); undefined where nobody does. */
  readonly heldBy: string | undefined;
  readonly fingerprint: string;
  /** Of the last night that ran to its end; undefined before the first. */
  readonly lastFingerprint: string | undefined;
  /** A certified proposal waits that a night was to adopt by itself and did not. */
  readonly unadopted?: boolean;
}

export interface NightFacts {
  readonly trusted: boolean;
  readonly model: string;
  readonly consented: boolean;
  /** True also where the model needs none. */
  readonly keyPresent: boolean;
  /** The cap that leaves no room for a night, in words ("the monthly cap of 2.00 USD"); undefined where there is room. */
  readonly capReached: string | undefined;
  /** `unknown` where the platform does not tell, which stops nothing. */
  readonly power: 'mains' | 'battery' | 'unknown';
  readonly skills: readonly SkillFacts[];
}

/** What a night would do: the skills it trains, those it leaves out and why, and what stops it as a whole. */
export interface NightReadiness {
  readonly train: readonly SkillFacts[];
  readonly leftOut: readonly { readonly skill: SkillFacts; readonly stop: Blocker }[];
  /** Empty where the night may run; otherwise every reason, the first to mend first. */
  readonly stops: readonly Blocker[];
}

/** Weighs the facts. Excluded skills are left out silently: the person said so. */
export function nightReadiness(
  facts: NightFacts,
  settings: Pick<ScheduleSettings, 'excluded' | 'onBattery'>,
): NightReadiness {
  const wanted = facts.skills.filter(
    (skill) => !settings.excluded.includes(skill.name) && !settings.excluded.includes(skill.path),
  );
  const judged = wanted.map((skill) => ({ skill, stop: skillStop(skill) }));
  const train = judged.flatMap(({ skill, stop }) => (stop === undefined ? [skill] : []));
  const leftOut = judged.flatMap(({ skill, stop }) => (stop === undefined ? [] : [{ skill, stop }]));
  const stops = [...wholeNightStops(facts, settings), ...(train.length > 0 ? [] : noSkillStops(leftOut))];
  return { train, leftOut, stops };
}

/** What a night's outcome depends on; the same inputs give the same text, and the same text means nothing changed. */
export function fingerprintNight(inputs: {
  readonly skillHash: string;
  readonly tasksHash: string;
  readonly modelId: string;
  readonly optionsHash: string;
  /** What is read beside the skill: memory file, prompts, fixtures. */
  readonly besideHash: string;
}): string {
  const { skillHash, tasksHash, modelId, optionsHash, besideHash } = inputs;
  return JSON.stringify([skillHash, tasksHash, modelId, optionsHash, besideHash]);
}

function wholeNightStops(facts: NightFacts, settings: Pick<ScheduleSettings, 'onBattery'>): readonly Blocker[] {
  const stops: (Blocker | false)[] = [
    !facts.trusted && {
      name: 'untrusted',
      sentence: 'The workspace is not trusted, so nothing in it is run.',
      cure: 'Trust the workspace if you know where it comes from.',
    },
    !facts.consented && {
      name: 'no-consent',
      sentence: `You have not agreed to send this workspace's tasks to ${facts.model}.`,
      cure: 'Turn the nightly run off and on again to be asked.',
    },
    !facts.keyPresent && {
      name: 'no-key',
      sentence: `There is no API key for ${facts.model}.`,
      cure: 'Run “Whetstone: Set API Key”.',
    },
    facts.capReached !== undefined && {
      name: 'cap-reached',
      sentence: `There is no room for a night under ${facts.capReached}.`,
      cure: 'Raise the cap, or wait until it starts afresh.',
    },
    settings.onBattery === 'skip' &&
      facts.power === 'battery' && {
        name: 'on-battery',
        sentence: 'The machine runs on battery.',
        cure: 'Plug it in, or set onBattery to “run”.',
      },
  ];
  return stops.filter((stop) => stop !== false);
}

function skillStop(skill: SkillFacts): Blocker | undefined {
  if (skill.confirmedTasks === 0)
    return {
      name: 'no-tasks',
      sentence: `${skill.name} has no confirmed task.`,
      cure: 'Add tasks to evals/evals.json beside it, or confirm drafted ones.',
    };
  if (skill.heldBy !== undefined)
    return { name: 'running-elsewhere', sentence: `${skill.name} is being trained by ${skill.heldBy}.`, cure: '' };
  if (skill.unsaved)
    return { name: 'unsaved-changes', sentence: `${skill.name} has unsaved changes.`, cure: 'Save the file.' };
  if (skill.fingerprint === skill.lastFingerprint)
    return {
      name: 'nothing-changed',
      sentence: `${skill.name}, its tasks, the model and the options are as they were last night.`,
      cure: skill.unadopted === true ? 'A proposal with a proved improvement waits for you: review it.' : '',
    };
  return undefined;
}

function noSkillStops(leftOut: NightReadiness['leftOut']): readonly Blocker[] {
  if (leftOut.length > 0) return leftOut.map(({ stop }) => stop).sort((a, b) => urgency(a) - urgency(b));
  return [
    {
      name: 'no-tasks',
      sentence: 'No skill is left to train.',
      cure: 'Add a skill with tasks, or exclude fewer.',
    },
  ];
}

const skillStopsByUrgency: readonly StopName[] = [
  'unsaved-changes',
  'running-elsewhere',
  'nothing-changed',
  'no-tasks',
];

function urgency(stop: Blocker): number {
  return skillStopsByUrgency.indexOf(stop.name);
}

/** What keeps nights from running until the person mends it; everything else mends itself. */
export function lastingStop(stops: readonly Blocker[]): Blocker | undefined {
  return stops.find(({ name }) => lasting.includes(name));
}

const lasting: readonly StopName[] = ['untrusted', 'no-consent', 'no-key', 'cap-reached'];
