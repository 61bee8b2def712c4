const attempts = 5;

/**
 * As a person does who sees that a busy window lost a key, or closed a box because something took the focus: once more
 * from the start. Only for steps that can be taken twice, and whose waits are short. The last failure is the failure.
 */
export async function again<T>(step: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < attempts; attempt += 1) {
    try {
      return await step();
    } catch {
      // and again
    }
  }
  return step();
}
