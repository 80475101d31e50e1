/** A person asked on a call not to be called again: their number goes on the do-not-call list of the call's user. */
import { statement } from '@parley/db';
import { addCallEvent } from '../calls/call-events.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import type { CoreContext } from '../context.ts';
import { ERASURE_REASON } from '../lookups/erasure-entry.ts';
import { lockForWriter } from './record-call-event.ts';

/** A request, and the process that reports it. */
export interface OptOutInput {
  callId: number;
  at: Date;
  /** How they asked: in words, or with the key of the assistant. */
  means: 'said' | 'pressed';
  /** Milliseconds since the answer. */
  atMs: number;
  fence: VoiceFence;
}

const REASONS = {
  said: 'Asked on a call not to be called again',
  pressed: 'Pressed the opt-out key on a call',
} as const;

/** An entry of the user keeps its reason. That of an erasure, which removes it at its end, becomes an entry of this call. */
const listNumber = statement(
  'list_opted_out_number',
  `insert into do_not_call (user_id, phone_number, reason, created_at, call_id) values ($1, $2, $3, $4, $5)
   on conflict (user_id, phone_number) do update set
     call_id = coalesce(do_not_call.call_id, excluded.call_id),
     reason = case when do_not_call.reason = '${ERASURE_REASON}' then excluded.reason else do_not_call.reason end`,
);

/**
 * The next permission to dial sees the entry. A caller without a number stands only in the timeline. Harmless when repeated.
 *
 * @throws FencedError; DomainError `not-found` when there is no such call
 */
export async function recordOptOut(ctx: CoreContext, input: OptOutInput): Promise<void> {
  const { means, at, atMs } = input;
  await ctx.db.transaction(async (tx) => {
    const { call } = await lockForWriter(tx, input);
    const number = call.clientPhoneNumber;
    const isListed = number.startsWith('+');
    if (isListed) await tx.query(listNumber, [call.userId, number, REASONS[means], at, call.id]);
    const detail = { means, at_ms: atMs, is_listed: isListed };
    await addCallEvent(tx, call, { at, type: 'opted_out', detail });
  });
}
