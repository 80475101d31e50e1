/**
 * The operations of public clients of this API family beyond the reference: tools, knowledge bases, folders, labels, phone
 * numbers, SIP trunks and messages, as they send them, and the operations that Parley does not take. The forms of the others
 * are in `client-forms.ts`. Beside the resources, `<carrierNumber>` is a number of a carrier account, `<offered>` one that
 * its carrier sells, and `<parent>` a knowledge base with a document.
 */
import type { ClientForm } from './client-forms.ts';

const message = { fields: ['message'] };
const made = { fields: ['message', 'data.id'] };
const items = { fields: ['data.0.id', 'data.0.name'] };
const WHATSAPP = 'Parley makes phone calls and sends text messages only.';
const TRUNKS = '/api/user/phone-numbers/sip-trunks';

/** All fields that the clients offer for a trunk and Parley has. */
const trunk = {
  sip_trunk_type: 'number',
  phone_number: '+12025550168',
  sip_username: 'acme',
  sip_password: 'secret',
  sip_address: 'sip.carrier.example',
  sip_calling_format: '+e164',
  inbound_authorization_type: 'auth',
  country_code: 'US',
};

const tool = {
  name: 'opening_hours',
  description: 'Looks up opening hours',
  endpoint: 'https://hours.example/today',
  method: 'POST',
  timeout: 10,
  headers: [{ name: 'X-Key', value: 'secret' }],
  schema: [{ name: 'day', type: 'string', description: 'The day' }],
};

/** Folders and labels have the same operations. */
const groups = ['folder', 'label'].flatMap((kind): ClientForm[] => [
  { method: 'GET', path: `/api/user/${kind}s?page=1&per_page=50`, reads: { page: true } },
  { method: 'POST', path: `/api/user/${kind}s`, body: { name: `New ${kind}`, color: 'teal' }, reads: made },
  { method: 'PUT', path: `/api/user/${kind}s/<${kind}>`, body: { color: null }, reads: message },
  { method: 'DELETE', path: `/api/user/${kind}s/<${kind}>`, reads: message },
]);

const knowledge: ClientForm[] = [
  { method: 'GET', path: '/api/user/knowledgebases', reads: items },
  {
    method: 'GET',
    path: '/api/user/knowledgebases/<knowledgebase>',
    reads: { fields: ['data.id', 'data.status'] },
  },
  {
    method: 'POST',
    path: '/api/user/knowledgebases',
    body: { name: 'Shop', description: 'Hours and prices' },
    status: 201,
    reads: made,
  },
  {
    method: 'PUT',
    path: '/api/user/knowledgebases/<knowledgebase>',
    body: { name: 'Store' },
    reads: message,
  },
  { method: 'DELETE', path: '/api/user/knowledgebases/<knowledgebase>', reads: message },
  { method: 'GET', path: '/api/user/knowledgebases/<parent>/documents', reads: items },
  {
    method: 'GET',
    path: '/api/user/knowledgebases/<document.parent>/documents/<document>',
    reads: { fields: ['data.id', 'data.status'] },
  },
  {
    method: 'POST',
    path: '/api/user/knowledgebases/<knowledgebase>/documents',
    body: { name: 'Site', type: 'website', url: 'https://shop.example/', relative_links_limit: 10 },
    status: 201,
    reads: made,
  },
  {
    method: 'POST',
    path: '/api/user/knowledgebases/<knowledgebase>/documents',
    body: { name: 'Pages', type: 'website', links: [{ link: 'https://shop.example/a' }] },
    status: 201,
    reads: made,
    note: 'single pages',
  },
  {
    method: 'POST',
    path: '/api/user/knowledgebases/<knowledgebase>/documents',
    body: {
      name: 'Both',
      type: 'website',
      url: 'https://shop.example/',
      links: [{ link: 'https://shop.example/a' }],
      relative_links_limit: 2,
    },
    status: 201,
    reads: made,
    note: 'a page and further ones',
  },
  {
    method: 'PUT',
    path: '/api/user/knowledgebases/<document.parent>/documents/<document>',
    body: { name: 'Hours', description: 'Of the shop' },
    reads: message,
  },
  {
    method: 'DELETE',
    path: '/api/user/knowledgebases/<document.parent>/documents/<document>',
    reads: message,
  },
];

const tools: ClientForm[] = [
  { method: 'GET', path: '/api/user/tools', reads: { list: ['id', 'name', 'endpoint'] } },
  {
    method: 'GET',
    path: '/api/user/tools/<tool>',
    reads: { fields: ['id', 'endpoint', 'schema'] },
  },
  { method: 'POST', path: '/api/user/tools', body: tool, status: 201, reads: made },
  {
    method: 'PUT',
    path: '/api/user/tools/<tool>',
    body: { schema: tool.schema, timeout: 5 },
    reads: message,
  },
  { method: 'DELETE', path: '/api/user/tools/<tool>', reads: message },
];

const lines: ClientForm[] = [
  { method: 'GET', path: '/api/user/phone-numbers', reads: { list: ['id', 'phone_number'] } },
  {
    method: 'GET',
    path: '/api/user/phone-numbers/all',
    reads: { fields: ['data.0.id', 'data.0.phone_number'] },
  },
  {
    method: 'GET',
    path: '/api/user/phone-numbers/search?country_code=US&contains=5559',
    reads: { fields: ['data.0.phone_number', 'data.0.price', 'data.0.sms_capable'] },
  },
  {
    method: 'POST',
    path: '/api/user/phone-numbers/purchase',
    body: { phone_number: '<offered>' },
    status: 201,
    reads: made,
  },
  {
    method: 'PUT',
    path: '/api/user/phone-numbers/<phoneNumber>',
    body: { nickname: 'Support' },
    reads: message,
  },
  { method: 'PUT', path: '/api/user/phone-numbers/<phoneNumber>', body: { nickname: null }, reads: message },
  { method: 'DELETE', path: '/api/user/phone-numbers/<phoneNumber>', reads: message },
  {
    method: 'POST',
    path: '/api/user/sms',
    body: { from: '<carrierNumber>', to: '+12025550142', body: 'See you at ten.' },
    status: 200,
    reads: message,
    note: 'exactly 200',
  },
  {
    method: 'POST',
    path: '/api/user/sms',
    body: { from: '<carrierNumber>', to: '+12025550142', bodysuit: 'See you at ten.' },
    status: 200,
    reads: { fields: ['message', 'data.body'] },
    note: 'the text under a misspelled name',
  },
  { method: 'GET', path: TRUNKS, reads: { list: ['id', 'sip_address', 'phone_number'] } },
  {
    method: 'GET',
    path: `${TRUNKS}/<trunk>`,
    reads: { fields: ['id', 'sip_address', 'sip_calling_format'] },
  },
  { method: 'POST', path: TRUNKS, body: trunk, status: 201, reads: made },
  {
    method: 'POST',
    path: TRUNKS,
    body: { ...trunk, sip_trunk_type: 'extension', phone_number: '204' },
    status: 201,
    reads: made,
    note: 'an extension',
  },
  {
    method: 'POST',
    path: TRUNKS,
    body: { ...trunk, phone_number: '+12025550169', sip_calling_format: 'national' },
    status: 201,
    reads: made,
    note: 'national numbers',
  },
  {
    method: 'PUT',
    path: `${TRUNKS}/<trunk>`,
    body: { sip_address: 'sip2.carrier.example', country_code: 'DE' },
    reads: message,
  },
];

/** Requests with all settings that a client offers and Parley has. */
const full: ClientForm[] = [
  {
    method: 'POST',
    path: '/api/user/assistant',
    body: {
      name: 'All settings',
      voice_id: 1,
      language_id: 1,
      type: 'outbound',
      mode: 'pipeline',
      timezone: 'Europe/Berlin',
      initial_message: 'Hi',
      system_prompt: 'Help.',
      llm_model_id: 1,
      knowledgebase_id: '<knowledgebase>',
      knowledgebase_mode: 'function_call',
      phone_number_id: null,
      tool_ids: ['<tool>'],
      tools: [{ type: 'end_call', data: { description: 'When all is said' } }],
      voice_stability: 0.7,
      voice_similarity: 0.5,
      speech_speed: 1,
      llm_temperature: 0.1,
      allow_interruptions: true,
      fillers: true,
      filler_config: { neutral: ['Okay.'], negative: [], positive: [], question: [] },
      record: true,
      enable_noise_cancellation: true,
      wait_for_customer: false,
      max_duration: 600,
      max_silence_duration: 40,
      reengagement_interval: 30,
      end_call_on_voicemail: true,
      endpoint_type: 'vad',
      endpoint_sensitivity: 0.5,
      interrupt_sensitivity: 0.5,
      min_interrupt_words: 0,
      ambient_sound: 'off',
      ambient_sound_volume: 0.5,
      is_webhook_active: true,
      webhook_url: 'https://automation.example/hook',
      send_webhook_only_on_completed: true,
      include_recording_in_webhook: true,
      post_call_evaluation: true,
      post_call_schema: [{ name: 'status', type: 'bool', description: 'Reached' }],
      variables: { customer_name: '' },
      folder_id: '<folder>',
      label_ids: ['<label>'],
    },
    status: 201,
    reads: { fields: ['data.id'] },
    note: 'every setting',
  },
  {
    method: 'POST',
    path: '/api/user/campaigns',
    body: {
      name: 'Autumn',
      assistant_id: '<assistant>',
      timezone: 'Europe/Berlin',
      max_calls_in_parallel: 3,
      allowed_hours_start_time: '09:00',
      allowed_hours_end_time: '17:00',
      allowed_days: ['monday', 'friday'],
      max_retries: 3,
      retry_interval: 60,
      retry_on_voicemail: true,
      retry_on_goal_incomplete: true,
      goal_completion_variable: 'status',
      mark_complete_when_no_leads: true,
      phone_number_ids: ['<phoneNumber>'],
    },
    status: 201,
    reads: { fields: ['data.id', 'data.status'] },
    note: 'every setting',
  },
  {
    method: 'GET',
    path: '/api/user/calls?status=completed&type=outbound&phone_number=%2B1202&assistant_id=<assistant>&campaign_id=<campaign>&date_from=2026-01-01&date_to=2026-12-31&per_page=20&page=1',
    reads: { page: true },
    note: 'every filter',
  },
];

const body = { assistant_id: '<assistant>', webhook_url: 'https://automation.example/hook' };
const replied = ['function_calls', 'ai_disabled'];
const written: ClientForm[] = [
  {
    method: 'POST',
    path: '/api/user/assistants/enable-conversation-ended-webhook',
    body,
    reads: message,
  },
  {
    method: 'POST',
    path: '/api/user/assistants/disable-conversation-ended-webhook',
    body: { assistant_id: '<assistant>' },
    reads: message,
  },
  {
    method: 'POST',
    path: '/api/ai/generate-reply',
    body: { assistant_id: '<assistant>', customer_identifier: 'crm-77', message: 'When are you open?' },
    status: 200,
    reads: { fields: ['conversation_id', 'customer_identifier', 'reply', ...replied], isTrue: 'success' },
  },
  {
    method: 'GET',
    path: '/api/user/conversations?type=api&per_page=15',
    reads: {
      fields: ['data.0.id', 'data.0.ai_enabled', 'data.0.message_count', 'data.0.total_cost', 'next_cursor'],
    },
  },
  {
    method: 'POST',
    path: '/api/conversations',
    body: { assistant_id: '<assistant>', type: 'test' },
    status: 200,
    reads: { fields: ['conversation_id', 'history'], isTrue: 'status' },
    note: 'exactly 200',
  },
  {
    method: 'GET',
    path: '/api/conversations/<writtenConversation>',
    status: 200,
    reads: { fields: ['id', 'history', 'variables'], isTrue: 'status' },
  },
  {
    method: 'POST',
    path: '/api/conversations/<writtenConversation>/messages',
    body: { message: 'Hello' },
    status: 200,
    reads: { fields: ['message', ...replied], isTrue: 'status' },
  },
  {
    method: 'POST',
    path: '/api/automate/conversations/<writtenConversation>/enable-ai',
    reads: { fields: ['ai_enabled'], isTrue: 'status' },
  },
  {
    method: 'POST',
    path: '/api/automate/conversations/<writtenConversation>/disable-ai',
    reads: { fields: ['ai_enabled'], isTrue: 'status' },
  },
];

const notTaken: ClientForm[] = [
  { method: 'GET', path: '/api/user/whatsapp/senders?status=online', notTaken: WHATSAPP },
  { method: 'GET', path: '/api/user/whatsapp/senders/1/templates', notTaken: WHATSAPP },
  {
    method: 'GET',
    path: '/api/user/whatsapp/session-status?sender_id=1&recipient_phone=1',
    notTaken: WHATSAPP,
  },
  {
    method: 'POST',
    path: '/api/user/whatsapp/send',
    body: { sender_id: 1, template_id: 1 },
    notTaken: WHATSAPP,
  },
  {
    method: 'POST',
    path: '/api/user/whatsapp/send-freeform',
    body: { sender_id: 1, message: 'Hi' },
    notTaken: WHATSAPP,
  },
  {
    method: 'POST',
    path: '/api/user/assistant',
    body: { name: 'Speaks two', secondary_language_ids: [2] },
    notTaken: 'A setting that does not exist here is refused.',
    note: 'a second language',
  },
];

/** Every operation beyond `client-forms.ts`. */
export const clientOperations: readonly ClientForm[] = [
  ...groups,
  ...knowledge,
  ...tools,
  ...lines,
  ...full,
  ...written,
  ...notTaken,
];
