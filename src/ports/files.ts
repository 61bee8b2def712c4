/** Reading what lies beside a skill. Paths are absolute. */
export interface FixtureFiles {
  /** The bytes, or undefined where there is no such file. Throws what else the file system says. */
  read(path: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Every file of a folder, those of its folders among them, in order: what a program could run is all of it. */
  list(folder: string, signal: AbortSignal): Promise<readonly string[]>;
}
