/** Reading what lies beside a skill. Paths are absolute. */
export interface FixtureFiles {
  /** The bytes, or undefined where there is no such file. Throws what else the file system says. */
  read(path: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
}
