/** Takes out the thinking that servers without a parser for it leave in the text. */
export function withoutThinking(text: string): string {
  return text.replace(/^\s*<think>[\s\S]*?(?:<\/think>\s*|$)/, '');
}
