import type { Line } from './lines.js';

const tabWidth = 4;

/**
 * Walks one line by columns, as Markdown counts indentation: a tab reaches to the next multiple of four, and a container
 * may take part of it.
 */
export class LineCursor {
  offset: number;
  column = 0;
  private readonly text: string;
  readonly line: Line;

  constructor(text: string, line: Line) {
    this.text = text;
    this.line = line;
    this.offset = line.start;
  }

  /** Columns of white space ahead, and where it ends. */
  ahead(): { readonly indent: number; readonly offset: number } {
    let offset = this.offset;
    let column = this.column;
    for (; offset < this.line.end; offset += 1) {
      if (this.text[offset] === ' ') column += 1;
      else if (this.text[offset] === '\t') column += tabWidth - (column % tabWidth);
      else break;
    }
    return { indent: column - this.column, offset };
  }

  isBlank(): boolean {
    return this.ahead().offset === this.line.end;
  }

  /** What is left of the line after its indentation. */
  rest(): string {
    return this.text.slice(this.ahead().offset, this.line.end);
  }

  /** Takes up to `columns` of white space; stops at the first other character. */
  takeColumns(columns: number): void {
    let left = columns;
    while (left > 0 && this.offset < this.line.end) {
      const character = this.text[this.offset];
      if (character === ' ') this.advance(1);
      else if (character === '\t') this.takeColumnOfTab();
      else return;
      left -= 1;
    }
  }

  /** Takes the indentation and `count` characters after it, none of them a tab. */
  takeCharacters(count: number): void {
    const { indent, offset } = this.ahead();
    this.column += indent;
    this.offset = offset;
    this.advance(count);
  }

  /** Takes the `>` of a block quote and one column of white space after it. */
  takeQuoteMark(): void {
    this.takeCharacters(1);
    this.takeColumns(1);
  }

  private advance(count: number): void {
    this.offset += count;
    this.column += count;
  }

  private takeColumnOfTab(): void {
    this.column += 1;
    if (this.column % tabWidth === 0) this.offset += 1;
  }
}
