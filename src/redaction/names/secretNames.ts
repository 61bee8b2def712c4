/** What kind of secret a name gives away. */
export type NameFamily = 'password' | 'pass' | 'token' | 'vendor';

/**
 * What a name says about the value beside it: a password, perhaps one (`pass`), a token or key, the name of a service
 * whose tokens have no shape of their own, or nothing.
 */
export function judgeName(name: string): NameFamily | undefined {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (namesPassword(name, words) && !describing.has(last)) return 'password';
  if (last === 'pass') return 'pass';
  if (describing.has(last) || words.some((word) => otherKeys.has(word))) return undefined;
  if (words.some((word) => tokenWords.has(word)) || namesKey(name, words)) return 'token';
  return words.some((word) => vendors.has(word)) ? 'vendor' : undefined;
}

/** The same for a name in another alphabet. */
export function judgeForeignName(name: string): NameFamily {
  return /密钥|密鑰|令牌|clé|schlüssel/i.test(name) ? 'token' : 'password';
}

/** `DB_PASSWORD`, `dbPassword`, `db.password` and `DB password` are the same two words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_.-]+/)
    .filter((word) => word !== '');
}

/** `db_pass` is a password, a compiler's `pass` is not. German writes what it is the password of in front. */
function namesPassword(name: string, words: readonly string[]): boolean {
  return (
    words.some((word) => passwordWords.has(word) || /(?:password|passwort|kennwort|storepass|keypass)$/.test(word)) ||
    (/^\w{2,}$/.test(name) && words.slice(1).includes('pass')) ||
    /\bmot de passe$/i.test(name)
  );
}

function namesKey(name: string, words: readonly string[]): boolean {
  const at = words.indexOf('key');
  if (at < 0) return false;
  const isAdjective = / key [a-z]+$/i.test(` ${name}`); // a key account, our key client
  return (
    words.some((word, place) => keyOwners.has(word) && (place < at || !isAdjective)) ||
    /^[A-Z][A-Z\d_]*_KEY$/.test(name)
  );
}

const passwordWords = setOf(
  'passwd passphrase passcode pwd pw pswd contrasena senha motdepasse mdp wachtwoord haslo parola heslo lozinka geslo jelszo salasana passord adgangskode storepass keypass',
);
const tokenWords = setOf(
  'secret secrets token apikey apitoken accesskey secretkey credential credentials creds bearer authtoken accesstoken jwt sig signature accountkey sharedaccesskey authorization auth salt pepper',
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
  'name names id ids url uri rounds path file files endpoint host port ref encoder encoding hasher alg algorithm provider manager class scheme status state color colour icon theme chiave type types count limit length size expiry expires ttl header prefix suffix format policy field label hint strength version region model author description',
);
/** Services whose keys are bare hexadecimal or letters: only the name beside them tells. */
const vendors = setOf(
  'adafruit adobe airtable algolia alibaba aliyun asana atlassian beamer bitbucket bittrex cloudflare codecov cohere coinbase confluence confluent contentful contribsys datadog discord dnkey droneci dropbox etsy facebook fastly finicity finnhub flickr freshbooks gitter gocardless heroku hubspot intercom jfrog artifactory jira kraken kucoin launchdarkly linear linkedin lob mailchimp mailgun mapbox mattermost meraki messagebird netlify newrelic nytimes okta pagerduty paypal plaid privateai rapidapi sendbird sentry snyk sonar squarespace sumo sumologic telegram telegr travis trello twitch twilio twitter typeform yandex zendesk',
);

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
