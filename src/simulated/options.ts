import * as z from 'zod';
import { UserError } from '../errors.js';

/** How often the optimizer is what; `malformed` is drawn for a reply, the others for each edit. They add up to 1. */
export interface OptimizerShares {
  readonly helpful: number;
  readonly useless: number;
  readonly harmful: number;
  readonly malformed: number;
}

export interface SimulatedOptions {
  readonly seed?: number | undefined;
  /** How often an instruction that was understood is not followed: drawn for each instruction of each request. */
  readonly lapseRate?: number | undefined;
  /** Shares that are left out are 0; `helpful` takes what the others leave. */
  readonly optimizer?: Partial<OptimizerShares> | undefined;
  /** Follows instructions found anywhere in its input, data included. For tests of injection. */
  readonly obedient?: boolean | undefined;
  /** How often the judge says the opposite of what it found. */
  readonly judgeNoise?: number | undefined;
  /** How long an answer takes. Changes no answer. */
  readonly latencyMs?: number | undefined;
}

/** Every option filled in and checked. */
export interface SimulatedSettings {
  readonly seed: number;
  readonly lapseRate: number;
  readonly optimizer: OptimizerShares;
  readonly obedient: boolean;
  readonly judgeNoise: number;
  readonly latencyMs: number;
}

/** The name of the model, whatever its options. */
export const plainName = 'simulated-1';

const share = z.number().min(0).max(1);
const defaultSeed = 1;

const Options = z.strictObject({
  seed: z.int().default(defaultSeed),
  lapseRate: share.default(0),
  optimizer: z.strictObject({ helpful: share, useless: share, harmful: share, malformed: share }).partial().default({}),
  obedient: z.boolean().default(false),
  judgeNoise: share.default(0),
  latencyMs: z.number().min(0).default(0),
});

/** Throws a `UserError` for a rate outside 0..1, shares above 1 in sum, or an option that does not exist. */
export function readSettings(options: SimulatedOptions): SimulatedSettings {
  const parsed = Options.safeParse(options);
  if (!parsed.success) throw malformed(z.prettifyError(parsed.error));
  const { useless = 0, harmful = 0, malformed: broken = 0, helpful } = parsed.data.optimizer;
  const rest = 1 - useless - harmful - broken;
  if (rest < -1e-9 || (helpful !== undefined && Math.abs(helpful - rest) > 1e-9)) {
    throw malformed('The shares of the optimizer do not add up to 1.');
  }
  return { ...parsed.data, optimizer: { helpful: Math.max(0, rest), useless, harmful, malformed: broken } };
}

/** `simulated-1`, with every option that changes an answer and is not at its default, so that cache keys differ. */
export function modelName(settings: SimulatedSettings): string {
  const { useless, harmful, malformed: broken } = settings.optimizer;
  const extras = [
    settings.seed === defaultSeed ? [] : [`seed=${settings.seed}`],
    named('lapse', settings.lapseRate),
    named('useless', useless),
    named('harmful', harmful),
    named('malformed', broken),
    named('noise', settings.judgeNoise),
    settings.obedient ? ['obedient'] : [],
  ].flat();
  return [plainName, ...extras].join(';');
}

function named(name: string, value: number): readonly string[] {
  return value === 0 ? [] : [`${name}=${value}`];
}

function malformed(what: string): UserError {
  return new UserError(
    'options-malformed',
    `The options of the simulated model are not valid: ${what}`,
    'Give rates and shares between 0 and 1, with shares that add up to 1.',
  );
}
