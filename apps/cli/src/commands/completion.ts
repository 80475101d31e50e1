/** `completion`: a script that makes a shell complete our command lines. */
import { Argument, type Command } from 'commander';
import { completionScript, shells, type Shell } from '../completion.ts';
import type { Console } from '../console.ts';

const HELP = `
It completes a command named parley, which an alias makes:
  alias parley='npm run -s --prefix /path/to/parley cli --'
Then: eval "$(parley completion bash)" in ~/.bashrc, the same with zsh in ~/.zshrc after compinit, or for fish
  parley completion fish > ~/.config/fish/completions/parley.fish`;

/** @param program - gets the command; it must have all others when a script is asked for */
export function addCompletionCommand(program: Command, console: Console): void {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText('after', HELP)
    .action((shell: Shell) => console.write(completionScript(shell, program)));
}
