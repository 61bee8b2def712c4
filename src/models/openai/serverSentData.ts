/**
 * The data of a stream of server-sent events, one string an event, until the stream ends. Calls `onBytes` for everything
 * that arrives, comments included: servers send them as a sign of life while a model thinks. An abort throws here; the
 * SDK's own reader ends silently instead.
 */
export async function* serverSentData(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    onBytes();
    const events = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n\r?\n/);
    rest = events.pop() ?? '';
    yield* events.flatMap(dataOf);
  }
  yield* dataOf(rest + decoder.decode());
}

/** None for a comment or a bare event name; several lines of data are one. */
function dataOf(event: string): readonly string[] {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? [] : [lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n')];
}
