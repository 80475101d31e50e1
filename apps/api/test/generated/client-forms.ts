/**
 * The request forms of public clients of this API family, one row each. Words in angle brackets
 * stand for rows that exist: `<assistant>` is the id of one.
 */

/** A request as a client sends it, and its requirements on the response. */
export interface ClientForm {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** The status that the client requires; absent: any 2xx. */
  status?: number;
  /**
   * The fields that it reads. `list`: a bare array of objects with these fields; `page`: the envelope; else fields of the
   * object, of which `isTrue` must be true, because the client takes everything else for a failure.
   */
  reads?: { list: string[] } | { page: true } | { fields: string[]; isTrue?: string };
  /** The name of the form, if the request alone is ambiguous. */
  note?: string;
  /** The operation is not taken: why (docs/api.md, "Clients of the API family"). It is refused, never answered with success. */
  notTaken?: string;
}

const idAndName = { list: ['id', 'name'] };
const idOnly = { list: ['id'] };
const page = { page: true } as const;
const message = { fields: ['message'] };

/** The smallest assistant with write names, and the same with read names and all values as strings. */
const inWriteNames = {
  assistant_name: 'From a form',
  voice_id: 1,
  language: 'English',
  llm_model: 'Scripted dialogue (built in)',
  calls_direction: 'make',
  engine_type: 'pipeline',
  timezone: 'Europe/Berlin',
  initial_message: 'Hi',
  system_prompt: 'Help.',
};
const inReadNames = {
  name: 'From an automation',
  voice_id: '1',
  language_id: '1',
  llm_model_id: '1',
  type: 'outbound',
  mode: 'pipeline',
  timezone: 'Europe/Berlin',
  initial_message: 'Hi',
  system_prompt: 'Help.',
  record: 'true',
  max_duration: '120',
  llm_temperature: '0.3',
};

/** The forms of the operations that the reference names, and of those that the clients added to them. */
export const clientForms: readonly ClientForm[] = [
  { method: 'GET', path: '/api/user/me', reads: { fields: ['name', 'email', 'total_balance'] } },
  { method: 'GET', path: '/api/user/assistants', reads: { list: ['id', 'name', 'created_at'] } },
  { method: 'GET', path: '/api/user/assistants/outbound', reads: idAndName },
  { method: 'GET', path: '/api/user/assistants/get?page=1&per_page=50', reads: page },
  { method: 'GET', path: '/api/user/assistants/phone-numbers?type=inbound', reads: idOnly },
  { method: 'GET', path: '/api/user/assistants/voices?mode=pipeline&language_id=1', reads: idAndName },
  { method: 'GET', path: '/api/user/assistants/models?type=llm', reads: idAndName },
  { method: 'GET', path: '/api/user/assistants/languages', reads: idAndName },
  { method: 'GET', path: '/api/user/assistants/synthesizer-providers', reads: idAndName },
  { method: 'GET', path: '/api/user/assistants/transcriber-providers', reads: idAndName },
  {
    method: 'POST',
    path: '/api/user/assistant',
    body: inWriteNames,
    status: 201,
    reads: { fields: ['data.id'] },
  },
  {
    method: 'POST',
    path: '/api/user/assistant',
    body: inReadNames,
    status: 201,
    reads: { fields: ['data.id'] },
    note: 'read names, everything as text',
  },
  {
    method: 'PUT',
    path: '/api/user/assistant/<assistant>',
    body: { initial_message: 'Hello' },
    reads: message,
  },
  {
    method: 'PUT',
    path: '/api/user/assistant/<assistant>',
    body: { name: 'Renamed', max_duration: '90' },
    reads: message,
  },
  { method: 'DELETE', path: '/api/user/assistant/<assistant>', reads: message },
  ...['enable-webhook', 'enable-inbound-webhook'].flatMap((operation): ClientForm[] => [
    {
      method: 'POST',
      path: `/api/user/assistants/${operation}`,
      body: { assistant_id: '<assistant>', webhook_url: 'https://automation.example/hook' },
      reads: message,
      note: 'the id as text',
    },
  ]),
  ...['disable-webhook', 'disable-inbound-webhook'].flatMap((operation): ClientForm[] => [
    {
      method: 'POST',
      path: `/api/user/assistants/${operation}`,
      body: { assistant_id: '<assistant>' },
      reads: message,
      note: 'the id as text',
    },
    {
      method: 'POST',
      path: `/api/user/assistants/${operation}`,
      body: { assistant_id: '<assistant>', webhook_url: 'https://automation.example/hook' },
      reads: message,
      note: 'the address sent along',
    },
  ]),
  {
    method: 'POST',
    path: '/api/user/make_call',
    body: { assistant_id: '<assistant>', phone_number: '+1 202 555 0151', variables: { name: 'text' } },
    reads: { fields: ['call_id', 'status', 'data.call_id'] },
    note: 'the id as text, the number with spaces',
  },
  {
    method: 'POST',
    path: '/api/user/make_call',
    body: { assistant_id: '<assistant>', phone_number: '+12025550152', variables: {} },
    reads: { fields: ['call_id', 'status'] },
  },
  {
    method: 'POST',
    path: '/api/user/make_call',
    body: { assistant_id: '<assistant>', phone_number: '+12025550153', variables: [] },
    reads: { fields: ['call_id', 'status'] },
    note: 'variables as an empty list',
  },
  {
    method: 'GET',
    path: '/api/user/calls?assistant_id=&page=&per_page=',
    reads: page,
    note: 'empty values mean nothing was given',
  },
  { method: 'GET', path: '/api/user/calls?assistant_id=<assistant>&page=1&per_page=20', reads: page },
  { method: 'GET', path: '/api/user/calls/<call>', reads: { fields: ['id', 'status', 'transcript'] } },
  { method: 'DELETE', path: '/api/user/calls/<call>', reads: message },
  { method: 'GET', path: '/api/user/leads', reads: idOnly },
  { method: 'GET', path: '/api/user/leads?page=1&per_page=20', reads: page },
  {
    method: 'POST',
    path: '/api/user/lead',
    body: {
      campaign_id: '<campaign>',
      phone_number: '+1 202 555 0154',
      variables: { customer_name: 'Ada', email: 'ada@parley.example' },
      allow_dupplicate: true,
      secondary_contacts: [{ phone_number: '+12025550155', variables: { customer_name: 'Grace' } }],
    },
    status: 200,
    reads: { fields: ['message', 'data.id', 'data.campaign.id', 'data.secondary_contacts.0.id'] },
    note: 'exactly 200',
  },
  {
    method: 'POST',
    path: '/api/user/lead',
    body: { campaign_id: '<campaign>', phone_number: '+12025550156', variables: [{ a: 1 }, { a: 2, b: 3 }] },
    status: 200,
    reads: { fields: ['data.variables.a', 'data.variables.b'] },
    note: 'variables as a list, merged from left to right',
  },
  { method: 'PUT', path: '/api/leads/<lead>', body: { status: 'completed' }, reads: message },
  { method: 'PUT', path: '/api/leads/<lead>', body: { status: 'reached-max-retries' }, reads: message },
  {
    method: 'PUT',
    path: '/api/leads/<lead>',
    body: { status: 'created', variables: { city: 'Rome' } },
    reads: message,
  },
  {
    method: 'PUT',
    path: '/api/leads/<lead>',
    body: { phone_number: '+1 202 555 0157', campaign_id: '<campaign>' },
    reads: message,
  },
  {
    method: 'PATCH',
    path: '/api/user/leads/<lead>',
    body: { status: 'completed', variables: { city: 'Rome' } },
    status: 200,
    reads: message,
    note: 'exactly 200',
  },
  {
    method: 'POST',
    path: '/api/user/lead',
    body: { campaign_id: '<campaign>', phone_number: '+12025550158', variable: { city: 'Rome' } },
    status: 200,
    reads: { fields: ['data.variables.city'] },
    note: 'variables under their other name',
  },
  { method: 'DELETE', path: '/api/user/leads/<lead>', reads: message },
  { method: 'GET', path: '/api/user/campaigns', reads: idAndName },
  {
    method: 'POST',
    path: '/api/user/campaigns',
    body: {
      name: 'Spring',
      assistant_id: '<assistant>',
      max_retries: 2,
      retry_interval: 3600,
      allowed_days: ['monday'],
    },
    status: 201,
    reads: { fields: ['data.id', 'data.status'] },
  },
  {
    method: 'POST',
    path: '/api/user/campaigns/update-status',
    body: { campaign_id: '<campaign>', action: 'start' },
    reads: { fields: ['success', 'data.status'] },
  },
  {
    method: 'POST',
    path: '/api/user/campaigns/update-status',
    body: { campaign_id: '<campaign>', action: 'stop' },
    reads: { fields: ['success', 'data.status'] },
  },
  { method: 'DELETE', path: '/api/user/campaign/<campaign>', reads: message, note: 'singular' },
];
