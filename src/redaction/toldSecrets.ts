import { isDrawn } from './drawnValue.js';
import { isNotation } from './notation.js';
import { isLikelyPassword, isSpokenPassword, looksRandom } from './plausibleValue.js';
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

const commandShapes: readonly SecretShape[] = [
  {
    // The password of MySQL's programs is glued to its flag; a space behind it asks for one.
    kind: 'command-password',
    pattern:
      /\b(?:mysql|mariadb)[a-z_-]{0,12}\b[^\n|;&]{0,300}?[ \t]-p(?:(?<quote>["'])(?<secret>[^"'\n]{3,200})\k<quote>|(?<bare>[^\s"'$|;][^\s"'|;]{2,200}))/dg,
    accept: isRealPassword,
  },
  {
    kind: 'command-password',
    pattern:
      /\b(?:redis-cli\b[^\n|;&]{0,300}?[ \t](?:-a|--pass)|(?:docker|podman|helm|oc|az|cf|nerdctl)\b[^\n|;&]{0,80}?\blogin\b[^\n|;&]{0,300}?[ \t]-p|(?:sqlcmd|bcp)\b[^\n|;&]{0,300}?[ \t]-P|(?:mongo(?:sh|dump|restore|export|import)?)\b[^\n|;&]{0,300}?[ \t]-p|ldap(?:search|modify|add|delete|passwd)\b[^\n|;&]{0,300}?[ \t]-w|(?:un)?zip\b[^\n|;&]{0,300}?[ \t]-P|net user \S{1,60})[ \t]{1,4}["']?(?<secret>[^\s"'$|;/-][^\s"'|;]{3,200})/dg,
    accept: (secret) => isRealPassword(secret) && (isDrawn(secret) || isLikelyPassword(secret)),
  },
  {
    kind: 'command-password',
    pattern: /[ \t](?:-passin|-passout|-pass|-k)[ \t]{1,4}["']?pass:(?<secret>[^\s"'$]{3,200})/dg,
    accept: isRealPassword,
  },
  {
    kind: 'command-password',
    pattern:
      /\bopenssl[ \t]{1,4}(?:enc|aes|des3?|camellia|aria|chacha20)\b[^\n|;&]{0,300}?[ \t](?:-k[ \t]{1,4}["']?(?!pass:|[a-z]{2,10}:\/\/)(?<secret>[^\s"'$|;&-][^\s"'|;]{2,200})|-K[ \t]{1,4}["']?(?<bare>[\dA-Fa-f]{8,128})(?![\w]))/dg,
    accept: isRealPassword,
  },
  {
    // smbclient -U bob%secret
    kind: 'command-password',
    pattern: /[ \t](?:-U|--user)[ \t=]{0,4}["']?[\w.@/\\-]{1,80}%(?<secret>[^\s"'$]{3,200})/dg,
    accept: isRealPassword,
  },
  {
    // net use \\server\share secret /user:bob, and the other way round
    kind: 'command-password',
    pattern:
      /\bnet use[ \t](?:[^\n|;]{0,100}?[ \t])?\\\\\S{1,200}(?:[ \t]{1,4}\/user:[^\s;|]{1,80})?[ \t]{1,4}["']?(?<secret>[^\s"'/*][^\s"'|;]{2,200})/dgi,
    accept: isRealPassword,
  },
  {
    kind: 'command-password',
    pattern:
      /\b(?:cmdkey|xfreerdp|mstsc|psexec|net use|schtasks)\b[^\n|;]{0,300}?[ \t]\/(?:(?:p|pass|password):|rp[ \t])["']?(?<secret>[^\s"'$/][^\s"'|;]{2,200})/dgi,
    accept: isRealPassword,
  },
  {
    // echo secret | sudo -S, printf 'bob:secret' | chpasswd
    kind: 'command-password',
    pattern:
      /\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?["']?(?:[\w.-]{1,60}:)?(?<secret>[^\s"'$|:][^\s"'$|]{3,200})["']?[ \t]{0,4}\|[^\n|;]{0,100}?(?:\bsudo[ \t]{1,4}-S|-pass(?:word)?-stdin\b|\bchpasswd\b|\bkinit\b|--with-token)/dg,
    accept: isRealPassword,
  },
  {
    kind: 'command-password',
    pattern:
      /\bcurl\b(?:(?![ \t](?:&&|\|\|?)[ \t])[^\n]){0,400}?[ \t](?:-[a-zA-Z]{0,6}[uU]|--user|--proxy-user)[ =]?["']?[^\s:"'$]{1,100}:(?<secret>[^\s"'$]{3,200})/dg,
    accept: isRealPassword,
  },
  {
    // Within single quotation marks a dollar is one.
    kind: 'command-password',
    pattern:
      /\bcurl\b(?:(?![ \t](?:&&|\|\|?)[ \t])[^\n]){0,400}?[ \t](?:-[a-zA-Z]{0,6}[uU]|--user)[ =]?'[^\s:'$]{1,100}:(?<secret>[^\s']{3,200})'/dg,
    accept: isRealPassword,
  },
  {
    // Elsewhere `-u` takes a user and a group as well, and those are words and numbers.
    kind: 'command-password',
    pattern: /[ \t](?:-u|-a|--user|--auth|--userpwd|--creds?)[ =]["']?[^\s:"'$/]{1,100}:(?<secret>[^\s"'$:/]{6,200})/dg,
    accept: (secret) => isRealPassword(secret) && isDrawn(secret) && !isNotation(secret),
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
  {
    hint: /[ \t]-(?:p|P|a|w|u|U|k|K)|[ \t]-[a-zA-Z]{1,6}u[ \t]|[ \t]--(?:user|auth|proxy-user|userpwd|cred|pass)|[Nn]et use|[ \t]\/(?:p|rp)|-S\b|-stdin\b|chpasswd|kinit|--with-token/,
    shapes: commandShapes,
  },
  { hint: /[Aa]uth ?[(=:]|Credentials?\(|Authentication\(|\.login\(/, shapes: loginShapes },
  { hint: /:[^\s:@/"'`<>()[\]{}]{6,100}@[\w-]+\./, shapes: hostShapes },
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
