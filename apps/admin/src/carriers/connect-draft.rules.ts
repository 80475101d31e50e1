/** What the form that connects a carrier account shows, and what it sends. */
import type { CarrierAccountRecord, CarrierInboundWay } from '@parley/contracts';

/** The values of the form. */
export interface ConnectDraft {
  inbound_calls: CarrierInboundWay;
  sip_address: string;
}

type Account = Pick<CarrierAccountRecord, 'id' | 'kind' | 'inbound_calls'>;

/** The way of an account that is connected already is selected. */
export function connectDraftOf({ inbound_calls: way }: Account): ConnectDraft {
  return { inbound_calls: way ?? 'sip_trunk', sip_address: '' };
}

/** Whether the carrier has to know a SIP address. */
export function needsSipAddress(
  { kind }: Pick<Account, 'kind'>,
  { inbound_calls: way }: ConnectDraft,
): boolean {
  return kind === 'twilio' && way === 'sip_trunk';
}

/** The body of the request, with the id of the account. */
export function connectRequest(account: Account, draft: ConnectDraft) {
  const address = needsSipAddress(account, draft) ? draft.sip_address.trim() : '';
  return { id: account.id, inbound_calls: draft.inbound_calls, sip_address: address || null };
}
