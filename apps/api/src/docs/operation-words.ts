/** What the API document says beside the contract's own words: the introduction, the groups, single endpoints. A table. */

/** The first thing a reader sees; Markdown. */
export const introduction = `
Voice assistants that make and take phone calls.

**Authentication.** Every request carries \`Authorization: Bearer <token>\`. Tokens are made in the admin app, by
\`npm run -s cli -- token create\` or by \`POST /api/user/tokens\`; they may be limited to the scopes \`read\`, \`write\`
and \`call\`. Everything belongs to the token's user: what is somebody else's is answered like what does not exist.

**Errors.** Every error is JSON with a \`message\`; a 422 adds \`errors\`, a list of texts for each field. The header
\`X-Request-Id\`, which is on every answer, finds the request in the server's log.

**Repeating.** A create or a call that carries an \`Idempotency-Key\` is done once, however often it is sent: for 24 hours
the first answer is given again. The same key with another body is refused with 422; while the first request is still at
work the answer is 409.

**Rate limit.** Counted per token; \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` say where it stands. A 429 says in
\`Retry-After\` and \`retry_after\` how many seconds to wait.

**Pages.** Lists in pages take \`page\` and \`per_page\` and answer with an envelope of \`data\`, \`total\` and links.

**Leniency.** Numbers and booleans may be sent as strings. An empty query value means "not given"; unknown query
parameters are ignored. Answers may grow fields: ignore what you do not know.

**Without a token**: \`/livez\` and \`/readyz\` tell health, \`/openapi.json\` is this document, \`/docs/postman.json\` the same
for Postman.
`.trim();

/** Group of the contract to its title and what it is about; their order is the page's. */
export const groups: Record<string, { title: string; description: string }> = {
  assistants: {
    title: 'Assistants',
    description: 'Who talks: voice, language, model, behaviour and webhooks.',
  },
  lookups: { title: 'Lookup lists', description: 'What an assistant is configured from. Always complete.' },
  leads: { title: 'Leads', description: 'Whom a campaign calls. A lead may have secondary contacts.' },
  leadImports: {
    title: 'Lead imports',
    description: 'Leads from CSV files: upload, follow, report of refused rows, undo.',
  },
  campaigns: { title: 'Campaigns', description: 'Batches of calls, with a calling window and retries.' },
  calls: { title: 'Calls', description: 'Place a call, follow it, end it, look it up.' },
  users: { title: 'Users', description: 'Who the token belongs to; and everyone, for operators.' },
  tokens: { title: 'API tokens', description: 'Your own tokens. A token is shown once.' },
  phoneNumbers: { title: 'Phone numbers', description: 'Numbers that are called and shown to customers.' },
  sipTrunks: { title: 'SIP trunks', description: 'Lines that calls go out on and come in from.' },
  providers: { title: 'Providers', description: 'Servers of language models and voices.' },
  prices: { title: 'Prices', description: 'What a minute of conversation costs; for operators.' },
  doNotCall: { title: 'Do-not-call list', description: 'Numbers that are never dialed.' },
  webhookDeliveries: {
    title: 'Webhook deliveries',
    description: 'What was posted to your servers, what they answered, and sending it again.',
  },
  webhookSecrets: { title: 'Webhook secret', description: 'What your webhooks are signed with.' },
};

/** The group of what we send instead of receive; stands last. */
export const webhookGroup = {
  title: 'Webhooks',
  description: 'What Parley posts to your own servers, signed.',
};

/** What a reader should know of an endpoint beyond its summary. */
export const descriptions: Record<string, string> = {
  'assistants.create':
    'Most fields have two names, one for writing and one as it is read; either may be sent, and where both are, the first wins. What is left out has the default shown.',
  'assistants.update':
    'Takes the same fields and rules as creating. A call in progress keeps what it began with.',
  'assistants.remove':
    'Final for its owner: its campaigns stop, live calls finish, then its configuration is erased. Call records stay.',
  'leads.create':
    'Answers 200. A number that is in the campaign already is refused with 422 unless `allow_dupplicate` is true.',
  'leads.list': 'Without `page` and `per_page` all leads are streamed as one array, however many there are.',
  'leads.attempts':
    'The answer to "why was this number called at this time", and "why not". The same rule that dials is asked about this moment.',
  'leads.update':
    'Variables are merged into those there are. Only the four fields of the body can be written; any other is refused.',
  'leadImports.create':
    'Takes `text/csv` up to 1 GiB and answers when all of it is imported; progress can be read meanwhile. A row that makes no lead is counted and listed in the report; it does not stop the others. Sent again with the same `Idempotency-Key` after it broke off, it goes on where it stood and doubles nothing; another file under that key is refused with 422.',
  'leadImports.report':
    'Columns: row, column, reason, message, value. A cell that a spreadsheet would take for a formula begins with an apostrophe, which an import takes off again. At most 100,000 rows are listed.',
  'leadImports.undo':
    'Leads that were called, or are being called, stay and are counted in `leads_kept`. The report is deleted too.',
  'campaigns.forecast':
    'A simulation of the leads that wait now, with the limits of the campaign, its account and its SIP trunks. Calls of other campaigns are left out.',
  'campaigns.updateStatus':
    'Stopping prevents new dials at once and cancels calls that nobody has answered; conversations end normally unless `hang_up` is sent along.',
  'calls.make':
    'Answers as soon as the call is accepted; follow it with `GET /api/user/calls/{id}` or a webhook. A number that is in a call already is refused with 409, one that no line can reach with 422. Send an `Idempotency-Key`, so that a lost answer can be asked for again without a second call.',
  'calls.hangUp':
    'Answers at once; the call ends within moments. A call that was not dialed yet never will be.',
  'calls.list': 'Days are inclusive and in the time zone of the user.',
  'users.me': 'The cheapest way to see whether a token works.',
  'tokens.create': 'The new token may do no more than the one that asks.',
  'webhookDeliveries.list':
    'Deliveries are kept for 30 days after their end unless the operator decides otherwise. Days are inclusive and in the time zone of the user.',
  'webhookDeliveries.resend':
    'Keeps the `webhook-id`, signs anew, goes to the address that the assistant has now, and begins the schedule of tries again. Refused with 409 while the webhook is switched off, and while it is being sent.',
  'webhookDeliveries.resendMany':
    'Answers how many there are; they are sent soon. Asking again sends only what has ended by then. Those whose webhook is switched off stay as they are.',
  'webhookSecrets.rotate':
    'Until the old secret ends, `webhook-signature` carries a signature of each. Replacing it again meanwhile ends the oldest at once.',
  'prices.set': 'Takes the whole list. Calls that have ended keep what they were charged.',
};

/** Bodies to try; an endpoint that is not listed shows its required fields. */
export const bodyExamples: Record<string, object | string> = {
  'assistants.create': {
    assistant_name: 'Anna',
    voice_id: 1,
    language: 'English',
    llm_model: 'Scripted dialogue (built in)',
    calls_direction: 'make',
    engine_type: 'pipeline',
    timezone: 'Europe/Berlin',
    initial_message: 'Hello {{customer_name}}, this is Anna.',
    system_prompt: 'You confirm appointments. Be brief and friendly.',
    record_call: true,
  },
  'assistants.update': { system_prompt: 'You confirm appointments. Be brief.', max_call_duration: 300 },
  'leads.create': {
    campaign_id: 3,
    phone_number: '+12025550142',
    variables: { customer_name: 'Ada' },
    secondary_contacts: [{ phone_number: '+12025550143', variables: {} }],
  },
  'leadImports.create': 'phone_number,customer_name\n+12025550142,Ada\n',
  'leads.update': { variables: { customer_name: 'Ada Lovelace' } },
  'campaigns.create': {
    name: 'Autumn reminders',
    assistant_id: 12,
    allowed_hours_start_time: '09:00',
    allowed_hours_end_time: '17:30',
    allowed_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    max_calls_in_parallel: 3,
  },
  'campaigns.update': { max_calls_in_parallel: 5 },
  'campaigns.forecast': { answer_rate: 0.4, average_duration_seconds: 90 },
  'campaigns.updateStatus': { campaign_id: 3, action: 'start' },
  'calls.make': { phone_number: '+12025550142', assistant_id: 12, variables: { customer_name: 'Ada' } },
  'users.create': { name: 'Ada', email: 'ada@parley.example', role: 'member', timezone: 'Europe/Berlin' },
  'users.update': { timezone: 'Europe/London' },
  'tokens.create': { name: 'Reporting', scopes: ['read'] },
  'phoneNumbers.create': { phone_number: '+12025550144', sip_trunk_id: 1, type_label: 'SIP' },
  'sipTrunks.create': { name: 'Carrier', host: 'sip.carrier.example', port: 5060, transport: 'udp' },
  'sipTrunks.update': { port: 5080 },
  'providers.create': {
    name: 'Models',
    base_url: 'https://models.example/v1',
    api_key: 'sk-example',
    models: [{ name: 'Large', wire_name: 'large-model-2' }],
  },
  'providers.update': { name: 'Our models' },
  'webhookDeliveries.resendMany': { date_from: '2026-01-30', date_to: '2026-01-31' },
  'webhookSecrets.rotate': { keep_old_for_hours: 24 },
  'prices.set': { sip_trunks: [{ sip_trunk_id: 1, per_minute: 0.02 }], providers: [] },
};
