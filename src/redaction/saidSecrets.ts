import { isDrawn } from './drawnValue.js';
import { isPlainPassword } from './plainPassword.js';
import { classesIn, isNotation, isPassword, looksRandom } from './plausibleValue.js';
import { findShape } from './secretShape.js';
import type { Search, SecretShape, Span } from './span.js';
import { standsForSecret } from './standIn.js';

/**
 * Secrets as people tell them in a chat: “my password for the shop is …”, `pwd "…"`, `secret -> …`, 密码是…, a phrase of
 * several words. The value must look like one all the same: “the password for the shop is required” tells none.
 */
export function* findSaidSecrets(text: string): Search {
  const said: Span[] = [];
  let looked = 0;
  for (const { name, shapes, after = [] } of groups) {
    for (const { index } of text.matchAll(name)) {
      const behind = text.slice(index, index + longest);
      const before = text.slice(Math.max(0, index - farthest), index);
      const fitting = after.filter(({ fits }) => fits(before)).map((each) => each.shape);
      for (const each of [...shapes, ...fitting])
        for (const { start, end, kind } of findShape(behind, each))
          said.push({ start: index + start, end: index + end, kind });
      if ((looked += 1) % few === 0) yield;
    }
    yield;
  }
  return said;
}

const few = 64; // names a piece
const farthest = 40; // characters before a name
const longest = 700; // characters from the beginning of a name to the end of what it may be the name of

const password =
  '(?:pass(?:word|wd|code|wort)s?|\\bpwd?|\\bp/w|\\bmdp|kennw(?:ort|örter)|zugangscode|contrase[ñn]as?|mi clave|clave (?:de acceso|secreta)|mots? de passe|senhas?|wachtwoord|密[码碼]|口令|パスワード|暗証番号|비밀번호|암호|парол[ья])';
const phrase =
  '(?:pass[ -]?phrases?|(?:seed|recovery|backup|secret)[ -]phrase|\\bmnemonic(?: phrase)?|phrase (?:secrète|de passe)|frase (?:secreta|de paso)|助[记記][词詞]|パスフレーズ|合い?言葉)';
const token = '(?:\\btoken|\\b(?:api|access|secret)[ -]key|密[钥鑰]|令牌)';

const gap = '[ \\t\\u00a0\\u202f\\u3000]';
/** What it is the password of. */
const about = `(?:${gap}{1,3}(?:for|of|to|on|at|in|from|für|fürs|von|vom|zum|zur|der|beim|pour|de|du|des|del|para|do|da|от|для)(?=${gap})(?:[^:=\\n.!?。：]|\\.(?=[^\\s.])){1,60}?|${gap}?[(（[][^)\\]）\\n]{1,40}[)\\]）])?`;
const sign = `["'\`*_]{0,3}(?:${gap}{0,3}(?:[:：=]|:=|=>|-{1,2}>|→|⇒)|${gap}{1,3}(?:is|are|reads|ist|lautet|hei(?:ß|ss)t|est|es|é|это)(?:${gap}{1,3}(?:now|still|jetzt|nun|maintenant|ahora|agora))?${gap}{0,2}[:：]?(?=${gap})|${gap}{0,3}(?:就?[是叫]|[为為]|設[為成]|设置?[为成]|改[为為成]了?|换成了?|は|が|는|은|를)[:：]?)[*_]{0,3}${gap}{0,6}[*_]{0,3}`;
/** These join a password to its name, and much else too. */
const weakSign = `${gap}{1,3}(?:was|to|war|auf|à|en|a|para)${gap}{1,3}`;

/** “the password’s …”, which much else follows too. */
const briefSign = `['’]s${gap}{1,3}`;
/** Between a name and its value in HTML: at least one tag or hard space. */
const markup = `["'\`*_]{0,3}${gap}{0,3}[:=]?(?:\\s{0,4}(?:&nbsp;|&#160;|</?[a-z][a-z0-9]{0,9}(?:${gap}[^<>\\n]{0,80})?>)){1,6}\\s{0,4}`;
/** The name of an account with what joins a password to it: `bob / `, `bob `, `bob:`. */
const account = `["'\`]?[\\w.@+-]{2,60}["'\`]?(?:${gap}{0,2}[/:|,]${gap}{0,2}|${gap}{1,3}(?:(?:with|and|mit|und|avec|et|con|y)${gap}{1,3})?)`;
const login =
  '\\b(?:credentials?|creds|log[ -]?in|logon|sign[ -]?in|zugangsdaten|anmeldedaten|identifiants|credenciales)';
const user = '\\b(?:user(?:name|[ -]id)?|usr|login|benutzer(?:name)?|usuario|utilisateur)';

const quoted =
  '(?:(?<quote>["\'`])(?<secret>[^"\'`\\n]{4,200})\\k<quote>|[“„«「『](?<bare>[^”“»」』\\n]{4,200})[”“»」』])';
const loose =
  '(?!\\*)(?<secret>(?:[^\\s"\'`<>,;&“”„«»\\u3000-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7af\\uff00-\\uffef]|&(?!#?\\w{1,30}[=;])){5,199}[^\\s"\'`<>,;&“”„«».)\\]}|*:\\u3000-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7af\\uff00-\\uffef])';

const words = `(?<secret>\\p{L}{2,12}(?:[ -]\\p{L}{2,12}){3,23})(?=[.!。]?${gap}{0,3}(?:$|["'\\n]))`;

const colon = `["'\`*_]{0,3}${gap}{0,3}[:：][*_]{0,3}${gap}{0,6}[*_]{0,3}`;
/** A word with nothing of a sentence behind it: the end, an empty line, or a line that begins something else. */
const lastWord = `(?<secret>[\\p{Script=Latin}\\p{Script=Cyrillic}]{6,24})(?=[*_]{0,3}[.!。]?[*_]{0,3}${gap}{0,3}(?:(?![^])|です|\\r?\\n${gap}{0,20}(?:(?![^])|\\r?\\n|[-*•#>|]|["']?[\\w.-]{1,40}["']?${gap}{0,3}[:=])))`;
/** Before the name on buttons and in lists: no password follows. */
const menu =
  /(?<!\p{L})(?:forgot(?:ten)?|reset|change|update|show|hide|enter|choose|wrong|invalid|missing|no|without|by|via|type|and|or|und|oder|et|ou|y|o)\s{1,3}$/iu;
/** Whose password it is: then what it is said to be is it, unless it is said of it. */
const owner =
  /(?:(?<!\p{L})(?:my|our|meine?|unsere?|mon|notre|mi|nuestra|minha|nossa|мой|наш)\s{1,3}|我的|我们的|私の|내\s?)(?:[a-z-]{2,20}\s{1,2})?$/iu;
const being = `(?:${gap}{1,3}(?:is|ist|lautet|est|es|é|это)${gap}{1,3}|${gap}{0,3}(?:[是为為]|は|는)${gap}{0,3})[*_]{0,3}`;

interface NameGroup {
  readonly name: RegExp;
  readonly shapes: readonly SecretShape[];
  /** Shapes that are looked for only where what stands before the name fits. */
  readonly after?: readonly { readonly fits: (before: string) => boolean; readonly shape: SecretShape }[];
}

/** Names are looked for, and shapes only where one stands: most texts have none. */
const groups: readonly NameGroup[] = [
  {
    name: new RegExp(password, 'gi'),
    shapes: [
      shape(
        'password',
        `${password}${about}${sign}${quoted}`,
        (value) => isPassword(value, 'quoted') || isPhrase(value, 3),
      ),
      shape('password', `${password}${about}${sign}${loose}`, (value) => isPassword(value, 'loose')),
      shape('password', `${password}${about}${sign}<${loose}(?=>)`, isDrawn),
      shape('password', `${password}${about}${weakSign}${loose}`, isChosen),
      shape('password', `${password}${gap}{1,3}${quoted}`, (value) => isPassword(value, 'loose')),
      shape('password', `${password}${briefSign}${quoted}`, (value) => isPassword(value, 'loose')),
      shape('password', `${password}${briefSign}${loose}`, isChosen),
      shape('password', `${password}${gap}{1,3}${loose}`, isMixed),
      shape('password', `${password}${markup}${loose}`, isChosen),
    ],
    after: [
      {
        fits: (before) => !menu.test(before),
        shape: shape('password', `${password}${about}${colon}${lastWord}`, isPlainPassword),
      },
      {
        fits: (before) => owner.test(before),
        shape: shape('password', `${password}${about}${being}${lastWord}`, isPlainPassword),
      },
    ],
  },
  {
    name: new RegExp(login, 'gi'),
    shapes: [
      shape(
        'login',
        `${login}(?:${gap}{1,3}(?:with|as|using|is|are|for|mit|als|avec|con)){0,2}${gap}{0,3}(?:(?:[:=]|->|→)${gap}{0,3}|(?=${gap}))${gap}{0,3}${account}${loose}`,
        isMixed,
      ),
      shape('login', `${login}${gap}{0,3}[:=]${gap}{0,3}[\\w.@+-]{2,60}${gap}{0,2}[/:|]${gap}{0,2}${loose}`, isDrawn),
    ],
  },
  {
    name: new RegExp(user, 'gi'),
    shapes: [
      shape('login', `${user}${gap}{0,3}[:=]?${gap}{0,3}${account}pass${gap}{0,3}[:=]?${gap}{0,3}${loose}`, isChosen),
    ],
  },
  { name: /\bpass(?=[ \t])/gi, shapes: [shape('password', `\\bpass${gap}{1,3}${loose}`, isMixed)] },
  {
    name: new RegExp(phrase, 'gi'),
    shapes: [
      shape(
        'passphrase',
        `${phrase}${about}${sign}${quoted}`,
        (value) => isPassword(value, 'quoted') || isNamedPhrase(value),
      ),
      shape('passphrase', `${phrase}${gap}{1,3}${quoted}`, (value) => isPassword(value, 'loose') || isPhrase(value, 3)),
      shape('passphrase', `${phrase}${about}${sign}${words}`, (value) => isPhrase(value, 4)),
      shape('passphrase', `${phrase}${about}${sign}${loose}`, (value) => isPassword(value, 'loose')),
    ],
  },
  {
    name: /\b(?:recovery|backup|unlock)[ -]codes?/gi,
    shapes: [shape('code', `\\b(?:recovery|backup|unlock)[ -]codes?${about}(?:${sign}|${gap}{1,3})${loose}`, isDrawn)],
  },
  { name: /\bsecret/gi, shapes: [shape('secret', `\\bsecret${about}${sign}${loose}`, isChosenSecret)] },
  {
    name: new RegExp(token, 'gi'),
    shapes: [sign, markup].map((joint) =>
      shape('token', `${token}${about}${joint}${loose}`, (value) => looksRandom(value, 'loose')),
    ),
  },
];

function shape(kind: string, pattern: string, accept: (value: string) => boolean): SecretShape {
  return { kind: `said-${kind}`, pattern: new RegExp(pattern, 'dgimuy'), accept };
}

const fewestChosen = 8;

/** As people choose passwords when they are told to mix, or as machines draw them. */
function isChosen(value: string): boolean {
  if (standsForSecret(value, 'loose') || isNotation(value)) return false;
  return isDrawn(value) || (value.length >= fewestChosen && classesIn(value) === 4);
}

/** Where nothing but its place tells it: drawn, with every class of characters and none of code. */
function isMixed(value: string): boolean {
  return isChosen(value) && classesIn(value) === 4 && value.length >= fewestChosen && /^[\w!@#%^&*?+.~-]+$/.test(value);
}

/** “Secret” is the name of much that is none: a store of them, a chapter, a garden. */
function isChosenSecret(value: string): boolean {
  if (standsForSecret(value, 'loose') || isNotation(value)) return false;
  return looksRandom(value, 'loose') || (value.length >= fewestChosen && classesIn(value) >= 3);
}

/** In quotes behind the name of a phrase: anything that is not said to a person about it. */
function isNamedPhrase(value: string): boolean {
  const all = wordsOf(value);
  return all.length >= 2 && all.length <= mostWords && all.every((word) => !labels.has(word));
}

/** A row of plain words that makes no sentence: no label of a field, and hardly a word that joins others. */
function isPhrase(value: string, fewest: number): boolean {
  const all = wordsOf(value);
  if (all.length < fewest || all.length > mostWords || value !== value.toLowerCase()) return false;
  const joining = all.filter((word) => joins.has(word)).length;
  return joining <= (all.length >= manyWords ? 2 : 0) && all.every((word) => !labels.has(word));
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
