import * as vscode from 'vscode';
import type { SkillRequest } from '../../app/openSkill.js';
import { requestFor, type UseCasesSource } from '../workbench.js';

const scheme = 'whetstone-version';

/**
 * Earlier texts of a skill as read-only documents, in a language of their own: nobody lints what is past, and both sides
 * of a comparison wrap.
 */
export class VersionDocuments implements vscode.TextDocumentContentProvider {
  readonly #useCases: UseCasesSource;

  constructor(useCases: UseCasesSource) {
    this.#useCases = useCases;
  }

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const side = query.get('side') === 'before' ? 'before' : 'after';
    const request: SkillRequest = requestFor(query.get('skill') ?? '');
    const version = query.get('version') ?? '';
    const file = query.get('file') ?? undefined;
    const text = await (await this.#useCases()).versionText({ ...request, version, file, side });
    return text ?? vscode.l10n.t('This version is no longer stored.');
  }
}

/** The skill whose file, an earlier text of which, or notes on which a document shows; undefined for every other. */
export function skillShownBy({ scheme: shown, path, query, fsPath }: vscode.Uri): string | undefined {
  if (shown === scheme || shown === 'whetstone-notes') return new URLSearchParams(query).get('skill') ?? undefined;
  const isOnDisk = shown === 'file' || shown === 'vscode-remote';
  return isOnDisk && path.endsWith('/SKILL.md') ? fsPath : undefined;
}

/** The document that shows a skill, or one of its files, as it was before or after one of our changes. */
export function versionUri(
  skillPath: string,
  { version, file }: { readonly version: string; readonly file?: string | undefined },
  side: 'before' | 'after',
): vscode.Uri {
  const name = file === undefined ? 'SKILL.md' : vscode.Uri.file(file).path.split('/').at(-1);
  return vscode.Uri.from({
    scheme,
    path: `/${version} ${side === 'before' ? vscode.l10n.t('before') : vscode.l10n.t('after')}/${name}.version`,
    query: new URLSearchParams({ skill: skillPath, version, side, ...(file === undefined ? {} : { file }) }).toString(),
  });
}
