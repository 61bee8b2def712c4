import type { AgentState } from '../../models/agents/inspectAgent.js';

/** How an agent program stands on this machine. */
export interface AgentStanding {
  readonly state: AgentState;
  /** False where no test of ours has run the real program. */
  readonly tested: boolean;
}

/** A model, or a place to get one from, that a person can choose. */
export interface ModelOffer {
  readonly kind: 'running' | 'editor' | 'agent' | 'key' | 'simulated' | 'handoff' | 'preset';
  readonly id: string;
  readonly label: string;
  /** Why it is offered, or what it takes; an agent program's standing says that. */
  readonly detail: string;
  readonly baseUrl: string | undefined;
  readonly needsKey: boolean;
  /** Whether it answers on this machine. */
  readonly local: boolean;
  /** Models that the server lists, where it was asked. */
  readonly models: readonly string[];
  readonly standing?: AgentStanding | undefined;
  /** Why it cannot be used yet, with what to do about it. */
  readonly trouble?: { readonly what: string; readonly cure: string } | undefined;
}
