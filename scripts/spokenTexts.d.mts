/** Every text that a person may read in the editor, once, in order, with its places as {0}, {1}. */
export function spokenTexts(sources: string): readonly string[];

/** The texts of one source. */
export function textsIn(file: string, source: string): readonly string[];

/** What is said somewhere and could not be read, as `file: argument`. */
export function unreadTexts(sources: string): readonly string[];

/** The arguments of one source that are said and whose text cannot be read, as they are written. */
export function unreadIn(file: string, source: string): readonly string[];
