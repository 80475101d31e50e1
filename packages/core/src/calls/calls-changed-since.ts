import type { CallRecord } from '@parley/contracts';
import type { CoreContext } from '../context.ts';

/** Where a reader of the feed stands. Opaque; kept by the reader and handed back. */
export interface ChangeCursor {
  since: Date;
  seen: ReadonlySet<string>;
}

/** A cursor that shows what changes from now on. */
export async function startOfChanges(_ctx: CoreContext): Promise<ChangeCursor> {
  throw new Error('coming');
}

/** Every change once. `timezone` is the reader's; records are wire records. */
export async function callsChangedSince(
  _ctx: CoreContext,
  _input: { userId: number; timezone: string; cursor: ChangeCursor },
): Promise<{ rows: CallRecord[]; cursor: ChangeCursor }> {
  throw new Error('coming');
}
