/** Where a command writes. Colour and live lines only where a person watches. */
export interface Terminal {
  readonly color: boolean;
  readonly live: boolean;
  readonly columns: number;
  out(text: string): void;
  err(text: string): void;
}

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Paint = (style: keyof typeof codes, text: string) => string;

/** Colours text for a terminal that shows colours, and leaves it alone otherwise. */
export function painter(terminal: Pick<Terminal, 'color'>): Paint {
  return (style, text) => {
    const [on, off] = codes[style];
    return terminal.color ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
}

/** Control characters of a model's text must not reach a terminal: they could rewrite what the person reads. */
export function sanitizeForTerminal(text: string): string {
  return text.replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, (found) =>
    found === '\n' || found === '\t' ? found : '\ufffd',
  );
}
