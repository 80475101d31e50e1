/** `completion`: prints a completion script for a shell. */
import { Argument, type Command } from 'commander';
import { completionScript, shells, type Shell } from '../completion.ts';
import type { Console } from '../console.ts';
import { texts } from './texts.ts';

/** @param program - gets the command; it must have all others when a script is asked for */
export function addCompletionCommand(program: Command, console: Console): void {
  program
    .command('completion')
    .description(texts.completion.about)
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText('after', texts.completion.help)
    .action((shell: Shell) => console.write(completionScript(shell, program)));
}
