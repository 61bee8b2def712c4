/** Calls whose answer nobody wanted any more; nothing where there are none, as in what earlier versions stored. */
export function withCancelled(calls: number): { readonly cancelledCalls?: number } {
  return calls === 0 ? {} : { cancelledCalls: calls };
}
