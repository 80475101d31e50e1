/** Reports a failure: a sentence, what to do about it, and an exit code. */
import { isParleyError, ParleyConnectionError, type FieldMessages, type ParleyError } from '@parley/client';
import { DomainError } from '@parley/core';
import { BackupError } from '@parley/db/backup';
import { CommanderError } from 'commander';
import { CommandError, EXIT } from './command-error.ts';
import type { Console } from './console.ts';
import { texts } from './texts.ts';

/**
 * @returns the exit code
 * @throws an error that the user cannot resolve
 */
export function reportFailure(console: Console, error: unknown): number {
  // Commander has already printed its own errors; requested help is not an error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const lines = linesOf(error);
  if (lines === null) throw error;
  console.remark(`${lines.join('\n')}\n`);
  return error instanceof CommandError ? error.exitCode : EXIT.failed;
}

function linesOf(error: unknown): string[] | null {
  if (error instanceof CommandError) return error.hint ? [error.message, error.hint] : [error.message];
  if (error instanceof BackupError) return [error.message];
  if (error instanceof DomainError) {
    const details = Object.values(error.fields).flat();
    return details.length > 0 ? details : [error.message];
  }
  if (error instanceof ParleyConnectionError) return [`${error.message}.`, texts.failure.unreachable];
  return isParleyError(error) ? [error.message, ...fieldLines(error.errors), ...hintLines(error)] : null;
}

function fieldLines(errors: FieldMessages): string[] {
  return Object.entries(errors).flatMap(([field, texts]) => texts.map((text) => `  ${field}: ${text}`));
}

function hintLines({ status, requestId, retryAfterSeconds }: ParleyError): string[] {
  if (status === 401) return [texts.failure.badToken];
  if (status === 429 && retryAfterSeconds !== null) return [texts.failure.retryAfter(retryAfterSeconds)];
  if (status >= 500 && requestId !== null) return [texts.failure.requestId(requestId)];
  return [];
}
