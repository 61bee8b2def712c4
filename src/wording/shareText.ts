import { percent } from './amounts.js';
import { t } from './translate.js';

/** `35 % · about 2 min left`: how far a run is, and how long the rest may take where that is known. */
export function shareText({ share, leftMs }: { readonly share: number; readonly leftMs: number | undefined }): string {
  const done = percent(share);
  return leftMs === undefined ? done : `${done} · ${leftText(leftMs)}`;
}

/** `less than 1 min left`, `about 4 min left`, `about 3 h left`. */
export function leftText(leftMs: number): string {
  const minutes = leftMs / 60_000;
  if (minutes < 1) return t('less than 1 min left');
  return minutes < 90 ? t('about {0} min left', Math.round(minutes)) : t('about {0} h left', Math.round(minutes / 60));
}
