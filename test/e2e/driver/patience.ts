/**
 * How long a script waits for what a window does in its own time. Long, because on a machine that others use too a window
 * is slow and not broken: a new one for the demo, with its extension host, has taken more than half a minute.
 */
export const patienceMs = 90_000;
