import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import type { CliContext } from '../commandLine.js';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** `whetstone completion`: what a shell needs to complete commands and their options, made from the commands themselves. */
export function addCompletion(program: Command, face: CliContext): void {
  program
    .command('completion')
    .argument('<shell>', `one of ${shells.join(', ')}`)
    .description('print a script that completes commands and options in your shell')
    .addHelpText('after', '\nbash: source <(whetstone completion bash)\nfish: whetstone completion fish | source')
    .action((given: string) => {
      const shell = shells.find((each) => each === given);
      if (shell === undefined) {
        throw new UserError(
          'usage',
          `There is no completion for “${given}”.`,
          `There is one for ${shells.join(', ')}.`,
        );
      }
      face.terminal.out(scriptFor(shell, rowsOf(program)));
    });
}

/** A command, with the words before it where it belongs to another. */
interface Row {
  readonly words: readonly string[];
  readonly description: string;
  readonly options: readonly { readonly flag: string; readonly description: string }[];
}

function rowsOf(program: Command, before: readonly string[] = []): readonly Row[] {
  return program.commands.flatMap((command) => {
    const words = [...before, command.name()];
    const options = command.options.flatMap(({ long, description }) =>
      long === undefined || long === null ? [] : [{ flag: long, description }],
    );
    return [{ words, description: command.description(), options }, ...rowsOf(command, words)];
  });
}

function scriptFor(shell: Shell, rows: readonly Row[]): string {
  if (shell === 'fish') return fishScript(rows);
  const begin = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : '';
  return `${begin}${bashScript(rows)}`;
}

function bashScript(rows: readonly Row[]): string {
  const cases = rows.map(({ words, options }) => {
    const next = rows.filter((row) => row.words.length === words.length + 1 && startsWith(row.words, words));
    const known = [...next.map((row) => row.words.at(-1)), ...options.map(({ flag }) => flag), '--help'];
    return `    '${words.join(' ')}') known='${known.join(' ')}' ;;`;
  });
  const first = rows.filter(({ words }) => words.length === 1).map(({ words }) => words[0]);
  return `_whetstone() {
  local current="\${COMP_WORDS[COMP_CWORD]}" said="\${COMP_WORDS[1]}" known=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${first.join(' ')} --help --version' -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -gt 2 ] && [ "$said" = 'tasks' ]; then said="$said \${COMP_WORDS[2]}"; fi
  case "$said" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$known" -- "$current") $(compgen -f -- "$current"))
}
complete -o filenames -F _whetstone whetstone
`;
}

function fishScript(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ words, description, options }) => {
    const name = words.at(-1) ?? '';
    const where = words.length === 1 ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${words[0]}`;
    return [
      `complete -c whetstone -n '${where}' -a ${name} -d '${quoted(description)}'`,
      ...options.map(
        ({ flag, description: what }) =>
          `complete -c whetstone -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)} -d '${quoted(what)}'`,
      ),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`);
}

function startsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.every((word, at) => words[at] === word);
}
