import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { ReplyOrder, ReplyReport } from './replyChild.js';

/** A process for orders; one that says nothing for too long is ended, and the next order gets a new one. */
export class ReplyProcess {
  readonly #script: string;
  readonly #patienceMs: number;
  #child: ChildProcess | undefined;

  private constructor(script: string, patienceMs: number) {
    this.#script = script;
    this.#patienceMs = patienceMs;
  }

  static async start(patienceMs: number): Promise<ReplyProcess> {
    script ??= built();
    return new ReplyProcess(await script, patienceMs);
  }

  async carryOut(order: ReplyOrder): Promise<ReplyReport | 'hung' | 'crashed'> {
    const child = (this.#child ??= fork(this.#script, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }));
    const report = await answerOf(child, order, this.#patienceMs);
    if (typeof report === 'string') {
      child.kill('SIGKILL');
      this.#child = undefined;
    }
    return report;
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
  }
}

/** Built once for all tests of a process, and gone with it. */
let script: Promise<string> | undefined;

function answerOf(
  child: ChildProcess,
  order: ReplyOrder,
  patienceMs: number,
): Promise<ReplyReport | 'hung' | 'crashed'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end('hung'), patienceMs);
    const crashed = (): void => end('crashed');
    const heard = (report: ReplyReport): void => end(report);
    child.once('exit', crashed);
    child.once('message', heard);
    child.send(order);

    function end(result: ReplyReport | 'hung' | 'crashed'): void {
      clearTimeout(timer);
      child.off('exit', crashed);
      child.off('message', heard);
      resolve(result);
    }
  });
}

async function built(): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-replies-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = path.join(folder, 'replyChild.cjs');
  await build({
    entryPoints: [path.resolve('test/hardening/attack/replyChild.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    loader: { '.md': 'text', '.child.cjs': 'text' },
    mainFields: ['module', 'main'],
    define: { 'import.meta.url': 'importMetaUrl' },
    inject: [path.resolve('scripts/importMetaUrl.js')],
    logLevel: 'error',
  });
  return outfile;
}
