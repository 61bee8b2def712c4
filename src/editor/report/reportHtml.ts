import type { ReportPayload } from '../../webview/reportMessage.js';
import { visibleText } from '../../wording/shownText.js';

/** How a page gets its script and style: by address in the editor, or inside itself in an export. */
export type PageParts =
  | { readonly kind: 'linked'; readonly script: string; readonly style: string; readonly source: string }
  | { readonly kind: 'inlined'; readonly script: string; readonly style: string };

/** The whole page. Nothing in it may load from anywhere else, and only our own script may run. */
export function reportHtml(payload: ReportPayload, nonce: string, parts: PageParts): string {
  const { language, title } = payload.words;
  const styles = parts.kind === 'linked' ? parts.source : `'nonce-${nonce}'`;
  const policy = `default-src 'none'; style-src ${styles}; script-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const style =
    parts.kind === 'linked'
      ? `<link rel="stylesheet" href="${escaped(parts.style)}">`
      : `<style nonce="${nonce}">${parts.style}</style>`;
  const script =
    parts.kind === 'linked'
      ? `<script nonce="${nonce}" src="${escaped(parts.script)}"></script>`
      : `<script nonce="${nonce}">${parts.script.replaceAll('</script', '<\\/script')}</script>`;
  return `<!DOCTYPE html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(visibleText(`${title}: ${payload.data.skillName}`))}</title>
${style}
</head>
<body${parts.kind === 'inlined' ? ' class="exported"' : ''}>
<main id="report"></main>
<script type="application/json" id="report-data">${jsonInHtml(payload)}</script>
${script}
</body>
</html>
`;
}

/** JSON that cannot end the element it stands in and hides nothing, whatever a model wrote into it. */
function jsonInHtml(payload: ReportPayload): string {
  return JSON.stringify(payload, seen)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

function seen(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? visibleText(value, Infinity) : value;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
