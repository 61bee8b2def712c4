import * as vscode from 'vscode';

/** A text in what a command was called with. Without it there is nothing to do, and nobody to tell. */
export function fieldOf(given: unknown, name: string): string {
  const value = optionalField(given, name);
  if (value === undefined) throw new vscode.CancellationError();
  return value;
}

export function optionalField(given: unknown, name: string): string | undefined {
  const value: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}
