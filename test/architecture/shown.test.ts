import assert from 'node:assert/strict';
import { readSource, sourceFiles } from './sourceFiles.js';

/**
 * Where the editor shows text, each by the one file that may do it: there what others wrote is made harmless. A new place
 * uses that file, or is listed here together with what makes its text harmless.
 */
const doors: readonly (readonly [what: string, call: RegExp, files: readonly string[]])[] = [
  ['messages', /\bshow(?:Information|Warning|Error)Message\b/, ['editor/shown/messages.ts']],
  ['menus and boxes', /\b(?:show|create)(?:QuickPick|InputBox)\b/, ['editor/shown/questions.ts']],
  ['notifications of work', /\bwindow\.withProgress\b|\bProgressLocation\b/, ['editor/shown/notification.ts']],
  ['lenses', /\bnew (?:vscode\.)?CodeLens\(/, ['editor/shown/lens.ts']],
  ['Markdown', /\bMarkdownString\b/, ['editor/shown/comment.ts', 'editor/shown/optionHelp.ts']],
  ['the log', /\bcreateOutputChannel\b/, ['editor/shown/log.ts']],
  ['problems', /\bnew (?:vscode\.)?Diagnostic\(/, ['editor/shown/problems.ts']],
  ['quick fixes', /\bnew (?:vscode\.)?CodeAction\(/, ['editor/shown/problems.ts']],
  ['tests', /\bcreateTestItem\b|\bnew (?:vscode\.)?TestMessage\(|\bTestMessage\./, ['editor/shown/tests.ts']],
  ['two texts beside each other', /['"]vscode\.(?:diff|changes)['"]/, ['editor/shown/documents.ts']],
  ['rows of trees', /\bnew (?:vscode\.)?TreeItem\(/, ['editor/tree/rowItem.ts']],
  ['the status bar', /\bcreateStatusBarItem\b/, ['editor/nightly/nights.ts', 'editor/reviewItem.ts']],
  ['tooltips', /\.tooltip\s*=[^=]/, ['editor/nightly/nights.ts', 'editor/reviewItem.ts', 'editor/tree/rowItem.ts']],
  ['threads', /\bcreateComment(?:Controller|Thread)\b/, ['editor/review/lenses/rationaleThreads.ts']],
  ['pages', /\bcreateWebviewPanel\b/, ['editor/report/reportPanel.ts', 'editor/tasks/taskPages.ts']],
  ['passing words in the status bar', /\bsetStatusBarMessage\b/, []],
  [
    'hovers, hints and completions',
    /\bnew (?:vscode\.)?(?:Hover|InlayHint|CompletionItem|SymbolInformation)\(/,
    ['editor/shown/optionHelp.ts'],
  ],
  ['decorations of files and tabs', /\bnew (?:vscode\.)?FileDecoration\(/, []],
  ['terminals', /\bcreateTerminal\b/, []],
];

describe('what the editor shows', () => {
  const files = sourceFiles().filter((file) => file.startsWith('editor/') || file === 'extension.ts');

  it('is looked for in all of it', () => assert.ok(files.length > 80, `only ${files.length} files were found`));

  for (const [what, call, listed] of doors) {
    it(`goes through its door: ${what}`, () => {
      const calling = files.filter((file) => call.test(withoutComments(readSource(file))));
      assert.deepEqual(calling, [...listed].sort());
    });
  }

  it('is seen where it would pass a door by', () => {
    const passing = [
      `void vscode.window.showErrorMessage(error.message)`,
      `const { showInformationMessage } = window;`,
      `item.tooltip = new vscode.MarkdownString(prompt)`,
      `new CodeLens(range, { title, command })`,
      `await vscode.window.withProgress({ location, title }, work)`,
    ];
    for (const source of passing)
      assert.ok(
        doors.some(([, call]) => call.test(source)),
        source,
      );
  });
});

describe('what the command line says', () => {
  const files = sourceFiles().filter((file) => file.startsWith('cli/') || file === 'cli.ts');

  it('is looked for in all of it', () => assert.ok(files.length > 25, `only ${files.length} files were found`));

  const doorsToTheScreen: readonly (readonly [what: string, call: RegExp, files: readonly string[]])[] = [
    ['the screen', /\bprocess\.std(?:out|err)\.write\b|\bconsole\./, ['cli.ts']],
    ['a terminal', /\bopenTerminal\(/, ['cli.ts', 'cli/terminal.ts']],
    ['JSON', /\bJSON\.stringify\b/, ['cli/terminal.ts']],
    ['codes of a terminal', /u001b|x1b|\\e\[|fromCharCode\(27\)/, ['cli/table.ts', 'cli/terminal.ts']],
  ];
  for (const [what, call, listed] of doorsToTheScreen) {
    it(`goes through its door: ${what}`, () => {
      assert.deepEqual(
        files.filter((file) => call.test(withoutComments(readSource(file)))),
        listed,
      );
    });
  }
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}
