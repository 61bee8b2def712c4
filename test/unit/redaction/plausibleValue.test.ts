import assert from 'node:assert/strict';
import { looksRandom } from '../../../src/redaction/plausibleValue.js';
import { standsForSecret } from '../../../src/redaction/standIn.js';

describe('plausible values', () => {
  const random: readonly [value: string, random: boolean][] = [
    ['9f86d081884c7d659a2feaa0c55ad015', true],
    ['123e4567-e89b-42d3-a456-426614174000', true],
    ['xotrkj1mrbyy114owhz5nl88gpaowh', true],
    ['dgtsadnkqubrchlp', true],
    ['wlmkeimugczkudo', true],
    ['geburtstagsgeschenk', false],
    ['malheureusement', false],
    ['kubernetes', false],
    ['my-oauth2-client', false],
    ['gpt-4o-mini', false],
    ['2024-11-05', false],
    ['v1.22.333.4444', false],
    ['https://example.com/a1b2c3d4', false],
    ['4096', false],
    ['short1', false],
    ['two words 12345678', false],
    ['${TOKEN_123456}', false],
  ];
  for (const [value, expected] of random) {
    it(`${value} ${expected ? 'looks' : 'does not look'} random`, () => assert.equal(looksRandom(value), expected));
  }

  const standIns: readonly [value: string, standsIn: boolean][] = [
    ['<your-token>', true],
    ['{{ token }}', true],
    ['$API_KEY', true],
    ['%API_KEY%', true],
    ['********', true],
    ['YOUR_API_KEY', true],
    ['my-secret-password', true],
    ['process.env.KEY', true],
    ['user.password', true],
    ['getPassword()', true],
    ['string', true],
    ['/etc/ssl/key.pem', true],
    ['hunter2!', false],
    ['correcthorsebattery', false],
    ['tZTMMyCiDSoAhl', false],
  ];
  for (const [value, expected] of standIns) {
    it(`${value} ${expected ? 'stands' : 'does not stand'} for a secret`, () =>
      assert.equal(standsForSecret(value), expected));
  }
});
