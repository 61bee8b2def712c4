import { longWordsIn } from './longWords.js';
import type { Search, SecretShape } from './span.js';
import { vendorTokens } from './vendorTokens.js';
import { decoded, findShapes, isRealPassword } from './secretShape.js';
import { looksRandom } from './plausibleValue.js';
import { standsForSecret } from './standIn.js';

/** Secrets that their own shape gives away, whatever stands around them. */
export function* findShapedSecrets(text: string): Search {
  const words = longWords(text);
  const structured = yield* findShapes(text, structuredSecrets);
  const tokens = yield* findShapes(words.text, words.text === '' ? [] : vendorTokens);
  return [
    ...structured,
    ...tokens.map(({ start, end, kind }) => ({
      start: words.originalOf(start),
      end: words.originalOf(end - 1) + 1,
      kind,
    })),
  ];
}

/** Secrets known by the structure around them: key blocks, headers, addresses, connection strings. */
const structuredSecrets: readonly SecretShape[] = [
  // None goes on into the next file of a difference: one could hide there what was changed.
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!\ndiff --git )[\s\S]){1,20000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  // Cut off before its end: everything that still looks like the body of a key.
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!\ndiff --git )\s|\\[nr])+[A-Za-z0-9+/=:,.-]+){1,400}/g,
  },
  // What is left of one behind a line that ended it above: its last lines, looked for backwards from its end alone.
  {
    kind: 'private-key',
    pattern:
      /(?=-----END )(?<=(?:^|\n)(?<secret>(?:[ -]?[A-Za-z0-9+/=]{16,200}\r?\n){0,400}[ -]?[A-Za-z0-9+/=]{4,200}\r?\n[ +-]?))-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/dg,
  },
  { kind: 'private-key', pattern: /Private-Lines: \d{1,4}\r?\n(?<secret>(?:[A-Za-z0-9+/=]{10,}\r?\n?){1,100})/dg },
  { kind: 'age-key', pattern: /AGE-SECRET-KEY-1[0-9A-Z]{50,}/g },
  { kind: 'jwt', pattern: /(?<![\w-])ey[\w-]{10,}\.ey[\w-]{10,}\.[\w-]*(?:\.[\w-]+){0,2}/g },
  { kind: 'jwt', pattern: /(?<![\w-])ZXlK[A-Za-z0-9+/=_-]{40,}/g },
  {
    kind: 'url-password',
    pattern: /(?<![\w+.-])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@"'`<>]{0,200}:(?<secret>[^\s/@"'`<>]{3,300})@[^\s/@]/dgi,
    accept: isRealPassword,
  },
  {
    // jdbc:oracle:thin:scott/password@//host
    kind: 'url-password',
    pattern: /\bjdbc:oracle:(?:thin|oci8?):[^\s/@"'`<>]{1,100}\/(?<secret>[^\s/@"'`<>]{3,200})@/dgi,
    accept: isRealPassword,
  },
  {
    kind: 'private-key',
    pattern:
      /\bprivate(?:[ _-]?key)?["'`]?[ \t]{0,3}[:=]?[ \t]{0,3}["'`]?(?<secret>(?:0x)?[0-9a-f]{64})(?![0-9a-f])/dgi,
  },
  {
    kind: 'url-token',
    pattern: /https?:\/\/(?<secret>[\w.~-]{16,300})(?::x-oauth-basic)?@[a-z0-9]/dgi,
    accept: looksRandom,
  },
  {
    kind: 'query-secret',
    pattern:
      /[?&](?:amp;)?(?:[\w.-]{0,30}(?:key|token|secret|password|signature|sig|credential)|code|auth)=(?<secret>[^\s&"'`<>#)]{8,600})/dgi,
    accept: (secret) => looksRandom(decoded(secret)) && !secret.includes('==='),
  },
  {
    kind: 'authorization-header',
    pattern:
      /\b(?:bearer|basic|digest|negotiate|apikey|token)[ \t]{1,4}(?<secret>[A-Za-z0-9_.~+/=-]{8,4000})(?![A-Za-z0-9])/dgi,
    accept: (secret) =>
      secret.length >= 16 ? looksRandom(secret) : /[a-z]/.test(secret) && /[A-Z]/.test(secret) && looksRandom(secret),
  },
  {
    kind: 'authorization-header',
    pattern:
      /(?:authorization|api-?key|-token|subscription-key)\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?(?:[A-Za-z]{3,12}[ \t]+)?(?<secret>[A-Za-z0-9_.~+/=:@-]{8,4000})/dgi,
    accept: looksRandom,
  },
  {
    kind: 'connection-string',
    pattern: /\b(?:account|shared ?access|shared ?secret|primary|secondary) ?key=(?<secret>[A-Za-z0-9+/=%]{20,})/dgi,
  },
  {
    kind: 'config-password',
    pattern: /<add key="(?:ClearText)?Password"\s{1,4}value="(?<secret>[^"\n]{3,300})"/dgi,
    accept: (secret) => !standsForSecret(secret),
  },
  { kind: 'npmrc-token', pattern: /:_(?:authToken|auth|password)\s{0,3}=\s{0,3}(?<secret>[^\s$"']{8,})/dg },
  { kind: 'gitlab-token', pattern: /_gitlab_session=(?<secret>[0-9a-z]{32,})/dg },
  {
    kind: 'webhook',
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9+/_-]{20,})/dgi,
  },
  { kind: 'webhook', pattern: /discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/(?<secret>\d+\/[\w-]{30,})/dgi },
  { kind: 'webhook', pattern: /\.webhook\.office\.com\/(?<secret>webhookb2\/[\w@/-]{60,})/dgi },
  { kind: 'webhook', pattern: /hooks\.zapier\.com\/hooks\/catch\/(?<secret>[\w/]{12,})/dgi },
  {
    kind: 'service-secret',
    pattern: /\bBUNDLE_(?:ENTERPRISE|GEMS)__CONTRIBSYS__COM\W{1,6}(?<secret>[a-f0-9]{8}:[a-f0-9]{8})/dg,
  },
];

/** The long words of a text, one after the other, and the way back to where each stood. */
interface LongWords {
  readonly text: string;
  /** The place in the original of a place in {@link text}. */
  originalOf(index: number): number;
}

const shortestToken = 16;

/**
 * Leaves out what is too short to hold a token, which is nearly everything in prose: a hundred patterns then read a tenth
 * of the text. Words are cut at white space and quotes; no token has either inside.
 */
function longWords(text: string): LongWords {
  const starts: { readonly here: number; readonly there: number }[] = [];
  const words: string[] = [];
  let length = 0;
  for (const { start, end } of longWordsIn(text, shortestToken)) {
    starts.push({ here: length, there: start });
    words.push(text.slice(start, end));
    length += end - start + 1;
  }
  return {
    text: words.join(' '),
    originalOf: (index) => {
      const start = starts.findLast(({ here }) => here <= index);
      return start === undefined ? index : start.there + index - start.here;
    },
  };
}
