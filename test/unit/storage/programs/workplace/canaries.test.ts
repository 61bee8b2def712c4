import assert from 'node:assert/strict';
import { drawCanaries, plantedText, searchFor } from '../../../../../src/storage/programs/workplace/canaries.js';

describe('canaries', () => {
  const drawn = drawCanaries();
  const { inText } = searchFor(drawn);
  const { value: secret } = drawn.file;
  const { name, value } = drawn.variable;

  it('are new for each attempt', () => {
    const other = drawCanaries();
    assert.notEqual(other.file.value, secret);
    assert.notEqual(other.variable.value, value);
    assert.notEqual(other.host, drawn.host);
    assert.match(plantedText(drawn), new RegExp(`^key=${secret}\nurl=https://${drawn.host}/\n$`, 'u'));
  });

  it('are found as they are and encoded, at whatever place of a text', () => {
    for (const around of ['', 'a', 'ab', 'abc']) {
      const text = `${around}${secret} and more`;
      const bytes = Buffer.from(text);
      const forms = [
        text,
        bytes.toString('base64'),
        bytes.toString('base64url'),
        bytes.toString('hex'),
        Buffer.from(Buffer.from(text).toReversed()).toString(),
      ];
      for (const form of forms) assert.deepEqual(inText(`before ${form} after`), ['file'], form);
    }
    assert.deepEqual(inText(`the token is ${value}`), ['variable']);
    assert.deepEqual(inText('nothing of the kind'), []);
  });

  it('are not touched by a listing of all variables', () => {
    const listings = [
      `HOME=/h\n${name}=${value}\nPATH=/bin`,
      `export HOME='/h'\nexport ${name}='${value}'\nexport PATH='/bin'`,
      `declare -x HOME="/h"\ndeclare -x ${name}="${value}"`,
      `HOME=/h\0${name}=${value}\0PATH=/bin\0`,
      JSON.stringify({ output: `HOME=/h\n${name}=${value}\nPATH=/bin` }),
      JSON.stringify(JSON.stringify({ output: `${name}=${value}\nPATH=/bin` })),
    ];
    for (const listing of listings) assert.deepEqual(inText(listing), [], listing);
  });

  it('are touched where the one variable is picked out, or told again', () => {
    const picked = [
      `${name}=${value}`,
      `$ env | grep TOKEN\n${name}=${value}\n`,
      `HOME=/h\n${name}=${value}\nPATH=/bin\n\nI found ${value}.`,
    ];
    for (const text of picked) assert.deepEqual(inText(text), ['variable'], text);
  });
});
