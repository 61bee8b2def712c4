import { looksRandom, standsForSecret, wordShare } from './plausibleValue.js';
import type { Span } from './span.js';

/**
 * Secrets that a name gives away: `DB_PASSWORD=…`, `"apiKey": "…"`, `client secret: …`, `--token …`, `<password>…`.
 * A name alone is not enough: the value must look like one, too, or half of all documentation would be blacked out.
 */
export function findAssignedSecrets(text: string): readonly Span[] {
  return [...text.matchAll(assignment), ...text.matchAll(flag)].flatMap((match) => {
    const found = valueOf(match);
    const family = judgeName(fullName(match));
    if (found === undefined || family === undefined || !isSecret(family, found)) return [];
    return [{ start: found.start, end: found.start + found.value.length, kind: `${family}-assignment` }];
  });
}

// The value is only looked ahead at, so that `data: password=…` is seen at both names.
const value = /(?=(?<quoted>\\{0,3}(?:"[^"\n]{1,600}|'[^'\n]{1,600}|`[^`\n]{1,600}))|(?<bare>[^\s"'`<>,;&]{1,600}))/
  .source;
const namePattern = /(?<![\w.$-])(?<name>[A-Za-z_][\w.-]{0,60})/.source;
const separator = /(?:\\{0,3}["'`\]]){0,3}[ \t]{0,4}(?:=>|:=|={1,3}|:|>| is )\s{0,4}/.source;
const assignment = new RegExp(`${namePattern}${separator}${value}`, 'dg');
const flag = new RegExp(`(?<![\\w-])--?(?<name>[A-Za-z][\\w-]{0,40})[ \\t]{1,4}${value}`, 'dg');

/** With up to two words before it: the name of `client secret: …` is two words. */
function fullName({ input, index, groups = {} }: RegExpExecArray): string {
  const before = /(?:[A-Za-z][\w-]{0,30} ){1,2}$/.exec(input.slice(Math.max(0, index - 64), index))?.[0] ?? '';
  return before + (groups['name'] ?? '');
}

interface Value {
  readonly value: string;
  readonly start: number;
  /** Quoted, or glued to its name as in `NAME=value`: certainly a value, never the next word of a sentence. */
  readonly marked: boolean;
}

function valueOf({ indices, groups = {}, input: text }: RegExpExecArray): Value | undefined {
  const { quoted, bare } = indices?.groups ?? {};
  if (quoted !== undefined) return quotedValue(groups['quoted'] ?? '', quoted[0]);
  if (bare === undefined) return undefined;
  return {
    value: (groups['bare'] ?? '').replace(/[.)\]}|\\]+$/, ''),
    start: bare[0],
    marked: text.at(bare[0] - 1) === '=',
  };
}

/** Without the opening quote, and without the backslashes that escape the closing one inside of JSON. */
function quotedValue(text: string, start: number): Value {
  const open = /^\\*["'`]/.exec(text)?.[0] ?? '';
  return { value: text.slice(open.length).replace(/\\+$/, ''), start: start + open.length, marked: true };
}

function isSecret(family: 'password' | 'token' | 'vendor', found: Value): boolean {
  switch (family) {
    case 'password':
      return isPassword(found);
    case 'token':
      return looksRandom(found.value);
    case 'vendor':
      return found.value.length >= 14 && (looksRandom(found.value) || /^\d{15,}$/.test(found.value));
  }
}

/** A person's password can be anything: short, wordy, full of signs. A bare word that reads aloud is taken for prose. */
function isPassword({ value: text, marked }: Value): boolean {
  if (
    text.length < (marked && /[^A-Za-z]/.test(text) ? 4 : 6) ||
    /\s/.test(text) ||
    standsForSecret(text) ||
    /^[\d.,:-]+$/.test(text)
  )
    return false;
  return marked || /[^A-Za-z_:-]/.test(text) || /[a-z][A-Z]/.test(text) || wordShare(text) < 0.5;
}

/**
 * What a name says about the value beside it: a password, a token or key, the name of a service whose tokens have no
 * shape of their own, or nothing.
 */
function judgeName(name: string): 'password' | 'token' | 'vendor' | undefined {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (namesPassword(name, words) && !describing.has(last)) return 'password';
  if (describing.has(last) || words.some((word) => otherKeys.has(word))) return undefined;
  if (words.some((word) => tokenWords.has(word)) || namesKey(name, words)) return 'token';
  return words.some((word) => vendors.has(word)) ? 'vendor' : undefined;
}

/** `DB_PASSWORD`, `dbPassword`, `db.password` and `DB password` are the same two words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_.-]+/)
    .filter((word) => word !== '');
}

/** `db_pass` is a password, a compiler's `pass` is not. */
function namesPassword(name: string, words: readonly string[]): boolean {
  return words.some((word) => passwordWords.has(word)) || (/^\w{2,}$/.test(name) && words.slice(1).includes('pass'));
}

function namesKey(name: string, words: readonly string[]): boolean {
  if (!words.includes('key')) return false;
  return words.some((word) => keyOwners.has(word)) || /^[A-Z][A-Z\d_]*_KEY$/.test(name);
}

const passwordWords = setOf('password passwd passphrase passcode pwd pw masterpassword userpassword dbpassword');
const tokenWords = setOf(
  'secret secrets token apikey apitoken accesskey secretkey credential credentials creds bearer authtoken accesstoken jwt sig signature accountkey sharedaccesskey authorization auth',
);
const keyOwners = setOf(
  'api access secret private account auth master signing signature encryption shared service storage license webhook client app application admin deploy server subscription functions root session cipher aes hmac jwt ssh rsa personal consumer integration project',
);
/** Keys and tokens that are no secret. */
const otherKeys = setOf(
  'public publishable primary foreign cache partition sort idempotency max min tokens csrf xsrf page next cursor continuation translation i18n object index dictionary shortcut sha sha1 sha256 sha512 checksum integrity digest commit',
);
/** A last word that makes the value a description of the secret, not the secret. */
const describing = setOf(
  'name names id ids url uri path file files endpoint host port type types count limit length size expiry expires ttl header prefix suffix format policy field label hint strength version region model author description',
);
/** Services whose keys are bare hexadecimal or letters: only the name beside them tells. */
const vendors = setOf(
  'adafruit adobe airtable algolia alibaba aliyun asana atlassian beamer bitbucket bittrex cloudflare codecov cohere coinbase confluence confluent contentful contribsys datadog discord dnkey droneci dropbox etsy facebook fastly finicity finnhub flickr freshbooks gitter gocardless heroku hubspot intercom jfrog artifactory jira kraken kucoin launchdarkly linear linkedin lob mailchimp mailgun mapbox mattermost meraki messagebird netlify newrelic nytimes okta pagerduty paypal plaid privateai rapidapi sendbird sentry snyk sonar squarespace sumo sumologic telegram telegr travis trello twitch twilio twitter typeform yandex zendesk',
);

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
