import assert from 'node:assert/strict';
import { createRedactor } from '../../../src/redaction/redactor.js';
import { told } from './toldSecrets.js';

const ordinary: readonly string[] = [
  'The password is required. The password for the shop is required, too.',
  'Link the password reset page (password in the footer: see design).',
  'secret -> see vault; secret -> vault; the secret is patience; the secret of good bread is time',
  'Settings -> Password -> Change password -> Save',
  'The password for the shop is in the vault; the password of the admin is with Ada.',
  'The password is **mandatory**, the password is “too short”, the password is 12-character or base64-encoded.',
  'passphrase: "Enter your passphrase", "passphrase": "The passphrase is wrong", passphrase: ""',
  '"password": "Choose a strong password", "password": "at least eight characters", password: "sign in first"',
  'A passphrase is a row of words that nobody guesses.',
  'My passphrase is kept in the safe of the office.',
  'the password "field" and the pwd "src/app"',
  'password to Windows11, password to log in, the password was forgotten yesterday',
  'hash(password) -> string; (password: string) -> bool; token -> Token; secret -> SecretRef',
  'The token for the build is missing; the API key for staging is in 1password.',
  'Das Passwort ist ungültig. Das Passwort ist erforderlich. Das Passwort für den Shop ist 8-stellig.',
  'Le mot de passe est obligatoire. Le mot de passe du serveur est dans le coffre.',
  'La contraseña es obligatoria. La contraseña del servidor es la de siempre. La clave: paciencia.',
  '密码是必填项。密码为空。忘记密码页面。密码：请在设置页面中修改。密码是什么？',
  'パスワードは必須です。パスワードは設定画面で変更できます。パスワードが違います。',
  '비밀번호는 필수입니다. Пароль обязателен. Пароль от сервера у администратора.',
  'the password: ask Anna',
  'token: the unit of text',
  'password: required',
  'key: value',
  'Password: Required\nUsername: Optional',
  'Passwort: erforderlich',
  'Mot de passe : obligatoire',
  'contraseña: obligatoria',
  'senha: obrigatória',
  '密码：必填',
  'Пароль: обязателен',
  'My password is wrong. My password is expired.',
  'Mein Passwort ist falsch',
  'The password is sunshine in a bottle, they say.',
  'Forgot password: settings',
  'You need a name and a password: whoever has\nboth may enter.',
  'You need a name and a password: whoever\nhas both may enter.',
  'The form has these fields.\npassword: required\nThen comes the button.',
  'password: string\ntoken: string\nsecret: Buffer',
  '{ user: name, password: entered }',
  '[{"sample":"The letter on a lost password of the web shop is in drawer test 2."},{"id":"test-3","kind":"odd"}]',
  'api_key: environment\naccess_token: authentication\nclient_secret: kubernetes',
];

describe('secrets as people tell them', () => {
  for (const text of told)
    it(`are taken out: ${text}`, () => {
      const [before, secret = '', after] = text.split(/[⟦⟧]/u);
      const redactor = createRedactor({ key: 'k' });
      const shown = redactor.redact(`${before}${secret}${after}`).text;
      assert.equal(shown.replaceAll(/REDACTED_[a-z-]+_[0-9a-f]{12}/gu, '⟦⟧'), `${before}⟦⟧${after}`);
      assert.equal(redactor.restore(shown), `${before}${secret}${after}`);
    });

  for (const text of ordinary)
    it(`are none: ${text}`, () => assert.equal(createRedactor({ key: 'k' }).redact(text).text, text));
});
