/** What a line given to a shell runs, as far as that can be told without running it. */
export interface ShellLine {
  /**
   * Each command, but those that only say something; once more from each place on where it could be said to begin: `env CI=1
   * npx eslint` is `npx eslint` and `eslint` too.
   */
  readonly commands: readonly string[];
  /** Whether all of the line runs: nothing is echoed, a comment, or the text of a file. */
  readonly isAllRun: boolean;
}

/** Splits a line at the places where a command begins; what is quoted is part of the command that it is given to. */
export function shellCommands(line: string): ShellLine {
  const run = withoutTexts(line);
  const pieces = splitCommands(run).filter((piece) => piece.trim() !== '');
  const running = pieces.map(beginnings).filter((begun) => !begun.some((text) => saying.test(text)));
  const inner = running.flatMap((begun) => begun.flatMap((text) => innerLine(text) ?? [])).map(shellCommands);
  return {
    commands: [...running.flat(), ...inner.flatMap(({ commands }) => commands)],
    isAllRun: run === line && running.length === pieces.length && inner.every(({ isAllRun }) => isAllRun),
  };
}

const saying = /^(?:echo|printf|true|false|:)(?:\s|$)/u;

/** From a sign that is not quoted. */
const comment = /^((?:[^"'#\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|(?<=\S)#)*)(?<=^|\s)#.*$/u;

/** Without comments, and without the lines that a here-document gives to a program that is no shell. */
function withoutTexts(line: string): string {
  const kept: string[] = [];
  let end: string | undefined;
  for (const each of line.split('\n')) {
    if (end !== undefined) {
      if (each.trim() === end) end = undefined;
      continue;
    }
    kept.push(each.replace(comment, '$1'));
    const begun = /<<-?\s*(["']?)(\w+)\1/u.exec(each);
    if (begun !== null && !/(?:^|[\s/])(?:ba|z|da)?sh\b[^|;&]*<</u.test(each)) end = begun[2];
  }
  return kept.join('\n');
}

/** What is one sign there, and which of them ends a command. */
const plain = { sign: /\\[\s\S]|'[^']*'|&&|\|\||\$\(|[\s\S]/uy, end: /^(?:&&|\|\||\$\(|[;|&\n(){}`])$/u };
const quoted = { sign: /\\[\s\S]|\$\(|[\s\S]/uy, end: /^(?:\$\(|`)$/u };

function splitCommands(line: string): readonly string[] {
  const pieces = [''];
  let within = plain;
  for (let at = 0; at < line.length;) {
    within.sign.lastIndex = at;
    const [sign = ''] = within.sign.exec(line) ?? [];
    at += Math.max(1, sign.length);
    if (within.end.test(sign)) pieces.push('');
    else pieces[pieces.length - 1] += sign;
    if (sign === '"') within = within === plain ? quoted : plain;
  }
  return pieces;
}

/** What stands before a program and starts it, or says whether and how. */
const before =
  /^(?:(?:if|then|else|elif|while|until|do|!|sudo|env|time|nohup|exec|command|nice|xargs|npx|uvx|uv run|poetry run|bundle exec|pnpm exec|npm exec|python3? -m|timeout)(?=\s)(?:\s+-[\w-]+(?:=\S+)?|\s+[\d.]+[smh]?(?=\s))*|[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*))\s+/u;

function beginnings(piece: string): readonly string[] {
  const text = piece.trim();
  const found = before.exec(text);
  if (found !== null) return [text, ...beginnings(text.slice(found[0].length))];
  const name = text.replace(/^\.{0,2}\/(?:[\w.-]+\/)*/u, '');
  return name === text ? [text] : [text, name];
}

/** The line that a shell is given as an argument. */
function innerLine(piece: string): string | undefined {
  const given = /^(?:(?:ba|z|da)?sh\s+(?:-\w+\s+)*-\w*c|eval)\s+(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/su.exec(piece);
  return given === null ? undefined : (given[1]?.replaceAll(/\\(["\\$`])/gu, '$1') ?? given[2]);
}
