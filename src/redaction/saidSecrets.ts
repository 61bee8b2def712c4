import { isDrawn } from './drawnValue.js';
import { isIssue, isNotation } from './notation.js';
import { caseless, type FindNames } from './names/caselessPattern.js';
import {
  about,
  briefSign,
  dash,
  gap,
  key,
  loose,
  otherPassword,
  password,
  passwordName,
  phrase,
  rarePassword,
  quoted,
  sign,
  tokenName,
  user,
  walletWords,
  weakSign,
} from './names/passwordNames.js';
import { answerGroups } from './places/answerSecrets.js';
import { shape, type NameGroup, withinField } from './places/saidGroup.js';
import { isNamedPhrase, isPhrase, isPlainPassword, isWallet } from './plainPassword.js';
import {
  classesIn,
  isChosen,
  isDrawnToken,
  isLikelyPassword,
  isLongToken,
  isPassword,
  isSpokenPassword,
  looksRandom,
} from './plausibleValue.js';
import { findShapeAtStart } from './secretShape.js';
import type { Search, SecretShape, Span } from './span.js';
import { standsForSecret } from './standIn.js';

/**
 * Secrets as people tell them in a chat: “my password for the shop is …”, `pwd "…"`, `secret -> …`, 密码是…, a phrase of
 * several words. The value must look like one all the same: “the password for the shop is required” tells none.
 */
export function* findSaidSecrets(text: string, findNames: FindNames): Search {
  const said: Span[] = [];
  let looked = 0;
  for (const { name, shapes, after = [] } of groups) {
    for (const { index, 0: word } of findNames(name)) {
      const from = index + word.length;
      const behind = withinField(text.slice(from, from + longest));
      const before = text.slice(Math.max(0, index - farthest), index);
      const fitting = after.filter(({ fits }) => fits(before)).map((each) => each.shape);
      for (const each of [...shapes, ...fitting])
        for (const { start, end, kind } of findShapeAtStart(behind, each))
          said.push({ start: from + start, end: from + end, kind });
      if ((looked += 1) % few === 0) yield;
    }
    yield;
  }
  return said;
}

const few = 64; // names a piece
const farthest = 40; // characters before a name
const longest = 700; // characters from the end of a name to the end of what it may be the name of

/** Between a name and its value in HTML: at least one tag or hard space. */
const markup = `["'\`*_]{0,3}${gap}{0,3}[:=]?(?:\\s{0,4}(?:&nbsp;|&#160;|</?[a-z][a-z0-9]{0,9}(?:${gap}[^<>\\n]{0,80})?>)){1,6}\\s{0,4}`;
/** The name of an account with what joins a password to it: `bob / `, `bob `, `bob:`. */
const account = `["'\`]?[\\w.@+-]{2,60}["'\`]?(?:${gap}{0,2}[/:|,]${gap}{0,2}|${gap}{1,3}(?:(?:with|and|mit|und|avec|et|con|y)${gap}{1,3})?)`;
const login =
  '\\b(?:credentials?|creds|log[ -]?in|logon|sign[ -]?in|zugangsdaten|anmeldedaten|identifiants|credenciales)';
const words = `(?<secret>\\p{L}{2,12}(?:[ -]\\p{L}{2,12}){3,23})(?=[.!。]?${gap}{0,3}(?:$|["'\\n]))`;

/** What is told of it before its value: “the key that we bought last year is …”. */
const meanwhile = `${gap}{1,3}[^:=\\n.!?。：]{1,60}?`;
/** Which of several it is, in languages that say so behind the name. */
const newer = `${gap}{1,3}(?:nuev[ao]|nov[ao]|nuov[ao]|vieja|antigua|velha|actual|atual|attuale|temporal|provisoire|actuel)`;
/** Between name and value in languages whose word for “is” means something else in others; no word of place. */
const joiningWord =
  '(?!(?:pro|do|na|ve?|ke?|u|s|z|w|i|a|o|dla|per|di|del|della|su|pe|pentru|ile|için|til|på|av|og|untuk|dan|de|en|para)(?!\\p{L}))\\p{L}{1,7}:?';

/** A question for it with its answer behind it: “My password for the shop? …”, “Q: password? A: …”. */
const asked = `\\?["']?\\s{1,4}(?:(?:a|answer|antwort|r)[:.]\\s{1,3})?`;

const colon = `["'\`*_]{0,3}${gap}{0,3}[:：][*_]{0,3}${gap}{0,6}[*_]{0,3}`;
/** A word with nothing of a sentence behind it: the end, an empty line, or a line that begins something else. */
const plainWord = '(?<secret>[\\p{Script=Latin}\\p{Script=Cyrillic}]{6,24})';
const lastWord = `${plainWord}(?=[*_]{0,3}[.!。]?[*_]{0,3}${gap}{0,3}(?:(?![^])|です|\\r?\\n${gap}{0,20}(?:(?![^])|\\r?\\n|[-*•#>|]|["']?[\\w.-]{1,40}["']?${gap}{0,3}[:=])))`;
/** The same where a line begins with the name: then it may say no more, and whatever follows is told of something else. */
const lastOfLine = `${plainWord}(?=[*_]{0,3}[.!。]?[*_]{0,3}${gap}{0,3}\\r?\\n)`;
const lineStart = /(?:^|\n)[ \t>*•#-]{0,8}["'`*_]{0,3}(?:[\p{L}-]{1,20} )?$/u; // shorter than what is looked at before a name
/** Before the name on buttons and in lists: no password follows. */
const menu =
  /(?<!\p{L})(?:forgot(?:ten)?|reset|change|update|show|hide|enter|choose|wrong|invalid|missing|no|without|by|via|type|and|or|und|oder|et|ou|y|o)\s{1,3}$/iu;
/** Whose password it is: then what it is said to be is it, unless it is said of it. */
const owner =
  /(?:(?<!\p{L})(?:my|our|meine?|unsere?|mon|notre|mi|nuestra|minha|nossa|мой|наш)\s{1,3}|我的|我们的|私の|내\s?)(?:[a-z-]{2,20}\s{1,2})?$/iu;
/** Which of several it is: then what follows is it, without a sign between them. */
const which =
  /(?<!\p{L})(?:old|new|current|previous|temp(?:orary)?|initial|alte[sn]?|neue[sn]?|ancien|nouveau|vieja|nueva|velha|nova|vecchia|nuova|старый|новый|旧|新)\s{0,3}$/iu;
const longestWhich = 14; // characters, with what stands behind it
/** Whose `pass` it is: a compiler has others. */
const passOwner =
  /(?<!\p{L})(?:my|our|your|his|her|root|admin|wi-?fi|db|database|ssh|sudo|login|mail|e-mail|ftp|vpn|user|router|server)\s{1,3}(?:[a-z-]{2,20}\s{1,2})?$/iu;
const being = `(?:${gap}{1,3}(?:is|ist|lautet|est|es|é|это)${gap}{1,3}|${gap}{0,3}(?:[是为為]|は|는)${gap}{0,3})[*_]{0,3}`;

const toldTokens: readonly SecretShape[] = [sign, markup].map((joint) =>
  shape('token', `${about}${joint}${loose}`, (value) => looksRandom(value, 'loose')),
);

/** Names are looked for, and shapes only behind one: most texts have none. */
const groups: readonly NameGroup[] = [
  {
    name: passwordName,
    shapes: [
      shape('password', `${about}${sign}${quoted}`, (value) => isPassword(value, 'quoted') || isPhrase(value, 3)),
      shape('password', `${about}${sign}${loose}`, (value) => isPassword(value, 'loose')),
      shape('password', `${about}${sign}<${loose}(?=>)`, isDrawn),
      shape('password', `${about}${weakSign}${loose}`, isChosen),
      shape('password', `${gap}{1,3}${quoted}`, (value) => isPassword(value, 'loose')),
      shape('password', `${briefSign}${quoted}`, (value) => isPassword(value, 'loose')),
      shape('password', `${briefSign}${loose}`, isChosen),
      shape('password', `${gap}{1,3}${loose}`, isSpokenPassword),
      shape('password', `${about}${dash}${loose}`, isLikelyPassword),
      shape('password', `${markup}${loose}`, isChosen),
      shape('password', `${meanwhile}${sign}${loose}`, isSpokenPassword),
      shape('password', `${newer}${sign}${loose}`, (value) => isPassword(value, 'loose')),
      shape('password', `${about}${asked}${loose}`, isSpokenPassword),
    ],
    after: [
      {
        fits: (before) => which.test(before.slice(-longestWhich)),
        shape: shape('password', `${gap}{1,3}${loose}`, isLikelyPassword),
      },
      {
        fits: (before) => !menu.test(before),
        shape: shape('password', `${about}${colon}${lastWord}`, isPlainPassword),
      },
      {
        fits: (before) => !menu.test(before) && (lineStart.test(before) || owner.test(before)),
        shape: shape('password', `${about}${colon}${lastOfLine}`, isPlainPassword),
      },
      {
        fits: (before) => owner.test(before),
        shape: shape('password', `${about}${being}${lastWord}`, isPlainPassword),
      },
    ],
  },
  {
    name: new RegExp(login, 'gi'),
    shapes: [
      shape(
        'login',
        `(?:${gap}{1,3}(?:with|as|using|is|are|for|mit|als|avec|con)){0,2}${gap}{0,3}(?:(?:[:=]|->|→)${gap}{0,3}|(?=${gap}))${gap}{0,3}${account}${loose}`,
        isMixed,
      ),
      shape('login', `${gap}{0,3}[:=]${gap}{0,3}[\\w.@+-]{2,60}${gap}{0,2}[/:|]${gap}{0,2}${loose}`, isDrawn),
      shape(
        'login',
        `${gap}{0,3}[:=]${gap}{0,3}[\\w.@+-]{2,60}${gap}{0,2}[,;]${gap}{1,3}${loose}`,
        (value) => isSpokenPassword(value) && !isDated(value),
      ),
      shape('login', `${about}${sign}[\\w.@+-]{2,60}${gap}{0,2}[/:|]${gap}{0,2}${loose}`, isSpokenPassword),
    ],
  },
  {
    name: new RegExp(user, 'gi'),
    shapes: [
      shape(
        'login',
        `${gap}{0,3}[:=]?${gap}{0,3}${account}(?:pass|${password})${gap}{0,3}[:=]?${gap}{0,3}${loose}`,
        isLikelyPassword,
      ),
      shape(
        'login',
        `${gap}{1,3}[\\w.@+-]{2,60}${gap}{1,3}(?:and|with|und|mit|et|avec|y|con)${gap}{1,3}${loose}`,
        isSpokenPassword,
      ),
      shape('login', `${gap}{0,3}[:=]${gap}{0,3}[\\w.@+-]{2,60}${gap}{0,2}[,;/|]${gap}{0,3}${loose}`, isSpokenPassword),
    ],
  },
  {
    // Languages that write no spaces.
    name: /密[码碼]|口令|パスワード|비밀번호|비번/gu,
    shapes: [shape('password', `${gap}{0,3}${loose}`, isLikelyPassword)],
  },
  {
    // Short for the word above, and a path.
    name: /パス(?!ワード|フレーズ|コード|ポート)/gu,
    shapes: [shape('password', `${gap}{0,3}(?:は|が|[:：=])${gap}{0,3}[「『]?${loose}`, isNoPath)],
  },
  {
    name: caseless(otherPassword),
    shapes: [
      shape('password', `${about}${sign}${quoted}`, (value) => isPassword(value, 'quoted')),
      shape('password', `${about}${sign}${loose}`, (value) => isPassword(value, 'loose') && !isIssue(value)),
      shape('password', `${about}${gap}{1,3}${joiningWord}${gap}{1,3}${loose}`, isLikelyPassword),
      shape('password', `${gap}{1,3}${loose}`, isSpokenPassword),
    ],
  },
  {
    name: caseless(rarePassword),
    shapes: [
      shape('password', `${about}${sign}${quoted}`, (value) => isPassword(value, 'quoted') && !isIssue(value)),
      shape(
        'password',
        `${sign}${loose}`,
        (value) => isPassword(value, 'loose') && !isIssue(value) && !isColumn(value),
      ),
      shape('password', `${about}${sign}${loose}`, isLikelyPassword),
      shape('password', `${gap}{1,3}${loose}`, isSpokenPassword),
    ],
  },
  {
    name: /\bpass(?=[ \t:=(])/gi,
    shapes: [shape('password', `${gap}{1,3}${loose}`, isMixed)],
    after: [
      {
        fits: (before) => passOwner.test(before),
        shape: shape('password', `${about}(?:${sign}|${dash})${loose}`, isLikelyPassword),
      },
      {
        fits: (before) => passOwner.test(before) || which.test(before.slice(-longestWhich)),
        shape: shape('password', `${gap}{1,3}${loose}`, isSpokenPassword),
      },
    ],
  },
  ...answerGroups,
  {
    name: new RegExp(phrase, 'gi'),
    shapes: [
      shape('passphrase', `${about}${sign}${quoted}`, (value) => isPassword(value, 'quoted') || isNamedPhrase(value)),
      shape('passphrase', `${gap}{1,3}${quoted}`, (value) => isPassword(value, 'loose') || isPhrase(value, 3)),
      shape('passphrase', `${about}${sign}${words}`, (value) => isPhrase(value, 4)),
      shape('passphrase', `${about}${sign}${loose}`, (value) => isPassword(value, 'loose')),
    ],
  },
  {
    // As many as a wallet has, or nearly: much else is said of words, and of seeds.
    name: /\b(?:seed|recovery|wallet|backup|mnemonic)(?:[ -](?:phrase|words?|seed|mnemonic)){0,2}\b/gi,
    shapes: [
      shape('passphrase', `${about}${sign}${words}`, (value) => isPhrase(value, 11)),
      shape('passphrase', `${about}(?:${sign}|${gap}{1,3})["'\`]?${walletWords}`, isWallet),
    ],
  },
  {
    name: /\b(?:recovery|backup|unlock)[ -]codes?/gi,
    shapes: [shape('code', `${about}(?:${sign}|${gap}{1,3})${loose}`, isDrawn)],
  },
  { name: /\bsecret/gi, shapes: [shape('secret', `${about}${sign}${loose}`, isChosenSecret)] },
  {
    // `client_secret …`, `API_KEY …`: names of programs, with nothing but a space behind them
    name: /(?<=[a-z\d][_-]|[a-z\d](?=[ST]))(?:secret|token)(?=[ \t|])|api_?key(?=[ \t|])|access_key(?=[ \t|])/gi,
    shapes: [shape('token', `["'\`*]{0,3}${gap}{1,4}(?:\\|${gap}{1,4})?["'\`*]{0,3}${loose}`, isDrawnToken)],
  },
  {
    name: caseless(key),
    shapes: [...toldTokens, shape('token', `${meanwhile}${sign}${loose}`, isDrawnToken)],
  },
  {
    // Much is said of tokens that are parts of a text.
    name: tokenName,
    shapes: [...toldTokens, shape('token', `${meanwhile}${sign}${loose}`, isLongToken)],
  },
];

/** `PhD2023`: a short word and a year. */
function isDated(value: string): boolean {
  return /^[A-Z][A-Za-z]{0,5}(?:19|20)\d\d$/.test(value);
}

function isNoPath(value: string): boolean {
  return isSpokenPassword(value) && !/[\\/.]/.test(value);
}

/** `created_at2`. */
function isColumn(value: string): boolean {
  return /^[\p{L}_]+\d?$/u.test(value);
}

const fewestChosen = 8;

/** Where nothing but its place tells it: drawn, with every class of characters and none of code. */
function isMixed(value: string): boolean {
  return isChosen(value) && classesIn(value) === 4 && value.length >= fewestChosen && /^[\w!@#%^&*?+.~-]+$/.test(value);
}

/** “Secret” is the name of much that is none: a store of them, a chapter, a garden. */
function isChosenSecret(value: string): boolean {
  if (standsForSecret(value, 'loose') || isNotation(value)) return false;
  return looksRandom(value, 'loose') || (value.length >= fewestChosen && classesIn(value) >= 3);
}
