import type { EditorChat, EditorPart, EditorQuestion } from '../../src/ports/editorChat.js';

type Answer = (question: EditorQuestion, signal: AbortSignal) => AsyncIterable<EditorPart>;

/** A model of an editor that answers as it is told. */
export class FakeEditorChat implements EditorChat {
  readonly vendor = 'fake';
  readonly id = 'one';
  readonly name = 'Fake One';
  readonly questions: EditorQuestion[] = [];
  allowed: boolean | undefined = true;
  #answer: Answer = () => says('ready');

  answers(answer: Answer): void {
    this.#answer = answer;
  }

  isAllowed = (): boolean | undefined => this.allowed;

  ask(question: EditorQuestion, signal: AbortSignal): AsyncIterable<EditorPart> {
    this.questions.push(question);
    return this.#answer(question, signal);
  }

  countTokens(text: string): Promise<number> {
    return Promise.resolve(text.split(/\s+/).length);
  }
}

/** An answer in these pieces. */
export async function* says(...texts: readonly string[]): AsyncGenerator<EditorPart> {
  for (const text of texts) yield { kind: 'text', text };
}
