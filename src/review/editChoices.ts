/** Which open edits the person left checked. Everything is checked until a box is cleared; nothing is decided by it. */
export class EditChoices {
  readonly #cleared = new Set<string>();

  has(proposal: string, edit: string): boolean {
    return !this.#cleared.has(keyOf(proposal, edit));
  }

  set(proposal: string, edit: string, checked: boolean): void {
    if (checked) this.#cleared.delete(keyOf(proposal, edit));
    else this.#cleared.add(keyOf(proposal, edit));
  }
}

function keyOf(proposal: string, edit: string): string {
  return `${proposal} ${edit}`;
}
