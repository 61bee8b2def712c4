/** Every text that a person may read in the editor, once, in order, with its places as {0}, {1}. */
export function spokenTexts(sources: string): readonly string[];

/** The texts of one source. */
export function textsIn(file: string, source: string): readonly string[];
