import type { Exchange } from '../session.js';

/** How it is known that a request was about files: its words name some, or the agent changed or only read some for it. */
export type FilesNeeded = 'named' | 'changed' | 'read';

/**
 * Whether a request was about files, and how that is known; undefined where it was not. Such a request says nothing
 * without them. A tool that was used to load a skill does not count.
 */
export function needsFiles({
  asked,
  tools,
  skills,
}: Pick<Exchange, 'asked' | 'tools' | 'skills'>): FilesNeeded | undefined {
  const used = filesUsed(tools.map(plainName), skills);
  if (namesFiles(asked) && (used !== undefined || !isToldOf(asked))) return 'named';
  return used;
}

function filesUsed(names: readonly string[], skills: readonly string[]): FilesNeeded | undefined {
  if (names.some((name) => writing.has(name))) return 'changed';
  return names.filter((name) => reading.has(name)).length > skills.length ? 'read' : undefined;
}

function namesFiles(asked: string): boolean {
  const words = asked.slice(0, mostRead).replaceAll(products, ' ');
  return (
    paths.some((pattern) => pattern.test(words)) || theBuild.test(words) || (thisFolder.test(words) && !isShown(words))
  );
}

/** What is to be written about stands behind a colon, files among it (“notes for 6.9: README.md is translated”). */
function isToldOf(asked: string): boolean {
  const [, before = '', behind = ''] = /^([^:：\n]{12,200})[:：]\s(.{20,})$/su.exec(asked.slice(0, mostRead)) ?? [];
  return before !== '' && !namesFiles(before) && !failing.test(behind);
}

/** What is spoken of stands in the message itself: changes in words behind a colon, code in a fence or in backticks. */
function isShown(words: string): boolean {
  if (toldChanges.test(words) || tellsChangesTo(words)) return true;
  return shownCode.test(words) && !failing.test(words);
}

/** “Release notes for these changes to the calendar sync: …” says them; “make these changes to it: …” wants them made. */
function tellsChangesTo(words: string): boolean {
  const [, before = '', what = '', behind = ''] = changesTo.exec(words) ?? [];
  return behind !== '' && ![before, what, behind].some((part) => thisFolder.test(part)) && !onCode.test(before);
}

const changesTo =
  /^(.{0,200}?\b(?:for|about|of|on|from|describe|summari[sz]e|announce|explain)) (?:this|these|our|my) (?:changes|commits?) (?:to|in|of) ([^:：\n]{1,80})[:：]\s?(\S[^?？]{20,})$/isu;

/** What is written then is made of files. */
const onCode = /\b(?:tests?|specs?|code|fix|patch|script|migrations?|implement|review|check|debug|refactor|diff)\b/iu;

const toldChanges =
  /\b(?:this|these|our|my) (?:changes|commits?)\s?:\s?\S.{10}|(?:ces|cette|ce) (?:changements|commits?)\s?:\s?\S.{10}|(?:diese|dieser) (?:änderungen|commits?)\s?:\s?\S.{10}|(?:estos|este) (?:cambios|commits?)\s?:\s?\S.{10}/iu;
const shownCode = /[:：]\s?(?:\n|`[^`\n]{3})|\n\s{0,3}(?:```|~~~)/u;

/** Then it is an error that is shown, and not what it is in. */
const failing = /fail|error|crash|broken|exception|fehler|fehl|erreur|échou|falla|失败|错误|报错|エラー|失敗/iu;

/** Names of products that end as files do. */
const products =
  /(?<![\w./`@-])(?:[Nn]ode|[Nn]ext|[Vv]ue|[Nn]uxt|React|Express|Three|[Dd]3|Chart|Ember|Angular|Alpine|Electron|Nest|Backbone|Meteor|Discord)\.js(?![\w/])/gu;

/** It is often only spoken of; it is worked on where it is to be mended, or fails. */
const theBuild =
  /\b(?:(?:fix|repair|run|start|mend|speed up|look at|check) the build|the build (?:still )?(?:fails|failed|is (?:failing|broken|red)|breaks|broke)|does the build)\b/iu;

const mostRead = 8_000;

const endings =
  'c|cc|cpp|cs|css|csv|go|h|html|java|js|json|jsx|kt|lock|lua|md|mjs|php|py|rb|rs|scss|sh|sql|swift|toml|ts|tsx|txt|vue|xml|yaml|yml|zig';

const paths: readonly RegExp[] = [
  /(?:^|[\s"'`(])(?:\.{1,2}\/|~\/|\/(?:home|Users|usr|etc|var|tmp|opt|srv|mnt|workspace)\/)[^\s"'`)]/u,
  /(?:^|[\s"'`(])[A-Za-z]:\\/u,
  /(?:^|[\s"'`(])@[\w.-]+\/[\w./-]+/u, // as agents are given files
  new RegExp(`(?:^|[\\s"'\`(@])[\\w./-]{0,200}[\\w-]\\.(?:${endings})(?=$|[\\s"'\`),.:;?!])`, 'u'),
  /(?:^|[\s"'`(])(?:src|lib|test|tests|docs|app|packages|cmd|internal)\/[\w.-]/u,
];

/** What is here and nowhere else. */
const thisFolder =
  /\b(?:(?:this|these|the current|our|my|attached|open) (?:files?|folder|director(?:y|ies)|repo(?:sitory)?|project|code ?base|branch|diff|commit|changes|module|class|function|component|tests?|pull request|pr|script)|the (?:repo(?:sitory)?|code ?base|failing tests?|test suite|working tree|staged changes)|diese[rsnm]? (?:datei|ordner|repo|projekt|code|funktion|klasse|branch)|(?:ce|cette|ces|cet) (?:fichiers?|dossier|dépôt|projet|code|fonction|classe|branche)|(?:este|esta|estos|estas) (?:archivos?|carpeta|repositorio|proyecto|código|función|clase|rama))\b|(?:这个?|该|本|当前|我们的)(?:文件|目录|文件夹|仓库|项目|代码|函数|类|分支|模块)|代码库|(?:この|現在の)(?:ファイル|フォルダ|リポジトリ|プロジェクト|コード|関数|クラス|ブランチ)/iu;

/** Tools of agents by their names, as each of them calls its own: without marks, capitals and the name of its maker. */
const writing = new Set(
  'edit multiedit notebookedit write writefile applypatch patch replace strreplace strreplaceeditor strreplacebasededittool replacestring insertedit insertedits create createfile createdirectory editfile searchreplace deletefile renamefile editnotebook'.split(
    ' ',
  ),
);
const reading = new Set(
  'read readfile readmanyfiles view ls list listdir listdirectory glob grep grepsearch filesearch findfiles findtextinfiles search searchfilecontent searchcodebase codebasesearch bash shell localshell exec execcommand runshellcommand runinterminal runterminalcmd runcommand terminal powershell geterrors getchangedfiles'.split(
    ' ',
  ),
);

function plainName(tool: string): string {
  return tool
    .replace(/^(?:copilot|mcp_filesystem)_/u, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
