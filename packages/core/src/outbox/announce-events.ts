/**
 * Reports events to the webhook endpoints that subscribe to them: inserts deliveries into the outbox, in the transaction of
 * the event. Without a subscription this is one look-up in an index. Events of calls have the personal data that
 * `call.finished` has; the others have none. See docs/api.md, "Webhook endpoints".
 */
import { isoMicroseconds, type EndpointPayload } from '@parley/contracts';
import type { Tx } from '@parley/db';
import type { StoredCall } from '../calls/lock-call.ts';
import { insertEndpointDeliveries, type EndpointReport } from './delivery-state.ts';
import { WEBHOOK_CHANNEL } from './wake-webhooks.ts';

/** The facts of a call that its events report. */
export type ReportedCall = Pick<
  StoredCall,
  | 'id'
  | 'createdAt'
  | 'userId'
  | 'type'
  | 'clientPhoneNumber'
  | 'assistantPhoneNumber'
  | 'assistantId'
  | 'campaignId'
  | 'leadId'
>;

type PayloadOf<Event extends EndpointPayload['event']> = Extract<EndpointPayload, { event: Event }>;
type CallFields = Omit<PayloadOf<'call.started'>, 'event'>;
type CallEventName =
  | 'call.started'
  | 'call.answered'
  | 'call.ended'
  | 'call.evaluated'
  | 'recording.ready'
  | 'voicemail.received';

/** What an event of a call reports beside the facts of the call. */
export type CallReport = {
  [Event in CallEventName]: Omit<PayloadOf<Event>, Exclude<keyof CallFields, 'event'>>;
}[CallEventName];

/**
 * @param news.reports - empty: nothing is sent to the database
 * @param news.occurredAt - when it happened, by the process that reports it
 * @param news.at - now
 */
export async function announceCallEvents(
  tx: Tx,
  call: ReportedCall,
  { reports, occurredAt, at }: { reports: readonly CallReport[]; occurredAt: Date; at: Date },
): Promise<void> {
  const about = {
    userId: call.userId,
    assistantId: call.assistantId,
    campaignId: call.campaignId,
    callId: call.id,
    callCreatedAt: call.createdAt,
  };
  const fields = callFields(call, occurredAt);
  await announce(
    tx,
    reports.map((report) => ({ ...about, payload: { ...report, ...fields } })),
    at,
  );
}

function callFields(call: ReportedCall, at: Date): CallFields {
  return {
    call_id: call.id,
    type: call.type,
    customer_phone: call.clientPhoneNumber,
    assistant_phone: call.assistantPhoneNumber,
    assistant_id: call.assistantId,
    campaign_id: call.campaignId,
    lead_id: call.leadId,
    occurred_at: isoMicroseconds(at),
  };
}

/** The campaign that an event belongs to. */
export interface ReportedCampaign {
  id: number;
  userId: number;
  assistantId: number;
  name: string;
}

/** @param lead.call - the last call; null: dialing ended without one */
export async function announceSettledLead(
  tx: Tx,
  campaign: ReportedCampaign,
  lead: {
    leadId: number;
    status: PayloadOf<'lead.settled'>['status'];
    call: Pick<StoredCall, 'id' | 'createdAt'> | null;
    at: Date;
  },
): Promise<void> {
  const { leadId, status, call, at } = lead;
  const payload = {
    event: 'lead.settled',
    lead_id: leadId,
    campaign_id: campaign.id,
    assistant_id: campaign.assistantId,
    call_id: call?.id ?? null,
    status,
    occurred_at: isoMicroseconds(at),
  } as const;
  const about = { callId: call?.id ?? null, callCreatedAt: call?.createdAt ?? null };
  await announce(tx, [{ ...ofCampaign(campaign), ...about, payload }], at);
}

/** No lead of the campaign is waiting or being called any more. */
export async function announceCompletedCampaign(tx: Tx, campaign: ReportedCampaign, at: Date): Promise<void> {
  const payload = {
    event: 'campaign.completed',
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    assistant_id: campaign.assistantId,
    occurred_at: isoMicroseconds(at),
  } as const;
  await announce(tx, [{ ...ofCampaign(campaign), callId: null, callCreatedAt: null, payload }], at);
}

function ofCampaign({ id, userId, assistantId }: ReportedCampaign) {
  return { userId, assistantId, campaignId: id };
}

/** @param trunk.userId - null: a shared trunk, which concerns the operators */
export async function announcePausedTrunk(
  tx: Tx,
  trunk: { trunkId: number; userId: number | null; pausedUntil: Date },
  at: Date,
): Promise<void> {
  const payload = {
    event: 'trunk.paused',
    trunk_id: trunk.trunkId,
    user_id: trunk.userId,
    paused_until: isoMicroseconds(trunk.pausedUntil),
    occurred_at: isoMicroseconds(at),
  } as const;
  await announceOfAccount(tx, [{ userId: trunk.userId, payload }], at);
}

/** Events that belong to no assistant, which pass every filter. `userId` null: they concern the operators. */
export async function announceOfAccount(
  tx: Tx,
  events: readonly Pick<EndpointReport, 'userId' | 'payload'>[],
  at: Date,
): Promise<void> {
  const about = { assistantId: null, campaignId: null, callId: null, callCreatedAt: null };
  await announce(
    tx,
    events.map((event) => ({ ...event, ...about })),
    at,
  );
}

async function announce(tx: Tx, reports: readonly EndpointReport[], at: Date): Promise<void> {
  if (reports.length > 0) await insertEndpointDeliveries(tx, reports, { at, channel: WEBHOOK_CHANNEL });
}
