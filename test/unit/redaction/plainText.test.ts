import assert from 'node:assert/strict';
import { caseless, isPlain, matchesOf } from '../../../src/redaction/plainText.js';
import {
  key,
  otherPassword,
  password,
  phrase,
  rarePassword,
  token,
  user,
} from '../../../src/redaction/passwordNames.js';
import { seeded } from '../../../src/gate/rules/random.js';

const names = { password, otherPassword, rarePassword, phrase, token, key, user };

/** What names are made of and stand between, some of it nearly a name. */
const pieces =
  'password|Pa$$w0rd|P4SSCODE|pas5wort|pwd|PW|mdp|rootpw|keyStorePass|kennwort|zugangscode|contrasena|contrasenya|mot de passe|mots de passe|senhas|palavra-passe|clave|palabra |palabras |clave secreta|mi clave|wachtwoorden|adgangskode|salasana|kata sandi|sandi|heslo|hesla|haslo|parol|paroli|sifre|jelsz|lozinku|geslo|passord|passordet|pass-phrase|seed phrase|mnemonic|frase secreta|token|tokens|API key|api-key|license key|activation code|WPA2-key|wi-fi key|wpa-psk|username|user id|usr|login|benutzername|usuario|utilisateur|“|”|→|–|…|½|©|\u00a0| |\n|-|_|.|:|s|x|K|1'.split(
    '|',
  );

describe('a pattern of names', () => {
  it('finds the same in a plain text as it is read for any', () => {
    const random = seeded(11);
    const met = new Set<string>();
    for (let round = 0; round < 1_000; round += 1) {
      const text = Array.from({ length: 30 }, () => pieces[Math.floor(random() * pieces.length)] ?? '').join('');
      assert.ok(isPlain(text), text);
      for (const [name, source] of Object.entries(names)) {
        const pattern = caseless(source);
        const places = placesOf(pattern, text, true);
        assert.deepEqual(places, placesOf(pattern, text, false), `${name} in ${text}`);
        for (const place of places) met.add(`${name} ${place.replace(/^\d+ /, '').toLowerCase()}`);
      }
    }
    assert.ok(met.size > 50, `${met.size} different names were met`);
  });

  it('is found in letters beyond ASCII and in their other case, where a text is not plain', () => {
    for (const text of ['Mein Paſſwort', 'MOT DE PASSE à LÖSENORD', 'ПАРОЛЬ', 'KENNWÖRTER', '密码', 'to\u212aen']) {
      assert.equal(isPlain(text), false, text);
      const found = Object.values(names).flatMap((source) => placesOf(caseless(source), text, isPlain(text)));
      assert.ok(found.length > 0, text);
    }
  });

  it('is refused where it would mean something else without Unicode', () => {
    assert.throws(() => caseless(String.raw`[\p{L}-]x`));
    assert.throws(() => caseless(String.raw`\p{Lu}`));
    assert.throws(() => caseless(String.raw`\u{1f511}`));
  });
});

describe('a plain text', () => {
  it('has no sign that is a letter, is part of a word or of a pair, or has another case', () => {
    const plain = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code)).filter(isPlain);
    assert.ok(plain.length > 128 + 900, `${plain.length} signs`);
    for (const sign of plain.slice(128)) {
      const told = `U+${sign.charCodeAt(0).toString(16)}`;
      assert.doesNotMatch(sign, /[\p{L}\p{M}\p{Nd}\p{Cs}]/u, told);
      assert.doesNotMatch(sign, /[\0-\x7f]|\w/iu, told);
      assert.deepEqual([sign.toLowerCase(), sign.toUpperCase()], [sign, sign], told);
    }
  });
});

function placesOf(pattern: ReturnType<typeof caseless>, text: string, plain: boolean): readonly string[] {
  return Array.from(matchesOf(pattern, text, plain), ({ index, 0: found }) => `${index} ${found}`);
}
