/**
 * The texts that bytes can be read as, to be searched for secrets: the text itself; of what holds NUL bytes, as programs do
 * and texts in UTF-16, what can be read in it, with those bytes as breaks and without them.
 */
export function readings(bytes: Uint8Array): readonly string[] {
  const marked = markedUtf16(bytes);
  if (marked !== undefined || !bytes.includes(0)) return [new TextDecoder(marked).decode(bytes)];
  const broken = bytes.map((byte) => (byte === 0 ? 10 : byte));
  const joined = bytes.filter((byte) => byte !== 0);
  return [broken, joined].map((each) => printedLines(new TextDecoder().decode(each)));
}

function markedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

const shortest = 8; // no secret is shorter

function printedLines(text: string): string {
  const lines = text.replaceAll(unprinted, '\n').split('\n');
  return lines.filter((line) => line.length >= shortest).join('\n');
}

/** Also U+FFFD, which stands for what is no UTF-8. Counted, since a run may be as long as the file. */
const unprinted = /[^\t\n\r\u0020-\u007E\u00A0-\uFFFC]{1,500}/gu;
