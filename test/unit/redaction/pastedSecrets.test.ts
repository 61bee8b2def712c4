import assert from 'node:assert/strict';
import { createRedactor } from '../../../src/redaction/redactor.js';
import { isFull } from '../../builders/few.js';
import { timeOf } from '../../builders/linearTime.js';

const token = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAaB3d';

/** Secrets as they reach a chat by paste or in passing; each stands between two marks. */
const pasted: readonly string[] = [
  'the password’s “⟦S3cretQuo9!x⟧”',
  "The password's ⟦S3cretQuo9!x⟧, as before.",
  'root (pw ⟦S3cretPar9!x⟧)',
  'user bob pass ⟦S3cretUP9!x⟧',
  'username: bob, pass: ⟦S3cretUP9!x⟧',
  'credentials: bob ⟦S3cretCreds9!⟧',
  'login with bob / ⟦S3cretSlash9!⟧',
  'user,password\nbob,⟦S3cretCsv9!x⟧\nann,⟦blauer7mond⟧\n',
  'user;role;password\r\nbob;admin;⟦S3cretCsv9!x⟧\r\n',
  'user\tpassword\nbob\t⟦S3cretCsv9!x⟧',
  '"user","password"\n"bob, the first","⟦S3cret,Csv9!x⟧"\n',
  'name,api_key\nshop,⟦q7rk2zpx9vlm33⟧\n',
  '| user | password |\n|---|:-:|\n| bob | `⟦S3cretMd9!x⟧` |\n',
  'Password:&nbsp;<b>⟦S3cretHtml9!x⟧</b>',
  '<tr><td>Password</td><td class="v">⟦S3cretHtml9!x⟧</td></tr>',
  '<table>\n<tr><th>user</th><th>password</th></tr>\n<tr><td>bob</td><td>⟦Zq7wk2xv9rt4mplx8⟧</td></tr>\n<tr><td>ann</td><td>⟦S3cretHtml9!x⟧</td></tr>\n</table>',
  '<input type="hidden" name="apikey" value="⟦Zq7wk2xv9rt4mplx8⟧">',
  'db.example.com:5432:shop:bob:⟦S3cretPg9!x⟧',
  '*:*:*:bob:⟦S3cretPg9!x⟧\n',
  'bob:⟦$apr1$abcdefgh$Q1w2E3r4T5y6U7i8O9p0a.⟧',
  'bob:⟦$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC⟧',
  'bob:{SHA}⟦VBPuJHI7uixaa6LQGWx4s+5GKNE=⟧',
  'root:⟦$6$saltsalt$IxDD3jeSOb5eB1CX5LBsqZFVkJdido3OUILO5Ifz5iw⟧:19000:0:99999:7:::',
  'https://shop.example.com/?api%5Fkey=⟦q7rk2zpx9vlm33aa⟧',
  `Use ⟦ghp%5F${token}⟧ here.`,
  `{"a":"⟦ghp\\u005f${token}⟧"}`,
  `Use ⟦ghp_${token.slice(0, 9)}\u00AD${token.slice(9)}⟧ here.`,
  `Use ⟦ghp_${token.slice(0, 9)}\u200B${token.slice(9, 20)}\u2060${token.slice(20)}⟧ here.`,
  `Use ⟦ghp_${token.slice(0, 9)}\u001B[0m${token.slice(9)}⟧ here.`,
  `Use ⟦ghp_${token.slice(0, 10)}\n${token.slice(10)}⟧ here.`,
  `Use ⟦ghp_${token.slice(0, 30)}\r\n  ${token.slice(30)}⟧`,
  'p\u0430ssword: ⟦S3cretHomo9!x⟧',
  '\uFF50\uFF41\uFF53\uFF53\uFF57\uFF4F\uFF52\uFF44: ⟦S3cretWide9!x⟧',
  'API key:&nbsp;<code>⟦q7rk2zpx9vlm33aa⟧</code>',
  `Use ⟦ghp&#95;${token}⟧ here.`,
  'the PIN is ⟦483920⟧',
  'PIN-Code: ⟦483920⟧',
  'totp: ⟦JBSWY3DPEHPK3PXP⟧',
  'My pin for the door is ⟦4839⟧.',
  'otpauth://totp/Shop:bob?secret=⟦JBSWYEDPEHPKAPXP⟧&issuer=Shop',
  'TOTP secret ⟦JBSW Y3DP EHPK 3PXP⟧',
  'card ⟦4111 1111 1111 1111⟧, valid till May',
  'card ⟦5555-5555-5555-4444⟧',
  '"pan": "⟦378282246310005⟧"',
  // Name and value apart, and numbers by what they open.
  '- name: DB_PASSWORD\n  value: ⟦Kl4zX7cV1b⟧',
  '  - name: POSTGRES_PASSWORD\n    value: "⟦hunter2x⟧"\n  - name: PORT\n    value: "8080"',
  '{"name":"DB_PASS","value":"⟦Kl4zX7cV1b⟧"}',
  '[{"name": "PORT", "value": "8080"}, {"name": "API_TOKEN", "value": "⟦Kl4zX7cV1b⟧"}]',
  '{"value": "⟦Kl4zX7cV1b⟧", "name": "DB_PASSWORD"}',
  '{\\"name\\":\\"DB_PASS\\",\\"value\\":\\"⟦Kl4zX7cV1b⟧\\"}',
  'ParameterKey=DbPassword,ParameterValue=⟦Kl4zX7cV1b⟧',
  '<add key="SmtpPwd" value="⟦Kl4zX7cV1b⟧" />',
  "pymysql.connect('db', 'root', '⟦Kl4zX7cV1b⟧', 'shop')",
  "mysqli_connect('localhost','root','⟦Kl4zX7cV1b⟧','shop')",
  'DriverManager.getConnection(url, "sa", "⟦Kl4zX7cV1b⟧")',
  'client.authenticate("bob", "⟦Kl4zX7cV1b⟧")',
  'The last column is the password.\nbob,admin,⟦Kl4zX7cV1b⟧\nann,user,⟦S3cretCol9!x⟧',
  'Die zweite Spalte ist das Passwort.\n\n| bob | ⟦Sommer2024⟧ |\n| ann | ⟦Kl4zX7cV1b⟧ |',
  'bob admin ⟦Kl4zX7cV1b⟧\nann user ⟦S3cretCol9!x⟧\nThe third field is the password.',
  'P a s s w o r d : ⟦Kl4zX7cV1b⟧',
  'pa**ss**word: ⟦Kl4zX7cV1b⟧',
  'The SMS said ⟦847261⟧, that is my verification code',
  'My alarm code is ⟦6042⟧',
  'SIM PIN ⟦6042⟧, PUK ⟦48176042⟧',
  'The door code is ⟦6043⟧',
  'My alarm code at the office is ⟦4031⟧',
  'type ⟦JBSWY3DPEHPK3PXP⟧ into the authenticator',
  'Put ⟦JBSW Y3DP EHPK 3PXP⟧ into my authenticator app',
];

const ordinary: readonly string[] = [
  'The password’s “strength” meter shows the password’s length; the password’s SHA256 is stored.',
  'All tests pass 3x faster; pass OAuth2Token to it, then pass `x1` on. They pass E2E/CI2.',
  'login with Google / GitHub; login with OAuth2 / OpenIDConnect; credentials: see 1Password; sign in as bob / ann',
  'user bob passes 3 tests, user bob pass rate 93.5%',
  'user,role\nbob,Admin9!x\n',
  'user, password, host\nname, value, port2\n',
  '| user | password |\n|---|---|\n| bob | required |\n| ann | see the vault |\n',
  '| Option | Token | Meaning |\n|---|---|---|\n| auth | `GITHUB_TOKEN` | who asks |\n',
  '| Test | Pass | Fail |\n|---|---|---|\n| e2e | 12 | 3 |\n',
  '<th>Password</th><th>Description</th> Password:&nbsp;<b>required</b>',
  'main.c:12:5:error:undeclared\nweb.example.com:8080:web:app:latest\nfile.ts:3:9:error:TS2304',
  "$1$2 and $6$, awk '{print $1$2$3$4$5$6}', {SHA} is old",
  'pin: 13, the pin is 7, a PIN must have 4 digits, the PIN is 1234, pinned to 20240501',
  'TOTP secret: ask your admin, then scan. The authenticator key that your phone will show once',
  '4111 1111 1111 1112, 978-3-16-148410-0, DE89 3704 0044 0532 0130 00, 1731940000000, 4.111111111111111',
  '100%50 off, C:\\x64\\bin, caf\\u00e9, [\\u0041-\\u005a]',
  'Пароль обязателен, API-ключ, docker-контейнер, Wi-Fi, Ωmega, 1️⃣ ✔️',
  'see the files under some-long-name-here\nabc123 is next, git show my_branch.name\n3f2a9c1',
];

describe('secrets as they are pasted', () => {
  for (const text of pasted)
    it(`are taken out whole: ${JSON.stringify(text)}`, () => {
      const plain = text.replaceAll(/[⟦⟧]/gu, '');
      const redactor = createRedactor({ key: 'k' });
      const shown = redactor.redact(plain).text;
      assert.equal(shown.replaceAll(/REDACTED_[a-z-]+_[0-9a-f]{12}/gu, '⟦⟧'), text.replaceAll(/⟦[^⟧]*⟧/gu, '⟦⟧'));
      assert.equal(redactor.restore(shown), plain);
      assert.equal(redactor.redact(shown).text, shown);
    });

  for (const text of ordinary)
    it(`are none: ${JSON.stringify(text)}`, () => assert.equal(createRedactor({ key: 'k' }).redact(text).text, text));

  it('leave two tokens on two lines two', () => {
    const shown = createRedactor({ key: 'k' }).redact(`ghp_${token}\nghp_${token.slice(1)}9\n`).text;
    assert.match(shown, /^REDACTED_github-token_\w{12}\nREDACTED_github-token_\w{12}\n$/u);
  });

  const rows = [
    'user,password\n',
    'password,',
    '"a|',
    'pass ',
    'login a/',
    'user a pass ',
    'password’s ',
    'Password<b>',
    '%5F',
    'a\u200B',
    'a\u0430',
    'ab_cdefg1\n',
    'PIN for a ',
    '1234 ',
    '4111-1111-1111-',
    'a:*:a:',
    '$6$a',
    'OTP secret ABCD ',
    'name: DB_PASSWORD\n',
    '"name":"a","value":"b',
    'connect(a, ',
    'last column is the key. ',
    'a**b',
    'a b ',
    '1234, that is ',
  ];
  for (const row of isFull ? rows : rows.filter((_, at) => at % 4 === 0))
    it(`are looked for in a long row of ${JSON.stringify(row)} in linear time`, () => {
      const text = row.repeat(Math.ceil(60_000 / row.length));
      const taken = timeOf(() => createRedactor({ key: 'k' }).redact(text));
      assert.ok(taken < 3000, 'a pattern backtracks');
    });
});
