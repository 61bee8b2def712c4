import * as z from 'zod';
import { UserError } from '../errors.js';

const share = z.number().min(0).max(1);
const defaultSeed = 1;
const Shares = z.strictObject({ helpful: share, useless: share, harmful: share, malformed: share });

const Options = z.strictObject({
  seed: z.int().default(defaultSeed),
  /** How often an instruction that was understood is not followed: drawn for each instruction of each request. */
  lapseRate: share.default(0),
  /** Shares that are left out are 0; `helpful` takes what the others leave. */
  optimizer: Shares.partial().default({}),
  /** Follows instructions found anywhere in its input, data included. For tests of injection. */
  obedient: z.boolean().default(false),
  /** How often the judge says the opposite of what it found. */
  judgeNoise: share.default(0),
  /** How long an answer takes. Changes no answer. */
  latencyMs: z.number().min(0).default(0),
});

/** How often the optimizer is what; `malformed` is drawn for a reply, the others for each edit. They add up to 1. */
export type OptimizerShares = Readonly<z.infer<typeof Shares>>;

export type SimulatedOptions = Readonly<z.input<typeof Options>>;

/** Every option filled in and checked. */
export type SimulatedSettings = Readonly<z.output<typeof Options>> & { readonly optimizer: OptimizerShares };

/** The name of the model, whatever its options. */
export const plainName = 'simulated-1';

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
