import { easternFrame, languageOf, unitAt, type Language } from './frameWords.js';

/**
 * Whether something is wanted or not wanted. `aside`: it stands before a “not” that is about what follows. `unclear`: the
 * sentence can be read both ways, or is read by no rule here.
 */
export type Sense = 'wanted' | 'unwanted' | 'aside' | 'unclear';

/** A word that says something, a number with its unit and its direction, or a piece of Chinese or Japanese. */
export interface StatedWord {
  readonly form: string;
  /** Where it begins in its sentence. */
  readonly at: number;
  readonly sense: Sense;
  /** Of Chinese and Japanese all that is said in one go. */
  readonly run?: string;
}

export interface Statement {
  /** The sentence in small letters and one form, without the mark at its end. */
  readonly text: string;
  readonly words: readonly StatedWord[];
  /** It is the person who says so: neither a question, nor what somebody else is said to want. */
  readonly isFirm: boolean;
}

/** The sentences of a text, each with what it says and in which sense. In time that grows with the text. */
export function statementsOf(text: string): readonly Statement[] {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('’', "'");
  return cutAt(plain, /[.!?](?=["”»]?(?:\s|$))|[\n。！？]/gu).flatMap(({ piece, at }) => {
    const sentence = signed(piece.replaceAll(/\s+/gu, ' ').trim().replace(interjection, ''));
    if (sentence === '') return [];
    const isQuestion = /[?？]/u.test(plain[at + piece.length] ?? '') && !request.test(sentence);
    const isFirm = !isQuestion && !ofOthers.test(sentence);
    const words = wordsOf(sentence);
    const isPlain = isFirm && !conditional.test(masked(sentence));
    return [{ text: sentence, words: isPlain ? words : words.map((word) => ({ ...word, sense: 'unclear' })), isFirm }];
  });
}

/** How a question begins that asks for something to be done. */
const request =
  /^(?:please |bitte )?(?:(?:can|could|will|would) you|(?:kannst|könntest|können|könnten) (?:du|sie)|(?:peux|peut|pourrais|pouvez|pourriez)[ -](?:tu|vous)|(?:puedes|podrías|puede|podría)|请|能|可以)/u;

/** What somebody else wants is no wish of the person. */
const ofOthers =
  /(?<![\p{L}])(?:(?<!(?:i|we|you|i'd|would|to|don't|not)\s)(?:wants?|wanted|wishe[sd]|expects?|demand(?:s|ed)|insist(?:s|ed)|asks? for|asked for)|according to|per (?:my|our|the) \p{L}+,?|laut|selon|d'après|según)(?![\p{L}])|根据|据说|によると|によれば/u;

/** What holds only now and then is said with its condition or not at all. */
const conditional =
  /(?<![\p{L}])(?:if|when|whenever|unless|wenn|falls|sofern|si|quand|lorsque|cuando)(?![\p{L}])|如果|若|的时候|もし|場合/u;

const interjection = /^(?:no|nope|nein|nö|non|いいえ|いや|不是?|不对)\s?[,，、:：!！–—-]\s?/u;

/** What stands in quotation marks is one thing: nothing in it cuts a sentence or denies anything. */
function masked(text: string): string {
  return text.replaceAll(
    /"[^"\n]{0,400}"|“[^”\n]{0,400}”|„[^“”\n]{0,400}[“”]|«[^»\n]{0,400}»|「[^」\n]{0,400}」|『[^』\n]{0,400}』/gu,
    (quoted) => '\u25A1'.repeat(quoted.length),
  );
}

interface Piece {
  readonly piece: string;
  readonly at: number;
}

function cutAt(text: string, cuts: RegExp): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const cut of masked(text).matchAll(cuts)) {
    pieces.push({ piece: text.slice(from, cut.index), at: from });
    from = cut.index + cut[0].length;
  }
  return [...pieces, { piece: text.slice(from), at: from }].filter(({ piece }) => piece.trim() !== '');
}

/** Limits by one sign each, so that “no more than” denies nothing: ≤ and ≥ before the number. */
function signed(sentence: string): string {
  return sentence
    .replaceAll(mostBefore, '≤')
    .replaceAll(leastBefore, '≥')
    .replaceAll(mostBehind, '≤$1')
    .replaceAll(leastBehind, '≥$1');
}

const number = '(?=\\p{N})';
const mostBefore = new RegExp(
  `(?<![\\p{L}])(?:(?:not? |n't )(?:be )?(?:more|longer|greater) than|(?:not|n't) (?:exceed|go over)|at (?:the )?most|up to|under|below|(?:less|fewer|shorter) than|within|max(?:imum|imal)?\\.?(?: of)?|höchstens|nicht (?:mehr|länger) als|weniger als|unter|bis zu|au (?:plus|maximum)|(?:pas|ne) plus de|moins de|jusqu'à|como máximo|menos de|no más de|hasta)\\s?${number}|(?:不超过|不多于|不得超过|最多|少于|至多|最大)\\s?${number}`,
  'gu',
);
const leastBefore = new RegExp(
  `(?<![\\p{L}])(?:not? (?:less|fewer|shorter) than|at (?:the )?least|(?:more|longer) than|over|above|exceeds?|min(?:imum|imal|destens)?\\.?(?: of)?|wenigstens|nicht weniger als|mehr als|über|au (?:moins|minimum)|plus de|pas moins de|al menos|como mínimo|más de|no menos de)\\s?${number}|(?:至少|不少于|超过|最少)\\s?${number}`,
  'gu',
);
const counted = '(?<![≤≥\\p{N}.,:])(\\p{N}+(?:[.,]\\p{N}+)*\\s?[\\p{L}]{0,14}?)\\s?';
const mostBehind = new RegExp(
  `${counted}(?:(?:at (?:the )?most|or (?:less|fewer)|max(?:imum|imal)?|höchstens|au (?:plus|maximum)|como máximo)(?![\\p{L}])|以内|以下|未満|まで)`,
  'gu',
);
const leastBehind = new RegExp(
  `${counted}(?:(?:at (?:the )?least|or more|min(?:imum)?|mindestens|au (?:moins|minimum)|como mínimo)(?![\\p{L}])|以上)`,
  'gu',
);

interface Part extends Piece {
  readonly denials: readonly { readonly from: number; readonly to: number }[];
  readonly isHazy: boolean;
  readonly hasVerb: boolean;
  readonly words: readonly Omit<StatedWord, 'sense'>[];
}

function wordsOf(sentence: string): readonly StatedWord[] {
  const language = languageOf(masked(sentence));
  const parts = cutAt(sentence, betweenParts).map((piece) => partOf(piece, language));
  return parts.flatMap((part, index) => {
    const beside = [parts[index - 1], parts[index + 1]].filter((other) => other !== undefined && isDenied(other));
    const leans = beside.some((other) => !part.hasVerb || other?.words.length === 0);
    return part.words.map((word) => ({ ...word, sense: senseIn(part, word.at, leans) }));
  });
}

const betweenParts =
  /(?<!\p{N})[,:]|[,:](?!\p{N})|[;，；：、()–—]|\s(?:and|or|but|nor|und|oder|aber|sondern|et|ou|mais|ni|y|o|e|u|pero|sino)(?=\s)|但是?|而是|并且|或者/gu;

function isDenied({ denials, isHazy }: Part): boolean {
  return denials.length > 0 || isHazy;
}

function senseIn({ denials, isHazy, words }: Part, at: number, leans: boolean): Sense {
  const [denial] = denials;
  if (isHazy || denials.length > 1) return 'unclear';
  if (denial === undefined) return leans ? 'unclear' : 'wanted';
  const isBehind = (words.at(-1)?.at ?? 0) > denial.to;
  return at < denial.from && isBehind ? 'aside' : 'unwanted';
}

function partOf({ piece, at }: Piece, language: Language): Part {
  const seen = masked(piece);
  const denying = [...seen.matchAll(denials)];
  const isForeign = denying.some(({ 0: word }) => /^[\p{Script=Latin}']/u.test(word) && !language.denies.test(word));
  const removals = [...seen.matchAll(removing)].map((found) => spanOf(found, at));
  const words = tokensIn(piece.replaceAll(removing, blank), at, language);
  const firsts = removals.filter(({ from }) => from < (words[0]?.at ?? Infinity));
  return {
    piece,
    at,
    denials: [...denying.map((found) => spanOf(found, at)), ...firsts],
    isHazy: isForeign || firsts.length < removals.length || hazy.test(seen),
    hasVerb: verbs.test(seen),
    words,
  };
}

function blank(text: string): string {
  return ' '.repeat(text.length);
}

function spanOf(found: RegExpExecArray, at: number): { readonly from: number; readonly to: number } {
  return { from: at + found.index, to: at + found.index + found[0].length };
}

/** Say of what they stand with that it is not to be. The French “ne” comes with another word. */
const denials =
  /(?<![\p{L}'])(?:no|not|never|without|none|neither|cannot|nothing|[a-z]+n't|dont|doesnt|mustnt|shouldnt|cant|nicht|kein\p{L}*|ohne|nie|niemals|pas|sans|jamais|aucune?|sin|nunca|ning[uú]n[ao]?|não|niet|geen|non|inte|ikke|senza)(?![\p{L}'])|不(?!仅|只|但|同)|没有?|無|无(?!论)|勿|别|ない|ません|なし|ずに/gu;

/** Wants something gone, where nothing is said before it. */
const removing =
  /(?<![\p{L}])(?:leav(?:e|es|ing) out|left out|omit(?:s|ted|ting)?|avoid(?:s|ed|ing)?|skip(?:s|ped)?|drop(?:s|ped)?|weglassen|vermeide[nt]?|évite[rz]?|omets|evita[rs]?|omite)(?![\p{L}])|去掉|删除|刪除|避免|省略/gu;

/** What can turn a sentence round in a way that no rule here reads. */
const hazy =
  /(?<![\p{L}])(?:not only|nicht nur|pas seulement|no sólo|no solo|remov\p{L}*|delet\p{L}*|cut(?:s|ting)?|stop(?:s|ped)?|forg[eo]t\p{L}*|fail(?:s|ed|ing)? to|miss(?:es|ing|ed)?|lack\p{L}*|exclud\p{L}*|ban(?:s|ned)?|forbid\p{L}*|prohibit\p{L}*|refus\p{L}*|instead|rather than|except|unless|wrong|too|fehl\p{L}*|vergess\p{L}*|entfern\p{L}*|statt|außer|oubli\p{L}*|supprim\p{L}*|enlèv\p{L}*|sauf|trop|falta\p{L}*|olvid\p{L}*|quita\p{L}*|elimin\p{L}*|salvo|excepto|demasiado)(?![\p{L}])|(?<![\p{L}])(?:un|non|anti|dis|mis)-\p{L}|不仅|不只|忘|漏|缺|削除|やめ|以外|除了/u;

const verbs =
  /(?<![\p{L}])(?:must|should|shall|(?:has|have|needs?) to|needs?|contains?|mentions?|includes?|has|adds?|puts?|keeps?|writes?|uses?|names?|says?|begins?|starts?|ends?|comes?|gives?|lists?|makes?|shows?|muss|müssen|soll\p{L}*|enth\p{L}+|erwähn\p{L}*|nenn\p{L}*|schreib\p{L}*|beginn\p{L}*|steh\p{L}*|doi(?:t|vent)|devrait|contien\p{L}*|mentionn\p{L}*|inclu\p{L}*|commenc\p{L}*|debe\p{L}*|mencion\p{L}*|empie\p{L}*)(?![\p{L}])|[≤≥]|必须|应|需|要|包含|包括|提到|含|べき|入れ|書/u;

const token =
  /[≤≥]?\p{N}+(?:[.,:/-]\p{N}+)*|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?:[\p{L}\p{M}]|(?<=\p{L})'(?=\p{L})))+/gu;

function tokensIn(piece: string, at: number, { frame, denies }: Language): Part['words'] {
  return [...piece.matchAll(token)].flatMap(({ 0: form, index }) => {
    const place = at + index;
    if (/\p{N}/u.test(form)) return [{ form: `${form} ${unitAt(piece.slice(index + form.length))}`.trim(), at: place }];
    if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(form)) return easternIn(form, place);
    const word = form.replace(/^(?:l|d|qu|s|n|j|c|m|t)'/u, '').replace(/'(?:s|ll|ve|re|d|m)$/u, '');
    return frame.has(word) || denies.test(form) ? [] : [{ form: word, at: place }];
  });
}

function easternIn(run: string, at: number): Part['words'] {
  const rest = run.replaceAll(easternFrame, blank);
  const whole = rest.replaceAll(' ', '');
  return [...rest.matchAll(/\S+/gu)].map(({ 0: form, index }) => ({ form, at: at + index, run: whole }));
}
