/** One shape that gives a secret away. Where the pattern has a group `secret`, only that part is the secret. */
export interface SecretShape {
  readonly kind: string;
  readonly pattern: RegExp;
  /** A second look, where the shape alone would catch too much. */
  readonly accept?: (secret: string) => boolean;
}
