import type { CallRecord, CallStatus, CallType } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

export interface CallFilters {
  page: number;
  perPage: number;
  status?: CallStatus | undefined;
  type?: CallType | undefined;
  /** The client's number. */
  phoneNumber?: string | undefined;
  assistantId?: number | undefined;
  campaignId?: number | undefined;
  /** `YYYY-MM-DD`, inclusive, in the user's time zone. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}

/** Newest first, as wire records. */
export async function listCalls(
  _ctx: CoreContext,
  _identity: Identity,
  _filters: CallFilters,
): Promise<{ rows: CallRecord[]; total: number }> {
  throw new Error('coming');
}
