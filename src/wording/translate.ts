import { config, t as translated } from '@vscode/l10n';

/** Gives a text with its places `{0}`, `{1}` filled in: in the person's language, or in English. */
export type Say = (text: string, ...values: readonly (string | number)[]) => string;

/** The texts of a language, by their English. */
export type Translations = Readonly<Record<string, string>>;

/**
 * What is shown to a person, in their language. Built once for all bundles, so that one call of `speak` reaches every
 * sentence; without it everything is English, as on the command line.
 */
export const t: Say = (text, ...values) => translated(text, ...values);

/** What is stored, or written for scripts: the same bytes in every face and language. */
export const english: Say = (text, ...values) =>
  text.replaceAll(/\{(\d)\}/g, (place, at) => String(values[Number(at)] ?? place));

/** Sets the language of `t` and `retold`; called by a composition root, once. No translations means English. */
export function speak(translations: Translations | undefined): void {
  config({ contents: { ...translations } });
  language =
    translations === undefined ? undefined : { translations, templates: once(() => templatesOf(translations)) };
  known.clear();
}

/**
 * An English text that was stored or thrown further down, in the person's language. Every sentence of ours is one of the
 * texts of the bundle with its places filled in: it is found again, and what stood in its places is retold too. What
 * nobody translated, and what a model or a person wrote, stays as it is.
 */
export function retold(text: string): string {
  if (language === undefined || text === '' || text.length > longestText) return text;
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const { said } = passage(text, language);
  known.set(text, said);
  return said;
}

interface Language {
  readonly translations: Translations;
  /** Made when something is first retold: a window that shows no result needs none. */
  readonly templates: () => readonly Template[];
}

interface Template {
  readonly text: string;
  /** Our words around its places, in their order. */
  readonly words: readonly string[];
  /** Few words of ours around something unknown could be anybody's: then the first place must hold a figure. */
  readonly wantsFigure: boolean;
  /** The longest of its own words: where a text does not hold it, the others need not be looked for. */
  readonly mark: string;
  /** How much of a match are our words: the more, the surer. */
  readonly weight: number;
}

interface Retold {
  readonly said: string;
  readonly weight: number;
}

let language: Language | undefined;
const known = new Map<string, string>();
const mostKnown = 1_000;
const surelyASentence = 12; // letters; with fewer a text like "{0} of {1}" would be found in what is none of ours
const longestText = 4_000; // characters; what is longer was not written by us
const longestPassage = 12; // sentences; what is longer was not written by us

/** Several sentences behind one another, divided so that most of the words are ours. */
function passage(text: string, spoken: Language): Retold {
  const parts = text.split(/(?<=[.!?]”?)\s+/);
  if (parts.length > longestPassage) return { said: text, weight: 0 };
  return (
    parts.reduce<readonly Retold[]>(
      (best, _, last) => [...best, mostlyOurs(best, (start) => parts.slice(start, last + 1).join(' '), spoken)],
      [{ said: '', weight: 0 }],
    )[parts.length] ?? { said: text, weight: 0 }
  );
}

/** The best way to say the first parts: some of them as they were said best, the rest as one sentence. */
function mostlyOurs(best: readonly Retold[], rest: (start: number) => string, spoken: Language): Retold {
  return best
    .map((before, start): Retold => {
      const { said, weight } = sentence(rest(start), spoken) ?? { said: rest(start), weight: 0 };
      return { said: before.said === '' ? said : `${before.said} ${said}`, weight: before.weight + weight };
    })
    .reduce((most, each) => (each.weight > most.weight ? each : most));
}

function sentence(text: string, spoken: Language): Retold | undefined {
  const whole = spoken.translations[text];
  if (whole !== undefined && Object.hasOwn(spoken.translations, text)) return { said: whole, weight: text.length };
  for (const template of spoken.templates()) {
    const values = text.includes(template.mark) ? valuesIn(text, template) : undefined;
    if (values === undefined) continue;
    // A single word is a name: a task called “accepted” keeps it.
    const told = values.map((value) => (/\s/.test(value) ? passage(value, spoken) : { said: value, weight: 0 }));
    return {
      said: t(template.text, ...told.map(({ said }) => said)),
      weight: template.weight + told.reduce((sum, { weight }) => sum + weight, 0),
    };
  }
  return undefined;
}

function templatesOf(translations: Translations): readonly Template[] {
  return Object.keys(translations)
    .flatMap((text) => templateOf(text) ?? [])
    .sort((a, b) => b.weight - a.weight);
}

/** Only texts whose places stand in their order, as all those do that are stored or thrown. */
function templateOf(text: string): Template | undefined {
  const words = text.split(/\{\d\}/);
  const places = [...text.matchAll(/\{(\d)\}/g)].map(([, at]) => Number(at));
  const letters = words.join('').replaceAll(/[^\p{L}]/gu, '').length;
  if (places.length === 0 || letters < 3 || places.some((place, index) => place !== index)) return undefined;
  const mark = [...words].sort((a, b) => b.length - a.length)[0] ?? '';
  return { text, words, wantsFigure: letters < surelyASentence, mark, weight: words.join('').length };
}

/**
 * What stands in the places of a template, each as short as it can be; undefined where the text is another one. Takes
 * the first place of each word behind the one before it, so that no text takes longer than its length.
 */
function valuesIn(text: string, { words, wantsFigure }: Template): readonly string[] | undefined {
  const [first = '', ...others] = words;
  const last = others.pop() ?? '';
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const values: string[] = [];
  let start = first.length;
  let from = start;
  if (wantsFigure) {
    const figure = /^[+−-]?\d/.exec(text.slice(start, start + 2));
    if (figure === null) return undefined;
    from += figure[0].length;
  }
  for (const word of others) {
    const at = text.indexOf(word, from);
    if (at < 0) return undefined;
    values.push(text.slice(start, at));
    start = at + word.length;
    from = start;
  }
  return from <= end ? [...values, text.slice(start, end)] : undefined;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
