/** Asks for confirmation before something is deleted. Scripts, which have no terminal, must pass --yes. */
import type { Command } from 'commander';
import { CommandError, EXIT } from './command-error.ts';
import type { Console } from './console.ts';
import { texts } from './texts.ts';

/** The option that {@link withConfirmation} adds. */
export interface ConfirmationOptions {
  yes?: boolean;
}

/** @param command - gets `--yes` */
export function withConfirmation(command: Command): Command {
  return command.option('--yes', texts.confirmation.yes);
}

/** @throws CommandError without confirmation */
export async function confirm(
  console: Console,
  options: ConfirmationOptions,
  question: string,
): Promise<void> {
  if (options.yes) return;
  if (console.ask === null) {
    throw new CommandError(texts.confirmation.notInteractive(question), {
      exitCode: EXIT.usage,
      hint: texts.confirmation.hint,
    });
  }
  const answer = await console.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError(texts.confirmation.declined);
}
