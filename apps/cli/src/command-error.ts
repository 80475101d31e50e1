/** How a command fails: with a sentence that says what to do about it, and an exit code for scripts. */

/** Exit codes, the same for every command. */
export const EXIT = {
  ok: 0,
  /** The command ran and was refused, or what it waited for ended badly. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** EX_CONFIG of sysexits.h: the installation was not found or is not complete. */
  configuration: 78,
} as const;

/** Thrown by commands for what a user can do something about. */
export class CommandError extends Error {
  readonly exitCode: number;
  /** A second line: what to try. */
  readonly hint: string | undefined;

  constructor(message: string, options: { exitCode?: number; hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'CommandError';
    this.exitCode = options.exitCode ?? EXIT.failed;
    this.hint = options.hint;
  }
}
