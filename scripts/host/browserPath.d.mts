/** The path of an installed Chrome or Chromium, or undefined. */
export function findBrowser(env?: NodeJS.ProcessEnv): string | undefined;
