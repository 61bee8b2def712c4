import { findShape } from './secretShape.js';
import type { Search, SecretShape, Span } from './span.js';

/**
 * Secrets that are numbers, or look like rows of letters drawn for a phone: PINs and codes that are told as such, the seeds
 * of one-time passwords, and card numbers, whose last digit proves the others.
 */
export function* findNumberSecrets(text: string): Search {
  const found: Span[] = [];
  for (const { hint, shapes } of groups) {
    if (hint.test(text)) for (const shape of shapes) found.push(...findShape(text, shape));
    yield;
  }
  return found;
}

const gap = '[ \\t\\u00a0]';
const said = `(?:${gap}{0,3}[:=]|${gap}{1,3}(?:is|was|ist|lautet|est|es|é)(?:${gap}{1,3}now)?${gap}{0,2}:?(?=${gap}))`;
const about = `(?:${gap}{1,3}(?:for|of|to|on|at|in|für|von|vom|zum|zur|im|pour|de|du|del|para|en)(?=${gap})[^:=\\n.!?\\d]{1,40}?)?`;
const code = '(?<secret>\\d{4,8})(?![\\d\\p{L}_]|[.,:/-]\\d)';

const kinds =
  '(?:2fa|mfa|totp|sms|one-time|verification|confirmation|login|security|authenticat(?:ion|or)|alarm|door|gate|safe|access|unlock|einmal|bestätigungs|sicherheits|alarm|tür)';

const pinShapes: readonly SecretShape[] = [
  {
    kind: 'pin',
    pattern: new RegExp(
      `\\b(?:PIN|PUK|[Pp]in[ -]?[Cc]ode)(?:[ -](?:[Cc]ode|number|Nummer))?${about}(?:${said}${gap}{0,3}|${gap}{1,3})["'\`*]{0,3}${code}`,
      'dgu',
    ),
    accept: isChosenCode,
  },
  {
    kind: 'pin',
    pattern: new RegExp(`\\b[Pp]in${about}${gap}{1,3}(?:is|ist)${gap}{1,3}["'\`*]{0,3}${code}`, 'dgu'),
    accept: isChosenCode,
  },
  {
    kind: 'pin',
    pattern: new RegExp(
      `\\b(?:[Pp]asscode|(?:[Mm]y|[Oo]ur|[Mm]eine?)${gap}{1,3}[Pp]in)${about}${said}${gap}{0,3}["'\`*]{0,3}${code}`,
      'dgu',
    ),
    accept: isChosenCode,
  },
  {
    kind: 'one-time-code',
    pattern: new RegExp(
      `\\b(?:OTP|(?:2FA|MFA|TOTP|SMS|one-time|verification|login|security|Einmal)[ -]?code)${about}${said}${gap}{0,3}["'\`*]{0,3}${code}`,
      'dgu',
    ),
    accept: isChosenCode,
  },
  {
    // of what opens with one
    kind: 'access-code',
    pattern: new RegExp(
      `\\b(?:alarm|door|gate|garage|safe|locker|lock[ -]?box|key[ -]?box|keypad|voicemail|access|unlock|entry|tür|tor|tresor|zugangs|schließfach)[ -]?code${about}${said}${gap}{0,3}["'\`*]{0,3}${code}`,
      'dgiu',
    ),
    accept: isChosenCode,
  },
  {
    // 847261, that is my verification code
    kind: 'one-time-code',
    pattern: new RegExp(
      `(?<![\\w.,:/#-])${code}["'\`*]{0,3}(?:${gap}{0,2}[,(–—-])?${gap}{1,3}(?:(?:that|this|which|it|das)(?:['’]s|${gap}(?:is|was|ist|war))|is|was|ist|war|as)${gap}(?:my|the|our|your|mein|der|unser)${gap}(?:${kinds}[ -]?code|otp|pin)(?!${gap}?\\p{L})`,
      'dgiu',
    ),
    accept: isChosenCode,
  },
  {
    kind: 'card-code',
    pattern: new RegExp(`\\b(?:CVV2?|CVC2?)${said}?${gap}{0,3}(?<secret>\\d{3,4})(?![\\d\\p{L}_]|[.,:/-]\\d)`, 'dgu'),
    accept: (value) => !/^(?:123|000)/.test(value),
  },
];

/** Every manual has these. */
function isChosenCode(value: string): boolean {
  return !/^(\d)\1+$/.test(value) && !'01234567890'.includes(value) && !'9876543210'.includes(value);
}

const seed = '(?<secret>[A-Za-z2-7]{4}(?:[ -]?[A-Za-z2-7]{4}){2,15}(?:[ -]?[A-Za-z2-7]{1,7})?={0,6})(?![\\w-])';

const seedShapes: readonly SecretShape[] = [
  {
    kind: 'totp-seed',
    pattern: /otpauth:\/\/[^\s"'`<>]{0,300}?[?&](?:amp;)?secret=(?<secret>[A-Za-z0-9%=-]{8,200})/dgi,
  },
  {
    kind: 'totp-seed',
    pattern: /otpauth-migration:\/\/[^\s"'`<>?]{0,60}\?data=(?<secret>[A-Za-z0-9%+/=_-]{16,4000})/dgi,
  },
  {
    kind: 'totp-seed',
    pattern: new RegExp(
      `\\b(?:TOTP|totp|HOTP|OTP|2FA|MFA|[Aa]uthenticator)(?:[ -](?:app )?(?:[Ss]ecret|[Ss]eed|[Ss]etup key|[Kk]ey)(?: [Kk]ey)?${about}(?:${said}${gap}{0,3}|${gap}{1,3})|${said}${gap}{0,3})["'\`*]{0,3}${seed}`,
      'dgu',
    ),
    accept: isSeed,
  },
  {
    kind: 'totp-seed',
    pattern: new RegExp(
      `(?<![\\w-])(?<secret>[A-Z2-7]{16,128}={0,6}|[a-z2-7]{16,128}|[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3,15})["'\`*]{0,3}${gap}{1,3}(?:in(?:to)?|to|as|als|for|für|dans|en)${gap}[^\\n.!?]{0,30}?(?:[Aa]uthenticator|2FA|MFA|TOTP|OTP)`,
      'dgu',
    ),
    accept: (value) => isSeed(value) && /[2-7]/.test(value),
  },
];

/** Drawn from 32 letters: in capitals, or in small letters with digits among them, which words do not have. */
function isSeed(value: string): boolean {
  const letters = value.replaceAll(/[ =-]/g, '');
  if (letters.length < 12) return false;
  return /^[A-Z2-7]+$/.test(letters)
    ? /[2-7]/.test(letters) || !/[ -]/.test(value)
    : /^[a-z2-7]*[2-7][a-z2-7]*$/.test(letters);
}

/** In groups as they are embossed, or in a row where a known issuer's number begins and ends so. */
const cardShapes: readonly SecretShape[] = [
  {
    kind: 'card-number',
    pattern: /(?<![\w.,:/+-]|\d[ -])\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}(?![\w/-]|[ .,:]\d)/g,
    accept: isCard,
  },
  {
    kind: 'card-number',
    pattern: /(?<![\w.,:/+-]|\d[ -])3[0-8]\d{2}([ -])\d{6}\1\d{4,5}(?![\w/-]|[ .,:]\d)/g,
    accept: isCard,
  },
  {
    kind: 'card-number',
    pattern:
      /(?<![\w.,:/+#-]|\d[ -])(?:4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35[2-8]\d{13}|62\d{14})(?![\w/-]|[ .,:]\d)/g,
    accept: isCard,
  },
];

function isCard(value: string): boolean {
  const digits = value.replaceAll(/[ -]/g, '');
  if (digits.length < 13 || digits.length > 19 || !/^(?:[2-6]|3[0-8])/.test(digits) || /^(\d)\1+$/.test(digits))
    return false;
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, place) => {
      const worth = Number(digit) * (place % 2 === 0 ? 1 : 2);
      return total + (worth > 9 ? worth - 9 : worth);
    }, 0);
  return sum % 10 === 0;
}

/** Shapes that all need one of a few words or forms: where none stands in the text, nothing is looked for. */
const groups: readonly { readonly hint: RegExp; readonly shapes: readonly SecretShape[] }[] = [
  { hint: /\b[Pp][Ii][Nn]|\bPUK|\bOTP|[ -]?code|\bCV[VC]/, shapes: pinShapes },
  { hint: /otpauth|OTP|2FA|MFA|uthenticator/i, shapes: seedShapes },
  { hint: /\d{4}[ -]\d{4,6}[ -]\d{4}|[2-6]\d{14}/, shapes: cardShapes },
];
