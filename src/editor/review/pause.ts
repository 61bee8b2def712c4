/** Waits without asking for anything; only where the editor gives no event to wait for. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
