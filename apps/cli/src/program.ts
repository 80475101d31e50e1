/** The `parley` command: its sub-commands, and how each failure is told. */
import { DomainError } from '@parley/core';
import { Command, CommanderError } from 'commander';
import { addCallCommands } from './commands/calls.ts';
import { addListenCommand } from './commands/listen.ts';
import { addWebhookSecretCommand } from './commands/webhook-secret.ts';
import { addProviderCommands } from './commands/provider.ts';
import { addUserCommands } from './commands/users.ts';
import { CommandError, EXIT } from './command-error.ts';
import type { Console } from './console.ts';

const HELP = `
Exit codes: 0 done, 1 refused or failed, 2 wrong command line, 78 the installation was not found.
On the server's own machine commands find the running Parley by themselves; elsewhere set PARLEY_URL and PARLEY_TOKEN.`;

/** @returns the exit code; never throws for what a user can get wrong */
export async function runProgram(args: readonly string[], console: Console): Promise<number> {
  try {
    await createProgram(console).parseAsync([...args], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return tell(console, error);
  }
}

function createProgram(console: Console): Command {
  const program = new Command('parley').description('Parley on the command line').addHelpText('after', HELP);
  // Sub-commands take both settings over, so they must be there first.
  program.exitOverride().configureOutput({
    writeOut: (text) => console.write(text),
    writeErr: (text) => console.remark(text),
  });
  addUserCommands(program, console);
  addProviderCommands(program, console);
  addCallCommands(program, console);
  addListenCommand(program, console);
  addWebhookSecretCommand(program, console);
  return program;
}

function tell(console: Console, error: unknown): number {
  // Commander has told its own faults already; help that was asked for is none.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CommandError) {
    console.remark(`${error.message}\n${error.hint === undefined ? '' : `${error.hint}\n`}`);
    return error.exitCode;
  }
  if (error instanceof DomainError) {
    const details = Object.values(error.fields).flat();
    console.remark(`${details.length > 0 ? details.join('\n') : error.message}\n`);
    return EXIT.failed;
  }
  throw error;
}
