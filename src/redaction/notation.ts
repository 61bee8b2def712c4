import { wordShare } from './drawnValue.js';

/** Dates, versions, numbers, addresses, colours, formulas: what carries digits and means something. */
export function isNotation(value: string): boolean {
  return notations.some((pattern) => pattern.test(value)) || isFormula(value);
}

const notations = [
  /^[\d.,:/TZ+-]*$|^v?\d+(?:\.\d+)+|^[a-z][a-z0-9+.-]*:\/\//i,
  /^(?:arn:aws|urn):/,
  /^0x[\da-f]{1,12}$|^#[\da-f]{3,8}$/i, // addresses in memory, codes of errors, colours
  /^\d+(?:[x×]\d+)+[a-z]{0,3}$/i, // 4096x128
  /^[a-z]{1,2}\d{2,3}k_\w+$/, // the encodings that language models count by: cl100k_base
  /^eyJ(?:hbGci|0eXAi)[\w-]{6,60}$/, // the head of a JWT, which names its algorithm
];

/** `h1=W1*x1+b1`: short operands with signs of arithmetic between them. */
export function isFormula(value: string): boolean {
  return /[=*+^]/.test(value) && formula.test(value);
}

const operand =
  '(?:\\d{1,20}|[A-Za-z]{1,3}(?:_[A-Za-z\\d]{1,8}|\\d{1,3}[A-Za-z]?)?(?![A-Za-z\\d])|\\d{1,3}[A-Za-z]{1,2}\\d?(?![A-Za-z\\d]))';
const formula = new RegExp(`^[-+=]{0,2}${operand}(?:[-+*/=^%]{1,2}${operand})+=?$`);

/** What has letters, digits and signs because it is the name of something: a file, an address, a release, a standard, an issue. */
export function isNamed(value: string): boolean {
  return (
    /^[\w./\\-]+\.[A-Za-z]{1,5}\d?$|^[^@\s]+@[\w-]+\.[\w.-]+$|^@[\w-]+\/|^[A-Za-z]+-?\d+(?:\.\d+)+$/.test(value) ||
    /^[A-Z]{1,10}[-_]?\d+(?:[-_][A-Z\d]+)*(?:#.*)?$|^[a-z][\w.-]*[@^~]v?\d+(?:\.[\w-]+)*$/.test(value) ||
    isIssue(value) ||
    // a pod of Kubernetes, which ends in the hash of its template and five letters
    /^[a-z][a-z\d-]{1,40}-[a-f\d]{8,10}-[a-z\d]{5}$/.test(value) ||
    /^(?:Ctrl|Alt|Shift|Cmd|Meta|Super|Fn)\+|^p[a@4][s5$]{2}w[o0]rd$|^(?:toolu|call|chatcmpl|msg|req|resp|run|ses|sess)_\w+$/i.test(
      value,
    )
  );
}

/** `PROJ-1234`, `CVE-2024-12345`, `GHSA-jfh8-c2jp-5v3q`: keys of issues and orders, codes of errors. */
export function isIssue(value: string): boolean {
  return /^[A-Z][A-Z\d]{0,11}(?:[-_]\d+)+$|^GHSA(?:-[a-z\d]{4}){3}$/.test(value);
}

/** Named so that nobody would take it for a password where a sentence says that it is one: of capitals and digits alone it may be. */
export function isNamedInSentence(value: string): boolean {
  return isIssue(value) || (isNamed(value) && !/^[A-Z\d_-]+$/.test(value));
}

/** What passwords and tokens are said to be, or to be made with: `12-character`, `base64-encoded`, `bcrypt12`. */
export function isTerm(value: string): boolean {
  if (/^\d{1,4}(?:-\p{L}+|[A-Z]{1,3}-\p{Ll}{4,})$/u.test(value)) return true;
  const method = value.length > longestTerm ? undefined : methods.exec(value)?.[0];
  return method !== undefined && saidOfMethod.test(value.slice(method.length));
}

const longestTerm = 40;
const methods =
  /^(?:(?:base64(?:url)?|sha-?\d+|md5|utf-?(?:8|16)|argon2[a-z]*|aes-?\d+|oauth2?|x509|1password|pkcs\d+|b?crypt|scrypt|yescrypt|pbkdf\d|hmac|hkdf|ed25519|x25519|ecdh|ecdsa|chacha20|secp\d{3}[rk]1|rfc\d+|iso\d+|[rehp]s(?:256|384|512)|wpa\d|saml\d|fido\d)\d{0,2}(?![A-Za-z\d])|pb(?:kdf\d|e)with[a-z]+\d{0,3}[a-z]*)/i;
/** Further words and sizes, joined or not. */
const saidOfMethod = /^(?:[-_/](?:v?\d{1,4}|\p{L}\p{Ll}{2,}\d{0,4}|[A-Z]{2,}\d{0,4}))*$/u;

/** `sys.argv[1]`, `parts[0]`, `form.data["password1"]`, `Annotated[str`: a part of something that has a spoken name. */
export function isAccess(value: string): boolean {
  const name =
    /^([A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*)\[(?:\d{1,3}|["']?[A-Za-z_]\w*["']?)?\]?$/.exec(
      value,
    )?.[1];
  return name !== undefined && !/\d/.test(name) && wordShare(name) >= 0.5;
}
