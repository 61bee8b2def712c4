import assert from 'node:assert/strict';
import { seeded } from '../../../../src/gate/rules/random.js';
import { caseless, findingIn, isLatin } from '../../../../src/redaction/names/caselessPattern.js';
import {
  key,
  otherPassword,
  password,
  phrase,
  rarePassword,
  token,
  user,
} from '../../../../src/redaction/names/passwordNames.js';

const names = { password, otherPassword, rarePassword, phrase, token, key, user };

/** What names are made of and stand between, some of it nearly a name. */
const pieces =
  'password|Pa$$w0rd|P4SSCODE|pas5wort|pwd|PW|mdp|rootpw|keyStorePass|kennwort|KENNWÖRTER|zugangscode|contraseñas|CONTRASEÑA|contrasenya|mot de passe|mots de passe|senhas|palavra-passe|clave|palabra |palabras |clave secreta|mi clave|wachtwoorden|adgangskode|salasana|kata sandi|sandi|heslo|hesla|HASŁO|hasło|parol|parolă|parolę|şifre|ŞİFREM|jelszó|jelszava|lozinku|geslo|lösenordet|passord|sésame|SÉSAME|pass-phrase|seed phrase|phrase secrète|mnemonic|frase secreta|token|tokens|API key|api-key|license key|activation code|wlan-schlüssel|clé de licence|WPA2-key|wi-fi key|wpa-psk|username|user id|usr|login|benutzername|usuario|utilisateur|“|”|→|–|…|½|©|ª|ı|ß|ÿ|ã|Ń|\u00a0| |\n|-|_|.|:|s|x|K|1'.split(
    '|',
  );

describe('a pattern of names', () => {
  it('finds the same in a Latin text as where it is read for any', () => {
    const random = seeded(11);
    const met = new Set<string>();
    for (let round = 0; round < 1_000; round += 1) {
      const text = Array.from({ length: 30 }, () => pieces[Math.floor(random() * pieces.length)] ?? '').join('');
      assert.ok(isLatin(text), text);
      for (const [name, source] of Object.entries(names)) {
        const pattern = caseless(source);
        const places = placesOf(text.matchAll(pattern.inLatinText));
        assert.deepEqual(places, placesOf(text.matchAll(pattern.inAnyText)), `${name} in ${text}`);
        assert.deepEqual(places, placesOf(findingIn(text)(pattern)));
        for (const place of places) met.add(`${name} ${place.replace(/^\d+ /, '').toLowerCase()}`);
      }
    }
    assert.ok(met.size > 60, `${met.size} different names were met`);
  });

  it('is found in other letters and in their other case', () => {
    for (const text of ['Mein Pa\u017f\u017fwort', 'ПАРОЛЬ', 'κωδικός πρόσβασης', '密码', 'to\u212aen']) {
      assert.equal(isLatin(text), false, text);
      const found = Object.values(names).flatMap((source) => placesOf(findingIn(text)(caseless(source))));
      assert.ok(found.length > 0, text);
    }
  });

  it('is looked for in a Latin text without the names of other alphabets, however they are grouped', () => {
    assert.equal(latinSource('(?:a[(|]b|密[码碼]|парол(?:ь|я))|c(?:密|d)?|口'), '(?:a[(|]b)|c(?:密|d)?');
    assert.equal(latinSource('(?:密|a)(?:b|口)'), '(?:密|a)(?:b|口)', 'two groups are not one');
    assert.equal(latinSource('я?a|я{0,2}b|я'), 'я?a|я{0,2}b');
    assert.equal(latinSource(String.raw`\(|\)a|密`), String.raw`\(|\)a`);
    assert.doesNotMatch('密', caseless('密|口').inLatinText);
    assert.doesNotMatch(latinSource(password), /[^\0-\u1eff]/);
  });

  it('is refused where it would mean something else without Unicode', () => {
    assert.throws(() => caseless(String.raw`[\p{L}-]x`), /without u/);
    assert.throws(() => caseless(String.raw`\p{Lu}`), /without u/);
    assert.throws(() => caseless(String.raw`\u{1f511}`), /without u/);
  });
});

describe('a Latin text', () => {
  const latin = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code)).filter(isLatin);

  it('has the signs and letters of Europe', () => {
    assert.ok(latin.length > 1_200, `${latin.length} signs`);
    assert.ok(isLatin('São Paulo, Gdańsk, Örebro, Besançon: “1,5 °C” → ½ …'));
  });

  it('has no half of a pair, and no letter that is none in the class of letters or the other way round', () => {
    const { inLatinText, inAnyText } = caseless(String.raw`\p{L}`);
    for (const sign of latin) {
      const told = `U+${sign.charCodeAt(0).toString(16)}`;
      assert.doesNotMatch(sign, /\p{Cs}|\p{M}/u, told);
      assert.equal(sign.search(inLatinText), sign.search(inAnyText), told);
      assert.equal(/\w/i.test(sign), /\w/iu.test(sign), told);
    }
  });

  it('has the same pairs of cases, read as Unicode or not', () => {
    const all = latin.join('');
    for (const sign of latin) {
      const source = `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
      assert.deepEqual(all.match(new RegExp(source, 'gi')), all.match(new RegExp(source, 'giu')), source);
    }
  });
});

function placesOf(matches: Iterable<RegExpExecArray>): readonly string[] {
  return Array.from(matches, ({ index, 0: found }) => `${index} ${found}`);
}

function latinSource(source: string): string {
  return caseless(source).inLatinText.source;
}
