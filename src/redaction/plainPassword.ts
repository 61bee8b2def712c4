import { standsForSecret } from './standIn.js';

/**
 * Whether one plain word that ends what is said behind a name and a colon is a password: `password: sunshine`. Most words
 * there are said about a password (`password: required`), or are what manuals write in its place.
 */
export function isPlainPassword(word: string): boolean {
  const small = word.toLowerCase();
  return !standsForSecret(word, 'loose') && !about.has(small) && !manners.test(small);
}

/** Of participles, adjectives and names of deeds: what is done to passwords and what they are like. */
const manners =
  /(?:ed|ing|able|ible|less|ful|ly|tion|sion|ment|ness|ity|ive|ous|ical|lich|isch|ung|keit|heit|bar|igt?|siert|elt|tzt|ndet|ment[eo]?|oire|ée?|és|ción|ad[ao]|id[ao]|ória?|ção)$/;

const about = setOf(
  // In English: what fields, checks, documents and programs say.
  'required optional string number boolean unknown undefined nullable missing absent invalid incorrect correct wrong forgot forgotten forget expired hidden empty blank short longer strong stronger strength weak weaker simple complex secure insecure unsafe default plain plaintext cleartext random unique change changes rotate update create delete remove reset confirm confirmation verify repeat retype choose select submit cancel account accounts username usernames password passwords passphrase credentials secret secrets vault keychain keyring keepass bitwarden manager variable variables environment config configs configuration argument arguments parameter parameters option options settings setting field fields column columns header headers property properties object values default defaults prompt stdin terminal console file files folder server client clients system systems service services database process method methods function functions example examples sample samples placeholder however please because either neither nothing everything something anything anyone nobody somebody always another other others whatever whenever whether though through without within before after during policy policies rules length minimum maximum characters letters digits symbols numbers encode decode encrypt decrypt bcrypt scrypt argon pbkdf sha256 base64 hunter postgres postgresql mysqld mariadb oracle mongodb rabbitmq minioadmin superuser administrator public private shared none null true false yes maybe later today tomorrow',
  // In German, French, Spanish, Portuguese, Russian.
  'falsch leer fehlt pflicht pflichtfeld vergessen unbekannt notwendig sicher unsicher stark schwach ändern eingeben anzeigen zeigen setzen wählen siehe fragen bitte kennwort passwort passwörter keines keins',
  'requis requise oublié facultatif manquant incorrecte invalide modifier changer afficher masquer saisir choisir aucun vide obligatoire optionnel',
  'requerida requerido obligatoria obligatorio opcional incorrecta incorrecto inválida inválido vacía olvidé olvidaste cambiar mostrar ocultar introducir ninguna segura débil fuerte correcta',
  'obrigatória obrigatório incorreta incorreto vazia esqueci esqueceu alterar mudar digite nenhuma fraca correta',
  'обязателен обязательно обязательный неверный неверен пустой изменить сменить забыли введите скрыть показать пароль',
);

function setOf(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')));
}

/** An answer is any word that is not said of answers. */
export function isAnswer(value: string): boolean {
  const all = wordsOf(value.replaceAll(/['’]/gu, ''));
  return all.length > 0 && all.every((word) => !labels.has(word) && !joins.has(word) && isPlainPassword(word));
}

/** In quotes behind the name of a phrase: anything that is not said to a person about it. */
export function isNamedPhrase(value: string): boolean {
  const all = wordsOf(value);
  return all.length >= 2 && all.length <= mostWords && all.every((word) => !labels.has(word));
}

/** A row of plain words that makes no sentence: no label of a field, and hardly a word that joins others. */
export function isPhrase(value: string, fewest: number): boolean {
  const all = wordsOf(value);
  if (all.length < fewest || all.length > mostWords || value !== value.toLowerCase()) return false;
  const joining = all.filter((word) => joins.has(word)).length;
  return joining <= (all.length >= manyWords ? 2 : 0) && all.every((word) => !labels.has(word));
}

/** The words of a wallet, with or without their numbers. */
export function isWallet(value: string): boolean {
  return isPhrase(value.replaceAll(/[\s,\d.)]+/g, ' ').trim(), 12);
}

const mostWords = 24;
const manyWords = 12; // drawn from a list that has some of those too

/** None where one of them is no word. */
function wordsOf(value: string): readonly string[] {
  const all = value.toLowerCase().split(/[\s-]+/u);
  return all.every((word) => /^[\p{L}\p{N}]{1,20}$/u.test(word)) ? all : [];
}

/** Of messages about passwords. */
const labels = new Set(
  'enter type choose please your must should shall required optional invalid wrong incorrect forgot forgotten reset change changed confirm repeat retype show hide password passwords passphrase passphrases passwort kennwort passwörter contraseña field login sign minimum maximum least characters strong weak empty missing update updated expired placeholder example redacted secret secrets bitte eingeben falsch ungültig erforderlich saisissez entrez requis invalide introduce ingrese obligatoria inválida'.split(
    ' ',
  ),
);

/** Of sentences. */
const joins = new Set(
  'a an the is are was were be been it its this that these those there here and or but not no if when where what who which how do does did can could will would may to for of on in at by from with as into than then so you we they he she i me us my our their has have had see ask use used stored kept set der die das ein eine ist sind und oder nicht mit von zu im auf für le la les un une est sont et ou pas avec pour dans sur el los las una es son y o no con para por en'.split(
    ' ',
  ),
);
