import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** The calls that need room, a free descriptor or a drive that answers. */
const writing = ['mkdtemp', 'mkdir', 'writeFile', 'open', 'rename'] as const;
/** Of a disk that is read-only nothing can be taken away either. */
const readOnly = [...writing, 'unlink'] as const;

/**
 * Lets every call of this process that writes below `folder` fail as the system does with `code`, while `work` goes on.
 * The code under test is the real one; only the system's answer is another.
 */
export async function withFaultyDisk<T>(folder: string, code: string, work: () => Promise<T>): Promise<T> {
  const names = code === 'EROFS' ? readOnly : writing;
  const before = names.map((name) => [name, promises[name]] as const);
  for (const [name, real] of before) {
    const faulty = (...given: readonly unknown[]): unknown => {
      const isRead = name === 'open' && (given[1] === undefined || given[1] === 'r');
      if (isRead || !String(given[0]).startsWith(folder)) return Reflect.apply(real, promises, given);
      return Promise.reject(systemError(code, name, String(given[0])));
    };
    Object.assign(promises, { [name]: faulty });
  }
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    for (const [name, real] of before) Object.assign(promises, { [name]: real });
    syncBuiltinESMExports();
  }
}

function systemError(code: string, syscall: string, path: string): Error {
  return Object.assign(new Error(`${code}: no such luck, ${syscall} '${path}'`), { code, syscall, path });
}
