/** Checks the text of a suite that is to be stored: by the rules of the command, and by those of a shared installation. */
import { errorText, type ErrorCode } from '@parley/contracts';
import {
  callersOf,
  readSuiteApart,
  type ReadSuite,
  type SuiteCaller,
  type SuiteFields,
} from '@parley/suites';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';

/** Conversations of one run. */
const MAX_CONVERSATIONS = 500;

/** A suite that may be stored. */
export interface CheckedSuite {
  suite: SuiteFields;
  callers: SuiteCaller[];
  conversations: number;
}

const PLAYER =
  'player: A stored suite plays its personas with an assistant (player: { assistant: NAME }). Only the command can use a server of its own.';
const TOO_MANY = `callers: All runs of all callers together are more than ${MAX_CONVERSATIONS} conversations.`;

/** @returns what is wrong, a sentence each; empty for a suite that may be stored. @throws DomainError `too-many` */
export async function suiteFaults(
  ctx: CoreContext,
  { userId }: Identity,
  definition: string,
): Promise<readonly string[]> {
  const read = await readApart(ctx, userId, definition);
  return 'faults' in read ? read.faults : faultsOf(read.suite);
}

async function readApart({ clock }: CoreContext, userId: number, definition: string): Promise<ReadSuite> {
  const read = await readSuiteApart(clock, userId, definition);
  if (read) return read;
  throw new DomainError('too-many', 'Other suites are being read. Try again in some seconds.', {
    code: 'rate_limited' satisfies ErrorCode,
  });
}

function faultsOf(suite: SuiteFields): string[] {
  const count = countConversations(callersOf(suite));
  return [
    ...(suite.player && 'base_url' in suite.player ? [PLAYER] : []),
    ...(count > MAX_CONVERSATIONS ? [TOO_MANY] : []),
  ];
}

function countConversations(callers: readonly SuiteCaller[]): number {
  return callers.reduce((sum, { runs }) => sum + runs, 0);
}

/** @throws DomainError `invalid` with the faults; `too-many` while other suites are read */
export async function checkSuite(
  ctx: CoreContext,
  { userId }: Identity,
  definition: string,
): Promise<CheckedSuite> {
  const read = await readApart(ctx, userId, definition);
  const faults = 'faults' in read ? read.faults : faultsOf(read.suite);
  if ('faults' in read || faults.length > 0) throw invalidSuite(faults);
  const callers = callersOf(read.suite);
  return { suite: read.suite, callers, conversations: countConversations(callers) };
}

export function invalidSuite(faults: readonly string[]): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: { definition: [...faults] } });
}
