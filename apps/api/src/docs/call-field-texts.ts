/**
 * Descriptions and examples of the fields of calls, leads and campaigns whose values depend on each other: the example of a
 * record with a transcript is a call that has ended, and that of a campaign with calls is one that was started.
 */
import { text, type FieldText } from './field-text.ts';

const callStatus = text(
  '`initiated`, `ringing`, `in-progress`; then `busy`, `no-answer`, `failed`, or `ended…` until recording and evaluation are settled, then `completed`.',
  'completed',
);
const callType = text('Who called, or `web` for a call from a browser.', 'outbound');
const campaignName = text('Name of the campaign.', 'Autumn reminders');
const campaignStatus = text('`draft` until it is started for the first time.', 'in-progress');
const opensAt = text('Start of the calling hours, `HH:MM:SS`.', '09:00:00');
const closesAt = text(
  'Dialing stops just before this time of day. `23:59` means midnight; before the start, it is the next day.',
  '17:30:00',
);
const deliveryId = text(
  'Sent as `webhook-id`; the same for every try.',
  'b6a1f0a4-5a0e-4b7e-9f60-0c9a8f1d2e3f',
);
const explanation = text('The reason as a sentence.', 'The lead was due for its first call.');

/** `Component.field` to its texts; a field of an object inside a component has the path `Component.object.field`. */
export const callFieldTexts: Record<string, FieldText> = {
  'Call.status': callStatus,
  'Call.type': callType,
  'CallDetail.status': callStatus,
  'CallDetail.type': callType,
  'CallDetail.ended_reason': text(
    'A code such as `customer_hung_up` or `duration_limit`; null without one.',
    'customer_hung_up',
  ),
  'CallDetail.diverted_from': text(
    'Inbound: the number that the caller dialed first, where the call was forwarded to the assistant; null otherwise, and where that party withholds its number.',
    null,
  ),
  'CallDetail.caller_name': text(
    'Inbound: the name that the caller or the carrier shows (CNAM); null without one. Not verified.',
    null,
  ),
  'CallDetail.caller_identity': text(
    'Inbound: what the networks say about the number of the caller (STIR/SHAKEN); null if nothing.',
    null,
  ),
  'CallDetail.ended_at': text('When the call ended; null while it lives.', '2026-01-31T09:06:03.123000Z'),
  'CallEvent.type': text('What happened.', 'answered'),
  'CallCost.name': text('The trunk, model or voice that was used.', 'Carrier'),
  'ToolCall.name': text('Name of the tool.', 'opening_hours'),
  'ToolCall.is_error': text('Whether it failed.', false),
  'WebhookDelivery.event': text('The event.', 'call.finished'),
  'WebhookDelivery.status': text('`pending` until it was delivered or given up.', 'delivered'),
  'WebhookDelivery.next_attempt_at': text('When it will be retried; null: never.', null),
  'DeliveryRecord.id': deliveryId,
  'DeliveryDetail.id': deliveryId,
  'DeliveryRecord.status': text('`pending` until it was delivered or given up.', 'delivered'),
  'DeliveryRecord.next_attempt_at': text('When it will be retried; null: never.', null),
  'DeliveryRecord.endpoint_id': text('The webhook endpoint; null for the webhook of an assistant.', null),
  'DeliveryDetail.event': text('The event.', 'call.finished'),
  'DeliveryDetail.status': text('`pending` until it was delivered or given up.', 'delivered'),
  'DeliveryDetail.next_attempt_at': text('When it will be retried; null: never.', null),
  'DeliveryDetail.endpoint_id': text('The webhook endpoint; null for the webhook of an assistant.', null),
  'DeliveryAttemptDetail.status': text('HTTP status of the answer; null where there was none.', 200),
  'HangUpRequested.data.status': text('The state when the end was requested.', 'in-progress'),
  'SipMessage.text': text('The message.', 'SIP/2.0 200 OK\r\nCSeq: 1 INVITE\r\n\r\n'),
  'DialVerdict.reason': text('A code such as `first_call`, `window_closed` or `do_not_call`.', 'first_call'),
  'DialVerdict.explanation': explanation,
  'DialVerdict.until': text(
    'No call before this instant; null where something else than a clock decides.',
    null,
  ),
  'DialDecision.reason': text('`first_call`, `next_contact` or `retry`.', 'first_call'),
  'DialDecision.explanation': explanation,
  'DialDecision.window_closes_at': text(
    'End of the calling hours in which it was dialed.',
    '2026-01-31T16:30:00.000000Z',
  ),
  'LeadAttempt.status': callStatus,
  'LeadAttempt.ended_reason': text(
    'A code such as `customer_hung_up` or `duration_limit`; null without one.',
    'customer_hung_up',
  ),
  'UnreachableLeads.reason': text('A code such as `do_not_call`.', 'do_not_call'),
  'UnreachableLeads.explanation': text('The reason as a sentence.', 'The number is on the do-not-call list.'),
  'CampaignStatusUpdated.data.status': campaignStatus,
  'Campaign.name': campaignName,
  'Campaign.allowed_hours_start_time': opensAt,
  'Campaign.allowed_hours_end_time': closesAt,
  'NewCampaign.name': campaignName,
  'CampaignChanges.name': campaignName,
  'CampaignDetail.name': campaignName,
  'CampaignDetail.status': campaignStatus,
  'CampaignDetail.allowed_hours_start_time': opensAt,
  'CampaignDetail.allowed_hours_end_time': closesAt,
  'CampaignDetail.opens_at': text(
    'When the calling hours begin next; null within them, and when they never do.',
    null,
  ),
  'CampaignDetail.waiting_for': text(
    'What most open leads wait for; null without waiting leads, and where each lead has its own reason.',
    'campaign_calls',
  ),
  'CampaignDetail.obstacle': text('Why the campaign can never finish as it stands; null where it can.', null),
  'CampaignObstacle.explanation': text(
    'The reason as a sentence.',
    'No hour of the week is left in which the campaign may call.',
  ),
  'LeadImport.state': text(
    '`interrupted`: send the file again with the same `Idempotency-Key`, and the import continues.',
    'finished',
  ),
  'OutboundAssistant.type': text('Always `outbound`.', 'outbound'),
};
