/** Descriptions and examples of fields that mean something else in one component, or in the query of one operation. */
import { text, type FieldText } from './field-text.ts';

/** `Component.field` or `operationId.parameter` to its texts. */
export const componentFieldTexts: Record<string, FieldText> = {
  'AssistantChanges.name': text('The same as `assistant_name`.', 'Anna'),
  'AssistantChanges.tools': text('As they are read, or flat: `{ type, …data }`; 32 at most.', [
    { type: 'end_call' },
  ]),
  'BulkResult.created': text('Leads that were created.', 1),
  'BulkResult.refused': text('Rows that were refused.', 0),
  'BulkResult.rows': text('The result of each row, in the order of the request.'),
  'BulkRow.errors': text('A list of texts for each invalid field; empty if the lead was created.', {}),
  'BulkRow.id': text('The lead; null if the row was refused.', 41),
  'BulkRow.row': text('Position in `leads`, from 0.', 0),
  'BulkRow.status': text('Whether the lead was created.'),
  'Call.status': text(
    '`initiated`, `ringing`, `in-progress`; then `busy`, `no-answer`, `failed`, or `ended…` until recording and evaluation are settled, then `completed`.',
  ),
  'CampaignForecast.leads': text('Leads that wait to be called.', 100),
  'CampaignProgress.completed': text('Leads that were reached.', 40),
  'CampaignProgress.created': text('Leads still to be called.', 60),
  'CampaignProgress.outcomes': text('Calls that have ended, by outcome.'),
  'DeliveryAttempt.status': text('HTTP status of the answer; null where there was none.', 200),
  'DeliveryDetail.payload': text('The body as it is sent.', { event: 'call.finished', id: 4711 }),
  'DeliveryDetail.reason': text('As in the list.', null),
  'DeliveryRecord.event': text('The event.', 'call.finished'),
  'DeliveryRecord.reason': text(
    'Why it ended without success: `switched_off`, `gone` (the receiver answered 410) or `tries_used_up`.',
    null,
  ),
  'EnableWebhook.webhook_url': text(
    'The receiver; http or https, without credentials.',
    'https://receiver.example/parley',
  ),
  'Lead.status': text('Set by dialing. Writing `created` restarts the lead; the other values end it.'),
  'LeadAttempt.decision': text('Why it was called then; null for calls that are older than this record.'),
  'LeadAttempt.lead_id': text('The lead, or the secondary contact that was called.', 77),
  'LeadAttempts.attempts': text('Every call, newest first; at most 200.'),
  'LeadAttempts.lead_id': text('The lead; for a secondary contact, its lead.', 77),
  'LeadImport.state': text(
    '`interrupted`: send the file again with the same `Idempotency-Key`, and the import continues.',
  ),
  'MakeCall.variable': text('The same as `variables`, which is used if both are sent.'),
  'NewAssistant.name': text('The same as `assistant_name`, which wins if both are sent.', 'Anna'),
  'NewAssistant.tools': text('As they are read, or flat: `{ type, …data }`; 32 at most.', [
    { type: 'end_call' },
  ]),
  'NewLeads.leads': text('Rows with `phone_number` and `variables`, like the body that creates a lead.'),
  'PageLink.url': text('Address of the page; null without one.', null),
  'PostCallField.name': text('Letters, digits and underscores.', 'summary'),
  'PriceList.models': text('Prices of language models.'),
  'PriceList.voices': text('Prices of voices; speech-to-speech voices are priced per token.'),
  'SipTrunkHealth.state': text(
    '`on-trial`: its pause is over, and one call at a time shows whether it works again.',
  ),
  'UnreachableLeads.leads': text('The number.', 3),
  'User.max_calls': text(
    'Calls of the account at the same time. Inbound ones count, and are never refused for it.',
    10000,
  ),
  'WebhookDelivery.id': text(
    'Sent as `webhook-id`; the same for every try.',
    'b6a1f0a4-5a0e-4b7e-9f60-0c9a8f1d2e3f',
  ),
  'calls.list.phone_number': text(
    "The customer's number. A number with its country code (`+1202555`) selects the numbers that begin with it; any other text (`0142`) selects the numbers that contain it. Spaces and punctuation are ignored. A number in the national form of the user's country counts as one with its country code.",
    '+12025550142',
  ),
  'doNotCall.list.phone_number': text('Digits that the number contains.', '5550142'),
  'leads.list.phone_number': text('Digits that the number contains.', '5550142'),
};
