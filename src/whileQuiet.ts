/** Runs `look` every few seconds for as long as nothing else happens, with the milliseconds since something did. */
export function whileQuiet(): { readonly from: (look: (ms: number) => void) => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => clearInterval(timer);
  return {
    from(look) {
      stop();
      const began = Date.now();
      timer = setInterval(() => look(Date.now() - began), everyMs);
      timer.unref();
    },
    stop,
  };
}

const everyMs = 2_500;
