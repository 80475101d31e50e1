/** What the form that connects a carrier account shows, and what it sends. */
import type { CarrierAccountRecord, CarrierInboundWay, CarrierOutboundWay } from '@parley/contracts';

/** The values of the form. */
export interface ConnectDraft {
  inbound_calls: CarrierInboundWay;
  outbound_calls: CarrierOutboundWay;
  sip_address: string;
}

type Account = Pick<CarrierAccountRecord, 'id' | 'kind' | 'inbound_calls' | 'outbound_calls'>;

/** The ways of an account that is connected already are selected. */
export function connectDraftOf({ inbound_calls: inbound, outbound_calls: outbound }: Account): ConnectDraft {
  return { inbound_calls: inbound ?? 'sip_trunk', outbound_calls: outbound ?? 'sip_trunk', sip_address: '' };
}

/** Whether the carrier has to know a SIP address. */
export function needsSipAddress(
  { kind }: Pick<Account, 'kind'>,
  { inbound_calls: way }: Pick<ConnectDraft, 'inbound_calls'>,
): boolean {
  return kind === 'twilio' && way === 'sip_trunk';
}

/** The body of the request, with the id of the account. */
export function connectRequest(account: Account, draft: ConnectDraft) {
  const address = needsSipAddress(account, draft) ? draft.sip_address.trim() : '';
  const { inbound_calls, outbound_calls } = draft;
  return { id: account.id, inbound_calls, outbound_calls, sip_address: address || null };
}
