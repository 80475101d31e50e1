/** The failure of a command: a sentence with the remedy, and an exit code for scripts. */

/** Exit codes, the same for every command. */
export const EXIT = {
  ok: 0,
  /** The command was refused, or the awaited operation failed. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
  /** EX_CONFIG of sysexits.h: the installation was not found or is not complete. */
  configuration: 78,
} as const;

/** Thrown by commands for failures that the user can resolve. */
export class CommandError extends Error {
  readonly exitCode: number;
  /** A second line: the remedy. */
  readonly hint: string | undefined;

  constructor(message: string, options: { exitCode?: number; hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'CommandError';
    this.exitCode = options.exitCode ?? EXIT.failed;
    this.hint = options.hint;
  }
}
