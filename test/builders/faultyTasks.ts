/** Tasks with one fault each that no schema can see, named for it. */
export const faultyEvals = [
  { id: 'same', prompt: 'Greet Ada who sails', expectations: ['It greets.'] },
  { id: 'same', prompt: 'Welcome the cook', expectations: ['It greets.'] },
  { id: 'regex', prompt: 'Say hi to a stranger' },
  { id: 'unknown', prompt: 'Address the board' },
  { id: 'soft', prompt: 'Wave to the ferry' },
  { id: 'shape', prompt: 'Toast the couple' },
  { id: 'lost', prompt: 'Read this aloud', files: ['evals/files/speech.txt'], expectations: ['It reads.'] },
] as const;

/** Their checks, as they stand in `evals/whetstone.json`. */
export const faultyChecks = {
  regex: { checks: [{ check: 'regex', pattern: '(((' }] },
  unknown: { checks: [{ check: 'contanis', text: 'x' }] },
  soft: { checks: [{ check: 'min_chars', limit: 0 }] },
  shape: { checks: [{ check: 'max_chars', limit: 100 }] },
} as const;
