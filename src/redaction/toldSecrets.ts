import { isDrawn } from './drawnValue.js';
import { commandHint, commandShapes } from './places/commandSecrets.js';
import { keyHint, keyShapes } from './places/keySecrets.js';
import { isSpokenPassword, isUnmistakable, looksRandom } from './plausibleValue.js';
import { decoded, findShape, findShapes, isRealPassword } from './secretShape.js';
import type { Search, SecretShape, Span } from './span.js';

/** Secrets that the words around them tell: commands, logins, cookies, and passwords that no sign joins to their name. */
export function* findToldSecrets(text: string): Search {
  const told: (readonly Span[])[] = [];
  for (const { hint, shapes } of groups) {
    yield;
    if (hint.test(text)) told.push(yield* findShapes(text, shapes));
  }
  return [...told.flat(), ...findCookies(text)];
}

/** Every cookie of a header that is as long and as random as a session's, whatever its name. */
function findCookies(text: string): readonly Span[] {
  return [...text.matchAll(cookieHeader)].flatMap(({ 0: header, index }) =>
    findShape(header, cookie).map(({ start, end, kind }) => ({ start: index + start, end: index + end, kind })),
  );
}

const cookieHeader = /\b[Cc]ookie["']?[ \t]{0,3}[:=][^\n]{1,8000}/g;
const cookie: SecretShape = {
  kind: 'session-cookie',
  pattern: /(?<=[ "';=:])[\w.-]{1,60}=(?<secret>[\w.%~+/:-]{20,4000}=?)(?=[;"'\s]|$)/dg,
  accept: (secret) => isSession(secret) && isDrawn(secret),
};

/** Shapes that all need one of a few words: where none of them stands in the text, nothing is looked for. */
interface ShapeGroup {
  readonly hint: RegExp;
  readonly shapes: readonly SecretShape[];
}

const passwordShapes: readonly SecretShape[] = [
  {
    kind: 'netrc-password',
    pattern:
      /\b(?:machine\s{1,20}\S{1,100}|default)\s{1,20}login\s{1,20}\S{1,100}\s{1,20}password\s{1,20}(?<secret>\S{3,200})/dg,
    accept: isRealPassword,
  },
  {
    kind: 'sql-password',
    pattern:
      /\b(?:[Ii](?:DENTIFIED|dentified) (?:[Ww](?:ITH|ith) \S{1,40} )?[Bb][Yy]|PASSWORD)[ \t]{1,4}(?<quote>['"])(?<secret>[^'"\n]{4,200})\k<quote>/dg,
    accept: (secret) => isRealPassword(secret) && !/\s/.test(secret),
  },
  {
    // `ENV DB_PASSWORD x`, `| DB password | x |`, `password → x`
    kind: 'spoken-password',
    pattern:
      /(?:pass(?:word|wd|phrase|code|wort)|kennwort|contraseña|senha|mot de passe)["'`*]{0,2}[ \t]{1,4}(?:[|→–—-]>?[ \t]{1,4})?["'`*]{0,2}(?<secret>[^\s"'`<>,;|*]{6,200})/dgi,
    accept: isSpokenReal,
  },
  { kind: 'command-password', pattern: /\bsshpass[ \t]+-p[ \t]*["']?(?<secret>[^\s"'$]{3,200})/dg },
  {
    kind: 'command-password',
    pattern: /\bConvertTo-SecureString\b[^\n]{0,80}?["'](?<secret>[^"'\n]{4,200})["']/dgi,
    accept: isRealPassword,
  },
];

const loginShapes: readonly SecretShape[] = [
  {
    kind: 'login-password',
    pattern:
      /(?:\b[Aa]uth[ \t]{0,3}[=:][ \t]{0,3}[([]|BasicAuth\(|NetworkCredential\(|\.login\(|Credentials\(|PasswordAuthentication\()[ \t]{0,3}["'][^"'\n]{1,100}["'][ \t]{0,3},[ \t]{0,3}["'](?<secret>[^"'\n]{4,200})["']/dg,
    accept: (secret) => isRealPassword(secret) && !/\s/.test(secret),
  },
];

const hostShapes: readonly SecretShape[] = [
  {
    // ada:secret@db.example.com, without a scheme in front
    kind: 'login-password',
    pattern:
      /(?<![\w/:.@%+-])[A-Za-z][\w.-]{0,40}:(?<secret>[^\s:@/"'`<>()[\]{}]{6,100})@[\w-]{1,60}(?:\.[\w-]{1,60})+/dg,
    accept: (secret) => isRealPassword(secret) && isDrawn(secret),
  },
];

const loginWords = '\\b(?:auth|authenticates?|credentials?|log(?:s|ged)?[ -]?in|sign(?:s|ed)?[ -]in)\\b';

const pairShapes: readonly SecretShape[] = [
  {
    // bob:secret, and that it is what one logs in with
    kind: 'login-password',
    pattern: new RegExp(
      `(?<![\\w/:.@%+-])[A-Za-z][\\w.-]{1,40}:(?<secret>[^\\s:@/"'\`<>()[\\]{},;]{8,64})(?=["'\`]?[ \\t][^\\n.!?]{0,60}?${loginWords})`,
      'dgi',
    ),
    accept: (secret) => isUnmistakable(secret) && !/^[a-z\d.-]+$/.test(secret), // the version of an image
  },
];

const rootShapes: readonly SecretShape[] = [
  {
    // root:secret, admin / secret, and what it opens behind it or nothing
    kind: 'login-password',
    pattern:
      /(?<![\w/:.@%+-])(?:root|admin|administrator|sysadmin|superuser)(?:[:/]|[ \t]\/[ \t])(?<secret>[^\s:@/"'`<>()[\]{},;]{8,64})(?![\w/:@(=])/dgi,
    accept: (secret) => isUnmistakable(secret.replace(/[.!?]+$/, '')) && !/^[a-z\d.-]+$/.test(secret),
  },
];

const cookieShapes: readonly SecretShape[] = [
  {
    kind: 'session-cookie',
    pattern:
      /(?:sess(?:ion)?[_.-]?(?:id|token|key|data)?|connect\.sid|\bsid|remember_token|auth_token|access_token|id_token|[\w.-]{1,30}_session)(?:=|%3D)(?<secret>[\w.%~+/:-]{16,4000}=?)/dgi,
    accept: isSession,
  },
];

const groups: readonly ShapeGroup[] = [
  {
    hint: /passw|passphrase|passcode|kennwort|contraseña|senha|mot de passe|identified|sshpass|securestring/i,
    shapes: passwordShapes,
  },
  { hint: commandHint, shapes: commandShapes },
  { hint: /[Aa]uth ?[(=:]|Credentials?\(|Authentication\(|\.login\(/, shapes: loginShapes },
  { hint: /:[^\s:@/"'`<>()[\]{}]{6,100}@[\w-]+\./, shapes: hostShapes },
  { hint: new RegExp(loginWords, 'i'), shapes: pairShapes },
  { hint: /root|admin|superuser/i, shapes: rootShapes },
  { hint: keyHint, shapes: keyShapes },
  { hint: /(?:sess|ion|id|token|key|data)(?:=|%3D)/i, shapes: cookieShapes },
];

function isSpokenReal(secret: string): boolean {
  const bare = secret.replace(/[.):]+$/, '');
  return isRealPassword(bare) && isDrawn(bare) && isSpokenPassword(bare);
}

function isSession(secret: string): boolean {
  const clean = decoded(secret);
  return looksRandom(clean.replace(/^s:/, ''), 'quoted') || /^[0-9A-F]{32,}$/.test(clean);
}
