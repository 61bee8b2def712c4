/** How many calls may be under way at once, as the server's answers teach it. */
export interface AdaptiveWidth {
  readonly current: number;
  /** Taken along by a call from its start, and handed back with its refusal. */
  readonly generation: number;
  /** An answer came: opens after the first, widens by one after every full round of them. */
  answered(): void;
  /** "Too many": halves. Calls that were under way at the last halving say nothing about the width after it. */
  refused(startedIn: number): void;
}

export function adaptiveWidth(most: number): AdaptiveWidth {
  let current = 1;
  let generation = 0;
  let opened = false;
  let answers = 0;
  const change = (width: number): void => {
    current = width;
    answers = 0;
  };
  return {
    get current() {
      return current;
    },
    get generation() {
      return generation;
    },
    answered: () => {
      answers += 1;
      if (!opened) change(most);
      else if (answers >= current && current < most) change(current + 1);
      opened = true;
    },
    refused: (startedIn) => {
      if (startedIn !== generation) return;
      generation += 1;
      change(Math.max(1, Math.floor(current / 2)));
    },
  };
}
