import * as vscode from 'vscode';
import { shownLine, visibleText } from '../../wording/shownText.js';

/** The one way to list a test. Its label may be anybody's word: what it stands for is known by its id. */
export function testItemOf(
  controller: vscode.TestController,
  { id, label, file }: { readonly id: string; readonly label: string; readonly file: vscode.Uri },
): vscode.TestItem {
  return controller.createTestItem(id, shownLine(label), file);
}

/** The one way to say why a test did not pass, with what was expected beside what came where both are known. */
export function testMessageOf(
  message: string,
  sides?: { readonly expected: string; readonly actual: string },
): vscode.TestMessage {
  const made = new vscode.TestMessage(visibleText(message));
  if (sides === undefined) return made;
  made.expectedOutput = visibleText(sides.expected, longestSide);
  made.actualOutput = visibleText(sides.actual, longestSide);
  return made;
}

const longestSide = 100_000; // characters of an answer
