import type { ModelErrorKind } from '../../errors.js';

/** One thing that was looked at. Nothing in it is secret: it is made to be sent to others. */
export interface Finding {
  readonly check:
    | 'program'
    | 'state'
    | 'folder'
    | 'skills'
    | 'skill'
    | 'schedule'
    | 'address'
    | 'installed'
    | 'login'
    | 'surroundings'
    | 'proxy'
    | 'key'
    | 'reachable'
    | 'model listed'
    | 'tiny call'
    | 'structured output'
    | 'context';
  /** `skipped`: an earlier finding made it pointless, or the server offers no way to tell. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly what: string;
  /** What to do; empty where nothing is wrong. */
  readonly cure: string;
  /** What kind of failure it is, where a call told. */
  readonly kind?: ModelErrorKind;
}

export function ok(check: Finding['check'], what: string): Finding {
  return { check, state: 'ok', what, cure: '' };
}

export function warning(check: Finding['check'], what: string, cure: string): Finding {
  return { check, state: 'warning', what, cure };
}

export function failed(check: Finding['check'], what: string, cure: string): Finding {
  return { check, state: 'failed', what, cure };
}

export function skipped(check: Finding['check'], what: string): Finding {
  return { check, state: 'skipped', what, cure: '' };
}
