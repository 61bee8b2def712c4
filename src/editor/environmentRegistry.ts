import { Disposable } from 'vscode';
import { UserError } from '../errors.js';
import type { RegisteredEnvironment } from '../ports/environment.js';

/** What other extensions get from `activate()`. The contract is written down in docs/environments.md. */
export interface WhetstoneApi {
  /** Tasks that name this environment are attempted by it until the returned value is disposed of. */
  registerEnvironment(environment: RegisteredEnvironment): Disposable;
}

const ourOwn: ReadonlySet<string> = new Set(['chat', 'tools', 'agent']);
const readTheDocs = 'See docs/environments.md for what an environment is.';

/** The environments that other extensions brought, by name. */
export class EnvironmentRegistry {
  readonly #known = new Map<string, RegisteredEnvironment>();

  register(environment: RegisteredEnvironment): Disposable {
    const { name } = environment;
    const why = this.#whyNot(environment);
    if (why !== undefined) {
      throw new UserError(
        'environment-refused',
        `The environment “${name}” cannot be registered: ${why}.`,
        readTheDocs,
      );
    }
    this.#known.set(name, environment);
    return new Disposable(() => this.#known.delete(name));
  }

  /** Other extensions are written in JavaScript too: what the types promise may not hold. */
  #whyNot({ name, rollout }: { readonly name: unknown; readonly rollout: unknown }): string | undefined {
    if (typeof name !== 'string' || name.trim() === '') return 'it has no name';
    if (ourOwn.has(name)) return 'the name is one of ours';
    if (this.#known.has(name)) return 'the name is taken';
    return typeof rollout === 'function' ? undefined : 'it has no rollout';
  }

  all(): readonly RegisteredEnvironment[] {
    return [...this.#known.values()];
  }
}
