import { classesIn, isUnmistakable } from '../plausibleValue.js';
import type { SecretShape } from '../span.js';

/** Where none of these stands in a text, no key is looked for. */
export const keyHint = /activat|aktivier|licen[cs]|lizenz|[ -]key|\bHMAC|secret/i;

const group = '[A-Z\\d]{4,6}';
/** As it is printed on a box: groups of one length, of capitals and digits. */
const printed = `(?<![\\w-])(?<secret>${group}(?:-${group}){2,7})(?![\\w-])`;
const licensed = '(?:activat|aktivier|licen[cs]|lizenz|(?:steam|game|cd|serial|product)[ -]key)';
const hex = '(?<![\\w-])["\'`]?(?<secret>[\\da-f]{16,128})(?![\\w-])';

/** Keys that are told as such and look like the number of something, or like a hash. */
export const keyShapes: readonly SecretShape[] = [
  {
    kind: 'product-key',
    pattern: new RegExp(`${licensed}[^\\n.!?;]{0,60}?${printed}`, 'dgi'),
    accept: isPrintedKey,
  },
  {
    kind: 'product-key',
    pattern: new RegExp(`${printed}(?=[^\\n.!?;]{0,40}?${licensed})`, 'dgi'),
    accept: isPrintedKey,
  },
  {
    kind: 'product-key',
    pattern: new RegExp(
      `${licensed}[^\\n.!?;]{0,60}?(?<![\\w.-])(?<secret>(?=[a-z]{0,40}\\d)[a-z\\d]{8,64})(?![\\w-])`,
      'dgi',
    ),
    accept: (value) => isUnmistakable(value) && classesIn(value) === 3,
  },
  {
    // What is signed has a hash too: only what it is signed with is a secret.
    kind: 'signing-secret',
    pattern: new RegExp(
      `\\bHMACs?\\b[^\\n.!?]{0,60}?[ \\t](?:with|using|by|from|mit|avec|con)[ \\t]{1,3}(?:(?:the|our|my)[ \\t])?(?:(?:key|secret)[ \\t:]{1,3})?${hex}`,
      'dgi',
    ),
    accept: isHex,
  },
  {
    kind: 'signing-secret',
    pattern: new RegExp(
      `\\b(?:signing|webhook|shared|client|app)[ _-]secret\\b[^\\n.!?]{0,80}?(?:[,:=(–—]|[ \\t](?:is|was|hex|to|ist|lautet))[ \\t]{0,3}${hex}`,
      'dgi',
    ),
    accept: isHex,
  },
];

/** Of capitals alone, all groups of one length, and mixed: no date, no phone number, no row of names. */
function isPrintedKey(value: string): boolean {
  const groups = value.split('-');
  const isEven = groups.every((each) => each.length === groups[0]?.length);
  const mixed = groups.filter((each) => /\d/.test(each) && /[A-Z]/.test(each));
  return isEven && value === value.toUpperCase() && mixed.length >= 2 && !/(.)\1{3}/.test(value);
}

function isHex(value: string): boolean {
  return /\d/.test(value) && /[a-f]/.test(value) && !/(.)\1{5}/.test(value);
}
