/**
 * Secrets of the kinds that gitleaks and secretlint publish rules for, in the lengths and alphabets that those rules
 * state. Drawn from a seed at test time: nothing that looks like a live key lies in this repository.
 */
export interface SampleSecret {
  /** The published rule that the kind was taken from. */
  readonly kind: string;
  readonly secret: string;
  /** The secret as it stands in a text. */
  readonly text: string;
}

export function sampleSecrets(seed: number): readonly SampleSecret[] {
  const draw = generator(seed);
  return [...shaped, ...named].flatMap(([kind, form, ...names]) =>
    contextsFor(names).map((context) => {
      const secret = fill(form, draw);
      return { kind, secret, text: context(secret) };
    }),
  );
}

type Row = readonly [kind: string, form: string, ...names: string[]];

/** Known by their own shape. `{36 w}` is 36 characters of the alphabet `w`. */
const shaped: readonly Row[] = [
  ['1password-secret-key', 'A3-{6 U}-{6 U}-{5 U}-{5 U}-{5 U}-{5 U}'],
  ['1password-service-account-token', 'ops_eyJ{260 b}'],
  ['adobe-client-secret', 'p8e-{32 l}'],
  ['age-secret-key', 'AGE-SECRET-KEY-1{58 q}'],
  ['alibaba-access-key-id', 'LTAI{20 a}'],
  ['anthropic-admin-api-key', 'sk-ant-admin01-{93 w}AA'],
  ['anthropic-api-key', 'sk-ant-api03-{93 w}AA'],
  ['artifactory-api-key', 'AKCp{69 a}'],
  ['artifactory-reference-token', 'cmVmd{59 a}'],
  ['atlassian-api-token', 'ATATT3{186 w}'],
  ['authress-service-client-access-key', 'sc_{12 l}.{5 l}.acc-{20 l}.{60 l}'],
  ['aws-access-token', 'AKIA{16 S}'],
  ['azure-ad-client-secret', '{3 a}{1 d}Q~{31 w}'],
  ['clickhouse-cloud-api-secret-key', '4b1d{38 a}'],
  ['clojars-api-token', 'CLOJARS_{60 l}'],
  ['cloudflare-origin-ca-key', 'v1.0-{24 h}-{146 h}'],
  ['databricks-api-token', 'dapi{32 h}'],
  ['digitalocean-access-token', 'doo_v1_{64 h}'],
  ['digitalocean-pat', 'dop_v1_{64 h}'],
  ['digitalocean-refresh-token', 'dor_v1_{64 h}'],
  ['docker-personal-access-token', 'dckr_pat_{27 w}'],
  ['doppler-api-token', 'dp.pt.{43 l}'],
  ['duffel-api-token', 'duffel_live_{43 w}'],
  ['dynatrace-api-token', 'dt0c01.{24 U}.{64 U}'],
  ['easypost-api-token', 'EZAK{54 a}'],
  ['easypost-test-api-token', 'EZTK{54 a}'],
  ['facebook-access-token', '{15 d}|{32 w}'],
  ['facebook-page-access-token', 'EAAC{110 a}'],
  ['figma-personal-access-token', 'figd_{43 w}'],
  ['flutterwave-secret-key', 'FLWSECK_TEST-{32 h}-X'],
  ['flyio-access-token', 'fo1_{43 w}'],
  ['frameio-api-token', 'fio-u-{64 w}'],
  ['gcp-api-key', 'AIza{35 w}'],
  ['github-app-token', 'ghs_{36 a}'],
  ['github-fine-grained-pat', 'github_pat_{82 v}'],
  ['github-oauth', 'gho_{36 a}'],
  ['github-pat', 'ghp_{36 a}'],
  ['github-refresh-token', 'ghr_{36 a}'],
  ['gitlab-cicd-job-token', 'glcbt-{3 a}_{20 w}'],
  ['gitlab-deploy-token', 'gldt-{20 w}'],
  ['gitlab-pat', 'glpat-{20 w}'],
  ['gitlab-pat-routable', 'glpat-{27 w}.{2 l}{7 l}'],
  ['gitlab-ptt', 'glptt-{40 h}'],
  ['gitlab-rrt', 'GR1348941{20 w}'],
  ['gitlab-runner-authentication-token', 'glrt-{20 w}'],
  ['grafana-api-key', 'eyJrIjoi{72 a}'],
  ['grafana-cloud-api-token', 'glc_{40 b}'],
  ['grafana-service-account-token', 'glsa_{32 a}_{8 h}'],
  ['groq-api-key', 'gsk_{52 a}'],
  ['harness-api-key', 'pat.{22 w}.{24 a}.{20 a}'],
  ['hashicorp-tf-api-token', '{14 a}.atlasv1.{66 w}'],
  ['heroku-api-key-v2', 'HRKU-AA{58 w}'],
  ['huggingface-access-token', 'hf_{34 A}'],
  ['huggingface-organization-api-token', 'api_org_{34 A}'],
  ['infracost-api-token', 'ico-{32 a}'],
  ['intra42-client-secret', 's-s4t2ud-{64 h}'],
  ['jwt', 'eyJ{30 a}.eyJ{40 a}.{43 w}'],
  ['jwt-base64', 'ZXlKaGJHY2lPaU{80 a}'],
  ['linear-api-key', 'lin_api_{40 a}'],
  ['mailchimp-api-key', '{32 h}-us12'],
  ['maxmind-license-key', '{6 a}_{29 a}_mmk'],
  ['notion-api-token', 'ntn_{11 d}{35 a}'],
  ['npm-access-token', 'npm_{36 a}'],
  ['octopus-deploy-api-key', 'API-{26 U}'],
  ['openai-api-key', 'sk-{20 a}T3BlbkFJ{20 a}'],
  ['openai-project-key', 'sk-proj-{58 w}T3BlbkFJ{58 w}'],
  ['openshift-user-token', 'sha256~{43 w}'],
  ['perplexity-api-key', 'pplx-{48 a}'],
  ['planetscale-api-token', 'pscale_tkn_{43 w}'],
  ['planetscale-oauth-token', 'pscale_oauth_{43 w}'],
  ['planetscale-password', 'pscale_pw_{43 w}'],
  ['postman-api-token', 'PMAK-{24 h}-{34 h}'],
  ['prefect-api-token', 'pnu_{36 a}'],
  ['pulumi-api-token', 'pul-{40 h}'],
  ['pypi-upload-token', 'pypi-AgEIcHlwaS5vcmc{80 w}'],
  ['readme-api-token', 'rdme_{70 l}'],
  ['rubygems-api-token', 'rubygems_{48 h}'],
  ['scalingo-api-token', 'tk-us-{48 w}'],
  ['sendgrid-api-token', 'SG.{22 w}.{43 w}'],
  ['sendinblue-api-token', 'xkeysib-{64 h}-{16 l}'],
  ['sentry-user-token', 'sntryu_{64 h}'],
  ['settlemint-personal-access-token', 'sm_pat_{16 a}'],
  ['shippo-api-token', 'shippo_live_{40 h}'],
  ['shopify-access-token', 'shpat_{32 h}'],
  ['shopify-shared-secret', 'shpss_{32 h}'],
  ['slack-app-token', 'xapp-1-{11 U}-{13 d}-{64 l}'],
  ['slack-bot-token', 'xoxb-{12 d}-{13 d}-{24 a}'],
  ['slack-legacy-workspace-token', 'xoxa-2-{40 a}'],
  ['slack-user-token', 'xoxp-{12 d}-{12 d}-{12 d}-{32 a}'],
  ['sourcegraph-access-token', 'sgp_{40 h}'],
  ['square-access-token', 'sq0atp-{22 w}'],
  ['stripe-access-token', 'sk_live_{24 a}'],
  ['stripe-test-token', 'rk_test_{24 a}'],
  ['telegram-bot-api-token', '{10 d}:A{34 w}'],
  ['twilio-api-key', 'SK{32 h}'],
  ['twitter-bearer-token', 'AAAAAAAAAAAAAAAAAAAAAA{84 a}'],
  ['typeform-api-token', 'tfp_{59 w}'],
  ['vault-batch-token', 'hvb.{140 w}'],
  ['vault-service-token', 'hvs.{96 w}'],
  ['vercel-personal-access-token', 'vcp_{56 a}'],
  ['yandex-api-key', 'AQVN{36 w}'],
  ['xai-api-key', 'xai-{80 a}'],
  ['posthog-personal-api-key', 'phx_{43 a}'],
  ['replicate-api-token', 'r8_{37 a}'],
  ['openrouter-api-key', 'sk-or-v1-{64 h}'],
  ['nvidia-api-key', 'nvapi-{64 w}'],
  ['together-api-key', 'tgp_v1_{43 w}'],
  ['pinecone-api-key', 'pcsk_{6 a}_{63 a}'],
  ['supabase-personal-access-token', 'sbp_{40 h}'],
  ['airtable-personal-access-token', 'pat{14 a}.{64 h}'],
  ['tailscale-api-key', 'tskey-api-{30 w}'],
  ['neon-api-key', 'napi_{64 a}'],
  ['render-api-key', 'rnd_{28 a}'],
  ['rootly-api-key', 'rootly_{64 h}'],
  ['hubspot-private-app-token', 'pat-na1-{8 h}-{4 h}-{4 h}-{4 h}-{12 h}'],
  ['e2b-api-key', 'e2b_{40 h}'],
  ['elevenlabs-api-key', 'sk_{48 h}'],
  ['polar-access-token', 'polar_oat_{43 a}'],
  ['inngest-signing-key', 'signkey-prod-{64 h}'],
  ['snyk-service-token', 'snyk_uat.{8 h}.{60 a}'],
  ['mongodb-atlas-secret', 'mdb_sa_sk_{40 a}'],
];

/** Without a shape: hexadecimal or letters behind the name of a service. */
const named: readonly Row[] = [
  ['adafruit-api-key', '{32 l}', 'adafruit_api_key', 'ADAFRUIT_TOKEN'],
  ['adobe-client-id', '{32 h}', 'adobe_client', 'adobeClient'],
  ['airtable-api-key', '{17 l}', 'airtable_api_key', 'AIRTABLE_TOKEN'],
  ['algolia-api-key', '{32 l}', 'algolia_api_token', 'algolia'],
  ['alibaba-secret-key', '{30 l}', 'alibaba_secret', 'ALIBABA_KEY'],
  ['asana-client-secret', '{32 l}', 'asana_client_secret', 'asanaToken'],
  ['atlassian-api-token-v1', '{20 l}{4 h}', 'JIRA_API_TOKEN', 'confluence.token'],
  ['bitbucket-client-secret', '{64 l}', 'bitbucket_client_secret', 'bitbucket'],
  ['cisco-meraki-api-key', '{40 h}', 'meraki_api_key', 'MERAKI_TOKEN'],
  ['cloudflare-api-key', '{40 w}', 'cloudflare_api_key', 'CLOUDFLARE_API_TOKEN'],
  ['cloudflare-global-api-key', '{37 h}', 'cloudflare_global', 'cloudflareKey'],
  ['codecov-access-token', '{32 l}', 'CODECOV_TOKEN', 'codecov'],
  ['cohere-api-token', '{40 a}', 'cohere_api_token', 'CO_API_KEY'],
  ['coinbase-access-token', '{64 w}', 'coinbase_token', 'COINBASE_ACCESS'],
  ['confluent-secret-key', '{64 l}', 'confluent_secret', 'CONFLUENT_SECRET_KEY'],
  ['contentful-delivery-api-token', '{43 w}', 'contentful_delivery', 'CONTENTFUL_TOKEN'],
  ['datadog-access-token', '{40 l}', 'DATADOG_APP_KEY', 'datadog'],
  ['discord-api-token', '{64 h}', 'discord_bot', 'DISCORD_TOKEN'],
  ['dropbox-api-token', '{15 l}', 'dropbox_api_token', 'DROPBOX_SECRET'],
  ['etsy-access-token', '{24 l}', 'etsy_access_token', 'ETSY_KEY'],
  ['facebook-secret', '{32 h}', 'facebook_app_secret', 'FACEBOOK'],
  ['fastly-api-token', '{32 w}', 'fastly_api_token', 'FASTLY_KEY'],
  ['finnhub-access-token', '{20 l}', 'finnhub_token', 'FINNHUB_API_KEY'],
  ['heroku-api-key', '{8 h}-{4 h}-{4 h}-{4 h}-{12 h}', 'HEROKU_API_KEY', 'heroku'],
  ['hubspot-api-key', '{8 H}-{4 H}-{4 H}-{4 H}-{12 H}', 'hubspot_api_key', 'hubspot'],
  ['intercom-api-key', '{60 w}', 'intercom_api_key', 'INTERCOM_TOKEN'],
  ['jfrog-identity-token', '{64 l}', 'jfrog_identity', 'ARTIFACTORY_TOKEN'],
  ['kraken-access-token', '{84 b}', 'kraken_access', 'KRAKEN_PRIVATE_KEY'],
  ['kucoin-access-token', '{24 h}', 'kucoin_access', 'KUCOIN_KEY'],
  ['launchdarkly-access-token', '{40 w}', 'launchdarkly_access_token', 'LAUNCHDARKLY_SDK'],
  ['linkedin-client-secret', '{16 l}', 'linkedin_client_secret', 'LINKEDIN_SECRET'],
  ['mailgun-private-api-token', 'key-{32 h}', 'mailgun_api_token', 'MAILGUN'],
  ['mailgun-signing-key', '{32 h}-{8 h}-{8 h}', 'mailgun_signing', 'MAILGUN_SIGNING_KEY'],
  ['mapbox-api-token', 'pk.{60 l}.{22 l}', 'mapbox_token', 'MAPBOX'],
  ['mattermost-access-token', '{26 l}', 'mattermost_token', 'MATTERMOST_ACCESS'],
  ['messagebird-api-token', '{25 l}', 'messagebird_api_token', 'MESSAGEBIRD_KEY'],
  ['netlify-access-token', '{44 w}', 'netlify_access_token', 'NETLIFY_AUTH_TOKEN'],
  ['new-relic-user-api-key', 'NRAK-{27 U}', 'newrelic_user', 'NEW_RELIC_API_KEY'],
  ['nytimes-access-token', '{32 w}', 'nytimes_access_token', 'NYTIMES_KEY'],
  ['okta-access-token', '00{40 w}', 'okta_access_token', 'OKTA_TOKEN'],
  ['plaid-api-token', 'access-sandbox-{8 h}-{4 h}-{4 h}-{4 h}-{12 h}', 'plaid_token', 'PLAID'],
  ['plaid-secret-key', '{30 l}', 'plaid_secret_key', 'PLAID_SECRET'],
  ['rapidapi-access-token', '{50 w}', 'rapidapi_key', 'RAPIDAPI_ACCESS'],
  ['sendbird-access-token', '{40 h}', 'sendbird_access_token', 'SENDBIRD'],
  ['sentry-access-token', '{64 h}', 'sentry_auth', 'SENTRY_AUTH_TOKEN'],
  ['snyk-api-token', '{8 h}-{4 h}-{4 h}-{4 h}-{12 h}', 'snyk_api_token', 'SNYK_TOKEN'],
  ['sonar-api-token', '{40 w}', 'sonar_login', 'SONAR_TOKEN'],
  ['sumologic-access-token', '{64 l}', 'sumo_access', 'SUMO_TOKEN'],
  ['travisci-access-token', '{22 l}', 'travis_token', 'TRAVIS_ACCESS'],
  ['twitch-api-token', '{30 l}', 'twitch_api_token', 'TWITCH'],
  ['twitter-access-secret', '{45 l}', 'twitter_access_secret', 'TWITTER'],
  ['twitter-access-token', '{20 d}-{32 a}', 'twitter_access_token', 'TWITTER_TOKEN'],
  ['yandex-aws-access-token', 'YC{38 w}', 'yandex_access', 'YANDEX_TOKEN'],
  ['zendesk-secret-key', '{40 l}', 'zendesk_secret_key', 'ZENDESK'],
  ['aws-secret-access-key', '{40 b}', 'AWS_SECRET_ACCESS_KEY', 'aws_secret_access_key'],
  ['generic-api-key', '{32 a}', 'apiKey', 'SERVICE_AUTH_TOKEN'],
  ['database-password', '{12 p}', 'DB_PASSWORD', 'pwd'],
  ['hashicorp-tf-password', '{14 a}', 'administrator_login_password', 'password'],
];

type Context = (secret: string) => string;

function contextsFor(names: readonly string[]): readonly Context[] {
  const [first, second] = names;
  if (first === undefined || second === undefined) {
    return [
      (secret) => `Deploys use ${secret} since March.`,
      (secret) => `export SERVICE=${secret}\nnpm run deploy\n`,
      (secret) => JSON.stringify(JSON.stringify({ name: 'ci', value: secret })),
      (secret) => `1. Open the console.\n2. Paste \`${secret}\`, then save.\n`,
    ];
  }
  return [
    (secret) => `${first} = "${secret}"`,
    (secret) => `${second}=${secret}\nPORT=8080\n`,
    (secret) => `config:\n  ${first}: ${secret}\n  region: eu-west-1\n`,
    (secret) => JSON.stringify(JSON.stringify({ [second]: secret, retries: 3 })),
  ];
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const alphabets: Readonly<Record<string, string>> = {
  d: '0123456789',
  h: '0123456789abcdef',
  H: '0123456789ABCDEF',
  l: `${lower}0123456789`,
  U: `${lower.toUpperCase()}0123456789`,
  A: lower + lower.toUpperCase(),
  S: `${lower.toUpperCase()}234567`,
  a: `${lower}${lower.toUpperCase()}0123456789`,
  v: `${lower}${lower.toUpperCase()}0123456789_`,
  w: `${lower}${lower.toUpperCase()}0123456789_-`,
  b: `${lower}${lower.toUpperCase()}0123456789+/`,
  q: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  p: `${lower}${lower.toUpperCase()}0123456789!$?^@:`,
};

/** Fills a form. The last character is a letter or digit, so that a full stop or quote after it stays outside. */
function fill(form: string, draw: () => number): string {
  return form.replaceAll(/\{(\d+) (\w)\}/g, (_, count: string, alphabet: string) => {
    const letters = alphabets[alphabet] ?? '';
    const drawn = Array.from({ length: Number(count) }, (__, index) => {
      const safe = index === 0 || index === Number(count) - 1 ? letters.replaceAll(/[^A-Za-z0-9]/g, '') : letters;
      return safe[Math.floor(draw() * safe.length)] ?? '';
    }).join('');
    // With hardly a digit it could be words in small letters, which stay: few of fifteen signs are drawn so.
    const isWordy = alphabet === 'l' && drawn.replaceAll(/\D/g, '').length < 2;
    return isWordy
      ? drawn.replace(/^(...).(...)./, (_all, start: string, middle: string) => `${start}4${middle}8`)
      : drawn;
  });
}

/** A small seeded generator (mulberry32): the same seed draws the same corpus everywhere. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
