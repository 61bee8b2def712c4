import assert from 'node:assert/strict';
import { createRedactor } from '../../../src/redaction/redactor.js';
import { findWithSecretlint } from '../../../src/redaction/secretlintFinder.js';
import { atOnce } from '../../../src/tasks/steps.js';

describe('finding secrets', () => {
  const base64 = 'Zm9vYmFyQmF6MTIzNDU2Nzg5MGFiY2RlZg';
  const cases: readonly [name: string, text: string, redacted: string][] = [
    [
      'a password in an address',
      'postgres://app:s3cr3tPw@db.internal/app',
      'postgres://app:#url-password#@db.internal/app',
    ],
    ['a password with a full stop after it', 'The password is Tr0ub4dor.', 'The password is #password-assignment#.'],
    ['a password in YAML', 'db:\n  password: hunter2!x\n', 'db:\n  password: #password-assignment#\n'],
    ['a quoted password of letters', 'password = "correcthorsebattery"', 'password = "#password-assignment#"'],
    [
      'a password in a connection string',
      'Server=db;Password=p@ss;Database=x',
      'Server=db;Password=#password-assignment#;Database=x',
    ],
    [
      'a password behind a flag',
      'tool --password S3cret99 --dry-run',
      'tool --password #password-assignment# --dry-run',
    ],
    ['a password in XML', '<password>S3cret99</password>', '<password>#password-assignment#</password>'],
    ['a password inside of another value', 'data: password=S3cret99', 'data: password=#password-assignment#'],
    ['a bearer header', `Authorization: Bearer ${base64}`, 'Authorization: Bearer #authorization-header#'],
    ['a basic header', `authorization: basic dXNlcjpwYXNzd29yZDEyMw==`, 'authorization: basic #authorization-header#'],
    ['a key header', `x-api-key: ${base64}`, 'x-api-key: #authorization-header#'],
    ['a login of curl', 'curl -s -u ada:S3cret99 https://x.y', 'curl -s -u ada:#command-password# https://x.y'],
    ['a signed address', `https://a.b/c?x=1&sig=${base64}&y=2`, 'https://a.b/c?x=1&sig=#query-secret#&y=2'],
    [
      'an account key',
      `AccountName=a;AccountKey=${base64}==;End=1`,
      'AccountName=a;AccountKey=#connection-string#;End=1',
    ],
    ['a token in an npmrc', `//r.io/:_authToken=${base64}`, '//r.io/:_authToken=#npmrc-token#'],
    ['a token as user of an address', `https://${base64}@git.example/x.git`, 'https://#url-token#@git.example/x.git'],
    ['a webhook', `https://hooks.slack.com/services/T0AB/B0CD/${base64}`, 'https://hooks.slack.com/services/#webhook#'],
    ['a random word alone', 'Use q7Rk2ZpX9vLmN4tB8sYc6WdJ1hGf3QaE now', 'Use #high-entropy# now'],
    ['a key block cut off before its end', `-----BEGIN RSA PRIVATE KEY-----\n${base64}\n${base64}`, '#private-key#'],
    [
      'a key block with escaped line breaks',
      `{"k":"-----BEGIN PRIVATE KEY-----\\n${base64}\\n-----END PRIVATE KEY-----\\n"}`,
      '{"k":"#private-key#\\n"}',
    ],
    ['a token behind a line break of JSON', `{"a":"x\\nghp_${'a1B2'.repeat(9)}"}`, '{"a":"x\\n#github-token#"}'],
    ['a name behind a line break of JSON', '{"a":"x\\nDB_PW=Kx92mQp7"}', '{"a":"x\\nDB_PW=#password-assignment#"}'],
    [
      'a value that was put into JSON three times',
      JSON.stringify(JSON.stringify(JSON.stringify({ kucoin: 'dcd9b441ce624be7ef88a2d9' }))),
      JSON.stringify(JSON.stringify(JSON.stringify({ kucoin: '#vendor-assignment#' }))),
    ],
    ['a bracket in a password', 'DB_PASSWORD="Ab(c9!xYz7Q"', 'DB_PASSWORD="#password-assignment#"'],
    ['a password that begins as a variable does', 'password: "$Kx92mQp"', 'password: "#password-assignment#"'],
    ['a password in braces', '"password": "{Kx92mQp7}"', '"password": "#password-assignment#"'],
    ['a password with dots in it', 'password = "Kx92mQp7...zL4wTn8!"', 'password = "#password-assignment#"'],
    ['a password called pass', '{"pass": "Kx92mQp7"}', '{"pass": "#password-assignment#"}'],
    ['a line of .netrc', 'machine h login ada password Kx92', 'machine h login ada password #netrc-password#'],
    ['the password of mysql', 'mysql -uroot -pKx92mQp7 shop', 'mysql -uroot -p#command-password# shop'],
    ['a login outside of curl', 'fetch -u ada:Kx92mQp7 x', 'fetch -u ada:#command-password# x'],
    ['a session', 'Cookie: sessionid=q7rk2zpx9vlmn4tb8syc; a=b', 'Cookie: sessionid=#session-cookie#; a=b'],
    ['a password in German', 'Das Passwort lautet Kx92mQp7.', 'Das Passwort lautet #password-assignment#.'],
    ['a password in Spanish', 'Contraseña: Kx92mQp7', 'Contraseña: #password-assignment#'],
    ['a password in Chinese', '密码是Kx92mQp7，别说。', '密码是#password-assignment#，别说。'],
    ['a password in French', 'Mot de passe : Kx92mQp7', 'Mot de passe : #password-assignment#'],
    ['a password in Portuguese', 'A senha é Kx92mQp7.', 'A senha é #password-assignment#.'],
    ['a password in Russian', 'Пароль: Kx92mQp7', 'Пароль: #password-assignment#'],
    ['a line of an env file to its end', 'DB_PASSWORD=aB,9x;Kq&2\nPORT=1', 'DB_PASSWORD=#password-assignment#\nPORT=1'],
  ];
  const ordinary: readonly string[] = [
    'docker run -u 1000:1000 -u node:node -u www-data:www-data image',
    'mysql -u root -p shop; mysql -p$DB_PASSWORD shop; mysql -P 3306',
    'A password manager keeps passwords; the password field is empty. Set a password to continue.',
    'get-password | sha256sum; token: string | undefined',
    'client.sessions.retrieve(session_id="sesn_011CZxAbc123Def456")',
    '{"check": "regex", "pass": true}, {"pass": "passed"}, {"pass": "2/3"}, pass: 0.85',
    '<Input password={form.password} token={props.token} />',
    'connect(password=get_password(user), token=fn(x1), secret=os.environ["TOKEN_1"])',
    '"password": "请输入密码", "password_label": "Пароль", Пароль: обратитесь к администратору, 密码：请在设置中修改',
    'Das Passwort: bitte ändern. La contraseña es obligatoria. A senha é necessária. Le mot de passe est requis.',
    'password = "[A-Za-z0-9]{12,32}", password: "$DB_PASSWORD_1", token: "${{ secrets.TOKEN_1 }}"',
    'Write to firstname.lastname2@example.com or mailto:ada.lovelace1815@example.com.',
    'const token = `ghp_${body.repeat(4)}`; password = `${user}-${salt}`',
    'Cookie: theme=dark; lang=en-GB; consent=analytics-and-marketing-accepted',
    'machine learning needs a login and a password',
  ];
  for (const text of ordinary) {
    it(`leaves alone ${text.slice(0, 60)}…`, () => {
      assert.equal(createRedactor({ key: 'k' }).redact(text).text, text);
    });
  }
  for (const [name, text, redacted] of cases) {
    it(`finds ${name}`, () => {
      const result = createRedactor({ key: 'k' }).redact(text).text;
      assert.equal(result.replaceAll(/REDACTED_([a-z-]+)_[0-9a-f]{12}/g, '#$1#'), redacted);
    });
  }

  it('looks up the value that secretlint reports, because its range can start at the name', () => {
    const secret = `${'aB3+'.repeat(9)}xY9z`;
    const text = `aws_secret_access_key = ${secret}\n`;
    const spans = atOnce(findWithSecretlint(text));
    assert.deepEqual(
      spans.map(({ start, end }) => text.slice(start, end)),
      [secret],
    );
  });

  it('finds what only secretlint knows after a byte order mark', () => {
    const token = `dckr_pat_${'aB3_x'.repeat(5)}aB`;
    const text = `\uFEFF${token}`;
    const spans = atOnce(findWithSecretlint(text));
    assert.deepEqual(
      spans.map(({ start, end }) => text.slice(start, end)),
      [token],
    );
  });
});
