/**
 * Runs `work` on every item, at most `limit` at a time, and gives the results in the order of the items. The first
 * error stops further starts; it is thrown once what had started has ended.
 */
export async function concurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const queue = items.entries();
  const results: (readonly [number, R])[] = [];
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (failure !== undefined) return;
      try {
        results.push([index, await work(item, index)]);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failure !== undefined) throw failure.error;
  return results.sort(([a], [b]) => a - b).map(([, result]) => result);
}
