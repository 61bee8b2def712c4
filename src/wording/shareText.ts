import { percent } from './amounts.js';
import { t } from './translate.js';

/** How far a run is, and whether anybody answers. */
export interface ShownShare {
  readonly share: number;
  readonly leftMs: number | undefined;
  readonly silence?: { readonly ms: number; readonly failed: number } | undefined;
}

/**
 * `35 % · about 2 min left`: how far a run is, and how long the rest may take where that is known. While its server is
 * silent `35 % · no answer for 40 s, 12 calls failed`.
 */
export function shareText({ share, leftMs, silence }: ShownShare): string {
  const done = percent(share);
  if (silence !== undefined) return `${done} · ${silenceText(silence)}`;
  return leftMs === undefined ? done : `${done} · ${leftText(leftMs)}`;
}

/** `less than 1 min left`, `about 4 min left`, `about 3 h left`. */
export function leftText(leftMs: number): string {
  const minutes = leftMs / 60_000;
  if (minutes < 1) return t('less than 1 min left');
  return minutes < 90 ? t('about {0} min left', Math.round(minutes)) : t('about {0} h left', Math.round(minutes / 60));
}

/** `no answer for 40 s, 12 calls failed`. */
export function silenceText({ ms, failed }: NonNullable<ShownShare['silence']>): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const time = seconds < 120 ? t('{0} s', seconds) : t('{0} min', Math.floor(seconds / 60));
  return failed === 1
    ? t('no answer for {0}, 1 call failed', time)
    : t('no answer for {0}, {1} calls failed', time, failed);
}
