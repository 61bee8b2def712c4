import { Disposable } from 'vscode';
import { UserError } from '../errors.js';
import type { RegisteredEnvironment } from '../ports/registeredEnvironment.js';

/** What other extensions get from `activate()`. The contract is written down in docs/environments.md. */
export interface WhetstoneApi {
  /** Tasks that name this environment are attempted by it until the returned value is disposed of. */
  registerEnvironment(environment: RegisteredEnvironment): Disposable;
}

const ourOwn = new Set(['chat', 'tools', 'agent']);

/** The environments that other extensions brought, by name. */
export class EnvironmentRegistry {
  readonly #known = new Map<string, RegisteredEnvironment>();

  register(environment: RegisteredEnvironment): Disposable {
    const { name } = environment;
    if (typeof name !== 'string' || name === '' || ourOwn.has(name) || this.#known.has(name)) {
      throw new UserError(
        'environment-refused',
        `The environment “${name}” cannot be registered: the name is taken or empty.`,
        'Choose another name.',
      );
    }
    this.#known.set(name, environment);
    return new Disposable(() => this.#known.delete(name));
  }

  all(): readonly RegisteredEnvironment[] {
    return [...this.#known.values()];
  }
}
