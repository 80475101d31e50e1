/**
 * Completion scripts for shells, generated from the tree of commands, so that they contain every command and option.
 * They are static: calling this program at every Tab would start a process each time.
 */
import type { Command, Option } from 'commander';
import { texts } from './texts.ts';

/** Shells that {@link completionScript} can write for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
/** One of {@link shells}. */
export type Shell = (typeof shells)[number];

/** One word, with its description. */
interface CompletionWord {
  text: string;
  description: string;
  /** True for an option that is followed by a file. */
  takesPath: boolean;
}

/** The words that can follow at one position of the tree. */
interface CompletionPlace {
  /** The names of the commands that lead there, each after a space; empty at the top. */
  path: string;
  words: CompletionWord[];
  /** Options that accept one of a fixed set of values. */
  choices: { option: string; words: readonly string[] }[];
}

/** Every node of the tree, the root first. */
function completionPlaces(command: Command, path = ''): CompletionPlace[] {
  const options = command.options.filter((option) => !option.hidden);
  const word = (text: string, description: string, takesPath = false) => ({ text, description, takesPath });
  const place = {
    path,
    words: [
      ...command.commands.map((child) => word(child.name(), child.description())),
      ...options.map((option) =>
        word(option.long ?? option.flags, option.description, option.flags.endsWith('<path>')),
      ),
      word('--help', texts.completion.help),
      ...argumentChoices(command).map((text) => word(text, '')),
    ],
    choices: options.flatMap(choicesOf),
  };
  return [place, ...command.commands.flatMap((child) => completionPlaces(child, `${path} ${child.name()}`))];
}

function argumentChoices(command: Command): readonly string[] {
  return command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
}

function choicesOf({ long, argChoices }: Option): CompletionPlace['choices'] {
  return long && argChoices ? [{ option: long, words: argChoices }] : [];
}

/** @returns a script that makes the shell complete the words of `program` */
export function completionScript(shell: Shell, program: Command): string {
  const places = completionPlaces(program);
  return { bash, zsh, fish }[shell](program.name(), places);
}

/** `case` lines that map a position, or a position and the preceding option, to words; both shells share this syntax. */
function cases(places: readonly CompletionPlace[], assign: (words: string[]) => string): string {
  const line = (pattern: string, words: string[]) => `    ${quote(pattern)}) ${assign(words)} ;;`;
  const lines = places.flatMap(({ path, words, choices }) => [
    ...choices.map(({ option, words: values }) => line(`${path} / ${option}`, [...values])),
    `    ${quote(`${path} /`)}*) ${assign(words.map(({ text }) => text))} ;;`,
  ]);
  return lines.join('\n');
}

function bash(name: string, places: readonly CompletionPlace[]): string {
  return `# bash completion of ${name}
_${name}() {
  local place="" word words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$place $word" in ${pathsOf(places).join(' | ')}) place="$place $word" ;; esac
  done
  local IFS=$'\\n'
  case "$place / \${COMP_WORDS[COMP_CWORD - 1]}" in
${cases(places, (words) => `words=$'${words.join('\\n')}'`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  COMPREPLY=("\${COMPREPLY[@]// /\\\\ }")
}
complete -o default -F _${name} ${name}
`;
}

function zsh(name: string, places: readonly CompletionPlace[]): string {
  return `#compdef ${name}
# zsh completion of ${name}
_${name}() {
  local place="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in ${pathsOf(places).join(' | ')}) place="$place $word" ;; esac
  done
  case "$place / \${words[CURRENT-1]}" in
${cases(places, (words) => `compadd -- ${words.map(quote).join(' ')} || _files`)}
  esac
}
compdef _${name} ${name}
`;
}

function fish(name: string, places: readonly CompletionPlace[]): string {
  const lines = places.flatMap((place) => fishLines(name, place));
  return `# fish completion of ${name}
function __${name}_place
  set -l place ''
  for word in (commandline -opc)[2..-1]
    switch "$place $word"
      case ${pathsOf(places).join(' ')}
        set place "$place $word"
    end
  end
  echo "$place"
end
complete -c ${name} -f
${lines.join('\n')}
`;
}

function fishLines(name: string, { path, words, choices }: CompletionPlace): string[] {
  const here = `complete -c ${name} -n ${quote(`test (__${name}_place) = ${quote(path)}`)}`;
  return words.map(({ text, description, takesPath }) => {
    const what = text.startsWith('--') ? `-l ${text.slice(2)}` : `-a ${quote(text)}`;
    const values = choices.find(({ option }) => option === text)?.words.map(fishWord);
    const value = values ? ` -x -a ${quote(values.join(' '))}` : '';
    const described = description === '' ? '' : ` -d ${quote(description)}`;
    return `${here} ${what}${value}${takesPath ? ' -r -F' : ''}${described}`;
  });
}

function fishWord(text: string): string {
  return text.replaceAll(' ', String.raw`\ `);
}

/** The paths below the root. */
function pathsOf(places: readonly CompletionPlace[]): string[] {
  return places.filter(({ path }) => path !== '').map(({ path }) => quote(path));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
