import * as z from 'zod';
import { parseJson } from '../parseJson.js';
import type { Envelopes } from './envelope.js';

/** What became of a job that was to be queued. */
export type QueueEntry =
  /** The number is of no use any more: that job failed before, or somebody else has laid one there. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'queued'; readonly nonce: string; readonly expiresAt: number }
  /** An earlier process of this run queued it; where it is answered nobody knows its nonce any more. */
  | {
      readonly kind: 'found';
      /** Whether it was answered before somebody looked. */
      readonly wasOver: boolean;
      readonly nonce: string | undefined;
      readonly expiresAt: number;
    };

/** The job of an earlier process of this run that waits or is under way; undefined where there is none. */
export function knownJob(
  stored: unknown,
  at: { readonly id: string; readonly runId: string; readonly now: number },
  envelopes: Envelopes,
): QueueEntry | undefined {
  const job = StoredJob.safeParse(stored);
  if (!job.success || job.data.data === undefined) return undefined;
  if (job.data.finishedOn !== undefined) return { kind: 'taken' };
  const data = StoredData.safeParse(parseJson(job.data.data));
  const opened = envelopes.open(data.data?.sealed, { kind: 'job', ...at });
  if (opened.kind === 'refused') return { kind: 'taken' };
  const { nonce } = Nonce.parse(parseJson(opened.content.toString('utf8')));
  return { kind: 'found', wasOver: false, nonce, expiresAt: opened.label.expiresAt };
}

const StoredJob = z.object({ data: z.string().optional(), finishedOn: z.string().optional() });
const StoredData = z.object({ sealed: z.string() });
const Nonce = z.object({ nonce: z.string() });
