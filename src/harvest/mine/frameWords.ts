/**
 * A language as far as it says nothing of what is wanted: the words that every sentence of it has, a closed list of those
 * that criteria are put with, whatever they are about, and those that deny. What changes a meaning (only, first, last,
 * before, each, if) is in none.
 */
export interface Language {
  readonly frame: ReadonlySet<string>;
  readonly denies: RegExp;
}

/**
 * The language of a sentence: the one that most of its plainest words are of, English where none is. Only its own words
 * are plain in it: “die” is an article in one language and none in another.
 */
export function languageOf(sentence: string): Language {
  const words = sentence.match(/[\p{L}']+/gu) ?? [];
  const counts = languages.map(
    ({ frame, denies }) => words.filter((word) => frame.has(word) || denies.test(word)).length,
  );
  return languages[counts.indexOf(Math.max(...counts))] ?? english;
}

function wordSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((words) => words.split(' ')));
}

const english: Language = {
  frame: wordSet(
    'a an the and or but of to in on at by for from with as is are was were be been being it its this that these those they them their there he she his her we our you your i my me who which what please do does did will would can could may might must should shall has have had need needs keep keeps kept stay stays put puts come comes stand stands use uses',
    'answer answers reply response text output summary contain contains containing contained mention mentions mentioned mentioning include includes included including say says state states stated name names named section sections heading headings headed title titled line lines word words character characters sentence sentences',
  ),
  denies: /^(?:no|not|never|without|none|neither|cannot|nothing|[a-z]+n't|dont|doesnt|mustnt|shouldnt|cant)$/u,
};

const languages: readonly Language[] = [
  english,
  {
    frame: wordSet(
      'der die das den dem des ein eine einen einem einer eines und oder aber mit von vom zu zum zur im in ins für auf an am aus bei ist sind war wird werden wurde sein es er sie sich dies diese dieser dieses diesem dass als wie auch man ich du wir ihr mir mich bitte muss müssen soll sollen sollte kann können darf dürfen hat haben',
      'antwort zusammenfassung text enthält enthalten erwähnt erwähnen erwähne nennt nennen abschnitt überschrift zeile zeilen wort wörter zeichen satz sätze steht stehen',
    ),
    denies: /^(?:nicht|kein\p{L}{0,3}|ohne|nie|niemals)$/u,
  },
  {
    frame: wordSet(
      'le la les l un une des du de d et ou mais avec pour dans sur au aux en est sont être soit il elle ils elles ce cet cette ces que qui se s je tu nous vous mon ma mes son sa ses doit doivent devrait ont ne n',
      'réponse texte résumé contient contenir mentionne mentionner inclut inclure section titre ligne lignes mot mots caractères phrase phrases',
    ),
    denies: /^(?:pas|sans|jamais|aucune?)$/u,
  },
  {
    frame: wordSet(
      'el la los las un una unos unas de del al y o con para por en es son ser está que se lo su sus este esta esto estos estas yo tú mi debe deben debería ha han',
      'respuesta texto resumen contiene contener menciona mencionar incluye incluir sección título línea líneas palabra palabras caracteres frase frases',
    ),
    denies: /^(?:no|sin|nunca|ning[uú]n[ao]?)$/u,
  },
];

/** The frame in Chinese and Japanese, where words are not set apart: what stands between them is what is said. */
export const easternFrame =
  /答案|回答|回复|摘要|总结|文本|输出|必须|应该|应当|需要|包含|包括|含有|提到|提及|一个|章节|部分|小节|标题|以及|不要|不能|不得|不可|不应|没有|请|[应须有的了在中里和与或并且不没无要是为把将字行句个]|なければならない|ください|含まれ|含む|含め|含み|言及|触れ|記載|見出し|ません|します|です|ます|こと|もの|する|して|した|ある|あり|いる|べき|ない|なし|から|まで|[はがをにでともの节節へや]/gu;

/** What lengths are told in, by one name each. */
export function unitAt(text: string): string {
  const lower = text.trimStart();
  return units.find(([, words]) => words.test(lower))?.[0] ?? '';
}

const end = '(?![\\p{L}\\p{N}])';
const units: readonly (readonly [string, RegExp])[] = [
  ['character', new RegExp(`^(?:(?:characters?|chars?|zeichen|caractères?|caracteres|carácter)${end}|字|文字)`, 'u')],
  ['word', new RegExp(`^(?:(?:words?|wörter|worte|wort|mots?|palabras?)${end}|词|個?単語|个?单词)`, 'u')],
  ['line', new RegExp(`^(?:(?:lines?|zeilen?|lignes?|líneas?)${end}|行)`, 'u')],
  [
    'sentence',
    new RegExp(`^(?:(?:sentences?|sätzen?|satz|phrases?|frases?|oraciones|oración)${end}|句|文(?!字))`, 'u'),
  ],
  ['paragraph', new RegExp(`^(?:(?:paragraphs?|absätzen?|absatz|paragraphes?|párrafos?)${end}|段)`, 'u')],
  [
    'point',
    new RegExp(`^(?:(?:bullets?|points?|items?|punkte?n?|puntos?|éléments?|elementos?)${end}|条|点|項目)`, 'u'),
  ],
  ['page', new RegExp(`^(?:(?:pages?|seiten?|páginas?)${end}|页|ページ)`, 'u')],
];
