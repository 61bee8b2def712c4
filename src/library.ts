import type { OwnCheck } from './ports/ownCheck.js';
import { createUseCases, withOwnChecks, worldOfMachine } from './bundles/core.js';
import { createLibrary } from './library/createLibrary.js';
import type { Library } from './library/library.js';
import type { ModuleEnvironment } from './library/moduleEnvironment.js';
import type { RegisteredEnvironment } from './ports/environment.js';

/**
 * Whetstone for programs: what the npm package exports. The command line and the library work with one bundle, so that a
 * run gives the same bytes in both.
 */
const library: Library = createLibrary({
  createUseCases,
  withOwnChecks,
  worldOfMachine,
  sandbox: { helper: `${__dirname}/sandbox.js` },
});

export const train: Library['train'] = library.train;
export const evaluate: Library['evaluate'] = library.evaluate;
export const certify: Library['certify'] = library.certify;

/** An environment of one's own, with its types; see docs/environments.md for the contract. */
export function defineEnvironment(environment: RegisteredEnvironment): RegisteredEnvironment;
/** One that is a module of its own, for its default export. */
export function defineEnvironment<Env>(environment: ModuleEnvironment<Env>): ModuleEnvironment<Env>;
export function defineEnvironment(environment: object): object {
  return environment;
}

/** A check of one's own, with its types. */
export function defineCheck(check: OwnCheck): OwnCheck {
  return check;
}

export { ModelError, UserError } from './errors.js';
export type * from './library/library.js';
export type * from './library/moduleEnvironment.js';
export type { OwnCheck, OwnOutcome } from './ports/ownCheck.js';
export type {
  AttemptRequest,
  AttemptResult,
  AttemptsToReflect,
  EnvironmentEdit,
  EnvironmentReflection,
  RegisteredEnvironment,
  StepToReflect,
} from './ports/environment.js';
