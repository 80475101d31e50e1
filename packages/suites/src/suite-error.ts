/** A suite that cannot be used, or a conversation that could not be held to its end: a sentence for the owner of the suite. */
export class SuiteError extends Error {
  /** No conversation of the suite can be held: it names, for example, an assistant that does not exist. */
  readonly isUnusable: boolean;

  constructor(message: string, options: { isUnusable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'SuiteError';
    this.isUnusable = options.isUnusable ?? false;
  }
}
