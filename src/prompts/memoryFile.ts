import text from './memoryFile.md';
import type { PromptTemplate } from './renderPrompt.js';

/** Told to the optimizer where the document it edits is the memory file: what such a file is for, and where it may write. */
export const memoryFilePrompt: PromptTemplate<'name' | 'companion'> = {
  name: 'memoryFile',
  text,
  placeholders: ['name', 'companion'],
};
