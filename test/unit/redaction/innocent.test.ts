import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createRedactor } from '../../../src/redaction/redactor.js';

const folder = 'test/fixtures/redaction/innocent';

/** What is taken out although it is none, because what stands there in this form is a password more often. */
const accepted: Readonly<Record<string, string>> = {
  'The dummy password is "test1234".': 'people do use such a word, and it is told in quotes',
  'Das Testpasswort ist „geheim“.': 'any word in quotes behind “the password is” may be it',
  'Password⏎Min-Length-12⏎Max-Length-72': 'it has the form of “Blue-Fish-42”, on a line of its own below the name',
};

/** The texts of a file, one a line, with ⏎ for their line breaks; a line that begins with == says what they are about. */
function textsOf(file: string): readonly string[] {
  const lines = readFileSync(path.join(folder, file), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('== '));
}

function taken(text: string): readonly string[] {
  const redactor = createRedactor({ key: 'k' });
  const { found } = redactor.redact(text.replaceAll('⏎', '\n'));
  return found.map(({ kind, placeholder }) => `${kind}: ${redactor.restore(placeholder)}`);
}

describe('innocent words beside the names of secrets', () => {
  const files = readdirSync(folder);

  it('are many, of many kinds', () => {
    const texts = new Set(files.flatMap((file) => textsOf(file)));
    assert.ok(texts.size >= 800, `${texts.size} texts`);
    for (const text of Object.keys(accepted)) assert.ok(texts.has(text), text);
  });

  for (const file of files) {
    it(`stay: ${path.parse(file).name}`, () => {
      const touched = textsOf(file).map((text) => ({ text, taken: taken(text) }));
      assert.deepEqual(
        touched.filter((each) => each.taken.length > 0 && !(each.text in accepted)),
        [],
      );
    });

    it(`stay where they stand in one text: ${path.parse(file).name}`, () => {
      assert.deepEqual(
        taken(
          textsOf(file)
            .filter((text) => !(text in accepted))
            .join('\n'),
        ),
        [],
      );
    });
  }

  it('are taken out where that is accepted, so that the list stays true', () => {
    for (const [text, why] of Object.entries(accepted)) assert.notDeepEqual(taken(text), [], `${text}: ${why}`);
  });

  it('are not remembered from a command that holds no password', () => {
    const redactor = createRedactor({ key: 'k' });
    redactor.redact('openssl x509 -in c.pem -noout -dates && curl -k https://shop.example.com/health');
    const later = 'Is https://shop.example.com/health up?';
    assert.equal(redactor.redact(later).text, later);
  });
});
