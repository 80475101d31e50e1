/** The texts of the API document that are not in the contract: the introduction, groups, and single endpoints. */

/** The first section, in Markdown. */
export const introduction = `
Voice assistants that make and take phone calls.

**Authentication.** Every request carries \`Authorization: Bearer <token>\`. Create tokens in the admin app, with
\`npm run -s cli -- token create\` or by \`POST /api/user/tokens\`; a token can be limited to the scopes \`read\`, \`write\`
and \`call\`. All resources belong to the token's user; those of other users answer as if they did not exist.

**Errors.** Every error is JSON with a \`message\`; a 422 adds \`errors\`, a list of texts for each field. The header
\`X-Error-Code\` has a machine-readable code, and \`Link\` points to its explanation at [/docs/errors](/docs/errors). The header
\`X-Request-Id\` of every answer identifies the request in the server's log.

**Idempotency.** A request with an \`Idempotency-Key\` is executed once, however often it is sent: for 24 hours the first
answer is repeated, with the header \`Idempotent-Replayed: true\`. The same key with another body is refused with 422; while the first request is still running, the
answer is 409 with \`Retry-After\`.

**Rate limit.** Counted per token; \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` show its state. A 429
has the seconds to wait in \`Retry-After\` and \`retry_after\`.

**Pagination.** Paginated lists take \`page\` and \`per_page\` and answer with an envelope of \`data\`, \`total\` and links. Lists that take
\`cursor\` answer to it with \`data\` and \`next_cursor\` instead: records that are added or removed meanwhile move no others.

**Leniency.** Numbers and booleans may be sent as strings. An empty query value means "not given"; unknown query
parameters are ignored. Answers may get new fields: ignore unknown ones.

**Without a token**: \`/livez\` and \`/readyz\` report health, \`/openapi.json\` is this document, and \`/docs/postman.json\`
is the same for Postman.
`.trim();

/** Titles and descriptions of the contract's groups, in the order of the page. */
export const groups: Record<string, { title: string; description: string }> = {
  assistants: {
    title: 'Assistants',
    description: 'Voice, language, model, behaviour and webhooks of an assistant.',
  },
  writtenConversations: {
    title: 'Written conversations',
    description:
      'Conversations in text with an assistant, which the server keeps: the same prompt, model and tools as in a call. One reply at a time; an ended conversation opens again with the next message.',
  },
  assistantVersions: {
    title: 'Assistant versions',
    description: 'The settings of an assistant after every saved change; the newest 200 are kept.',
  },
  recordedPhrases: {
    title: 'Recorded phrases',
    description:
      'Recordings of fixed sentences of an assistant, such as the first message, phrases of a script, fillers and goodbyes. Wherever the assistant says such a sentence, the recording is played instead of the voice. Sounds are decoded in the background; `status` says when one is used. A sound is also accepted as the part `file` of `multipart/form-data`.',
  },
  folders: { title: 'Folders', description: 'Folders of assistants. An assistant is in at most one.' },
  labels: { title: 'Labels', description: 'Labels of assistants. An assistant has any number of them.' },
  tools: {
    title: 'Tools',
    description:
      'HTTP requests that assistants may make during calls. An assistant uses those of its `tool_ids` beside its own list.',
  },
  knowledgebases: {
    title: 'Knowledge bases',
    description:
      'Collections of documents. An assistant uses the one of its `knowledgebase_id`, with a tool that it calls or in its prompt.',
  },
  documents: {
    title: 'Documents',
    description:
      'Web pages, files and texts of a knowledge base. Their text is read in the background; `status` says when it can be used. A file is also accepted as the part `file` of `multipart/form-data`.',
  },
  lookups: {
    title: 'Lookup lists',
    description: 'The values that an assistant can be configured with. Not paginated.',
  },
  leads: {
    title: 'Leads',
    description: 'The people that a campaign calls. A lead may have secondary contacts.',
  },
  leadImports: {
    title: 'Lead imports',
    description: 'Leads from CSV files: upload, progress, report of refused rows, undo.',
  },
  campaigns: { title: 'Campaigns', description: 'Batches of calls, with a calling window and retries.' },
  calls: { title: 'Calls', description: 'Place, follow, list and end calls.' },
  users: { title: 'Users', description: 'The user of the token; for operators, all users.' },
  tokens: { title: 'API tokens', description: 'Your own tokens. A token is shown once.' },
  phoneNumbers: {
    title: 'Phone numbers',
    description: 'Numbers that customers call, and that they see when they are called.',
  },
  sipTrunks: { title: 'SIP trunks', description: 'Connections to carriers, for outbound and inbound calls.' },
  carrierAccounts: {
    title: 'Carrier accounts',
    description: 'Accounts at Twilio and Telnyx, through which numbers are bought and text messages sent.',
  },
  sms: { title: 'SMS', description: 'Text messages from numbers of carrier accounts.' },
  suites: {
    title: 'Suites',
    description:
      'Suites of simulated callers that test assistants. Their text is that of the command `test` (docs/evaluations.md).',
  },
  suiteRuns: {
    title: 'Suite runs',
    description:
      'Runs of suites, and the conversations of each: what was said, what was expected, times, costs, and the call. A finished run is kept until 100 newer ones exist.',
  },
  providers: { title: 'Providers', description: 'Servers of language models and voices.' },
  prices: { title: 'Prices', description: 'The price of a minute of conversation; for operators.' },
  auditLog: {
    title: 'Audit log',
    description: 'Administrative writes, sign-ins and uses of tokens: who, when and from where.',
  },
  apiLog: {
    title: 'API log',
    description:
      'Requests that API tokens made: time, operation, status, duration and request id, without bodies, query parameters or numbers.',
  },
  people: { title: 'People', description: 'Erasing a person by phone number.' },
  consents: {
    title: 'Consent',
    description: 'Records that people agreed to be called, for campaigns that require them.',
  },
  doNotCall: { title: 'Do-not-call list', description: 'Numbers that are never dialed.' },
  webhookDeliveries: {
    title: 'Webhook deliveries',
    description: 'Requests that were sent to your servers, their answers, and resending them.',
  },
  webhookSecrets: { title: 'Webhook secret', description: 'The secret that signs your webhooks.' },
  webhookEndpoints: {
    title: 'Webhook endpoints',
    description: 'Addresses that subscribe to events of calls, leads, campaigns, trunks and limits.',
  },
};

/** The last group: requests that Parley sends. */
export const webhookGroup = {
  title: 'Webhooks',
  description: 'Signed requests that Parley sends to your own servers.',
};

const followingText = `
Answers with \`text/event-stream\` (server-sent events, HTML Living Standard): first all past events of the call, then each new
one within about a second, and at last \`end\`. The stream of a call that is over ends at once.

- Each event of the timeline has its \`type\` as \`event\`, its number as \`id\`, and a \`CallEvent\` as \`data\`, in one line.
- \`turn\` (a \`CallTurn\`) and \`tool_call\` (a \`ToolCall\`) are stored with the hang-up. They come before its event
  (\`customer-hung-up\`, \`assistant-hung-up\` or \`ended\`), in the order in which they began, and have no \`id\`.
- \`end\` has \`call_id\`, \`status\`, \`outcome\`, \`ended_by\` and \`ended_reason\`. It comes when the call has its final status;
  close the stream then, because \`EventSource\` would connect again.

A stream that ends without \`end\` was interrupted: connect again with the last \`id\` in the header \`Last-Event-ID\`, and only
later events are sent. Before the event of the hang-up that includes all turns and tool calls. New types of events may be
added. Comments every 15 seconds keep the connection open. A user may have 100 streams open in each api process; another
one is refused with 429.

\`\`\`
id: 4711
event: ringing
data: {"at":"2026-01-31T09:05:00.000000Z","type":"ringing","detail":{}}
\`\`\`
`.trim();

/** Descriptions of endpoints beyond their summaries. */
export const descriptions: Record<string, string> = {
  'assistants.create':
    'Most fields have two names, one for writing and one for reading. Either may be sent; if both are, the first one wins. Omitted fields get the default shown.',
  'assistants.update':
    'Takes the same fields and rules as creating. A call in progress keeps the configuration that it started with.',
  'assistants.remove':
    'Cannot be undone: its campaigns stop, live calls finish, then its configuration is erased. Call records are kept.',
  'writtenConversations.generateReply':
    'A customer has one conversation with an assistant, by `customer_identifier`. `variables` are added to those of the conversation. While the assistant is replying to a message, another one is refused with 409 and `Retry-After`, and not stored. After a 503 the message is stored without an answer; send it again. A token of a member may ask 30 times a minute.',
  'writtenConversations.create':
    '`assistant_id` is the `id` or the `uuid` of the assistant. `history` has what the assistant says first.',
  'writtenConversations.write':
    'While the assistant is replying to a message, another one is refused with 409 and `Retry-After`, and not stored. After a 503 the message is stored without an answer; send it again. A conversation that has ended opens again.',
  'writtenConversations.disableAi': 'For a person who takes over. A reply that is being prepared is dropped.',
  'writtenConversations.enableAi':
    'Messages that came meanwhile are read with the next message, and not answered by themselves.',
  'assistantVersions.get':
    'Values of headers of tools are left out. `changed_settings` has the read names of the fields. Folder and labels are not part of a version.',
  'assistantVersions.restore':
    'A change like any other: it is validated, what the settings refer to must still exist, and calls in progress keep what they started with. Headers of tools get the values that they had. With `settings`, only these are restored.',
  'suites.create':
    'A faulty suite is refused with 422; each message of `errors.definition` names line and field. A stored suite has at most 500 conversations, and an assistant plays its personas.',
  'suites.start':
    'Answers at once; read the run until its `status` is not `running`. Calls begin when no conversation in text is left, and go to built-in test phones only. A suite with calls requires a token with the scope `call` as well. An account has at most 3 runs at a time.',
  'suiteRuns.cancel': 'Conversations that have not begun are skipped. A run that is over stays as it is.',
  'suiteRuns.compare':
    'Callers with the same name are compared. `change` follows from the share of conversations that passed.',
  'suiteRuns.replay':
    'The run has one conversation, whose `replay` has the recorded answers beside those of today. HTTP tools do not run, and nothing is judged. Deleting the call deletes its replays.',
  'leads.create':
    'Answers 200. A number that the campaign has already is refused with 422 unless `allow_dupplicate` is true.',
  'leads.createMany':
    'All accepted rows are created together. A refused row has the texts that the endpoint for single leads would give, and does not affect the others. A row has `phone_number` and `variables`; secondary contacts need the endpoint for single leads.',
  'leads.list':
    'Without `page`, `per_page` and `cursor` all leads are streamed as one array, however many there are.',
  'leads.attempts':
    'Explains why this number was called at a given time, or why it was not. The rule that dials is evaluated for the current time.',
  'leads.update':
    'Variables are merged into the existing ones. Only the four fields of the body can be written; any other is refused.',
  'leadImports.create':
    'Takes `text/csv` up to 1 GiB and answers when all of it is imported; progress can be read meanwhile. An invalid row is counted and listed in the report; it does not stop the others. After an interruption, send the file again with the same `Idempotency-Key`: the import continues where it stopped and creates no duplicates; another file under that key is refused with 422.',
  'leadImports.report':
    'Columns: row, column, reason, message, value. A cell that a spreadsheet would evaluate as a formula starts with an apostrophe, which an import removes again. At most 100,000 rows are listed.',
  'leadImports.undo':
    'Leads that were called, or are being called, are kept and counted in `leads_kept`. The report is deleted too.',
  'campaigns.forecast':
    'A simulation of the leads that wait now, with the limits of the campaign, its account and its SIP trunks. Calls of other campaigns are not considered.',
  'campaigns.updateStatus':
    'Stopping prevents new calls at once and cancels unanswered ones; conversations end normally unless `hang_up` is true.',
  'calls.make':
    'Answers when the call is accepted; follow it with `GET /api/user/calls/{id}/events` or a webhook. A number that is in a call already is refused with 409, one that no trunk can reach with 422. Send an `Idempotency-Key`, so that you can repeat the request without a second call if its answer is lost.',
  'calls.makeStream':
    'Like `make_call`; once the phone is answered, its sound goes to your agent at `url` in the protocol of Twilio Media Streams, signed with your webhook secret. The assistant gives the settings of the call (number, recording, longest duration, webhooks) and continues it if the agent fails and `on_failure` is `assistant`. An assistant with a disclosure message is refused.',
  'calls.evaluate':
    'The present `post_call_schema` and language model of the assistant are used, on the stored turns of the call. Nothing is stored: the evaluation of the call stays as it is, beside the new one in the answer. Refused with 409 until the call is over, and for an assistant without a schema.',
  'calls.file':
    'The filters of the list; days are inclusive and in the time zone of the user. The columns end with evaluation and variables as JSON; transcripts are not in the file. A cell that a spreadsheet would evaluate as a formula starts with an apostrophe. A connection that closes early means that the file is not complete.',
  'doNotCall.file':
    'The columns are number, reason, time, and the call in which the person asked for it. The admin app adds the numbers of such a file to the list of another account. A cell that a spreadsheet would evaluate as a formula starts with an apostrophe. A connection that closes early means that the file is not complete.',
  'calls.setDisposition':
    'Refused with 422 for a disposition that the campaign of the call does not list, and for a call without a campaign. What a person has set is never replaced by the evaluation. Null removes it. Repeating the request changes nothing.',
  'calls.hangUp':
    'Answers at once; the call ends shortly afterwards. A call that was not dialed yet is never dialed.',
  'calls.events': followingText,
  'sipTrunks.diagnose':
    'Takes up to 20 seconds. Sends OPTIONS, and REGISTER without Contact to a registrar, which change nothing there. Codecs, caller ID and audio are judged by the latest calls, or by the call of `call_id`. Six times a minute for each trunk; shared trunks only for operators.',
  'calls.sipTrace':
    'Stored about a second after the end of the call, and kept for the days of `SIP_TRACE_DAYS`. Empty when there is none.',
  'calls.sipCapture':
    'Opens in Wireshark. The Ethernet, IP and UDP headers are built around the messages, also around those sent over TCP.',
  'calls.list': 'Days are inclusive and in the time zone of the user.',
  'phoneNumbers.purchase':
    'Costs money. The account must be connected. The carrier is asked first whether the account owns the number; then it is imported, and nothing is bought. When the carrier does not confirm the purchase at once, the answer is 503 with `Retry-After`: the number is listed as soon as it is yours, and a repetition buys nothing twice. `max_monthly_price` refuses a number that costs more.',
  'phoneNumbers.search':
    'At most 20. Without `country_code` in the United States, without `type` local numbers.',
  'phoneNumbers.remove':
    'A number of a carrier account stays in the account and is paid for there, because a released number is lost for good. Release it in the pages of the carrier.',
  'carrierAccounts.create':
    'The carrier is asked whether the credentials are right: wrong ones are refused with 422. If it does not answer, the answer is 503 and nothing is stored. A user has at most 20 accounts.',
  'carrierAccounts.remove':
    'Its SIP trunk stays. Refused with 409 while it has phone numbers or an open purchase.',
  'carrierAccounts.connect':
    'Sets up an Elastic SIP Trunk at Twilio, or a credential connection at Telnyx, and a SIP trunk here, with a new password. Parts that exist are used again. Twilio sends calls to `sip_address`, the public address of this installation; with Telnyx the trunk registers. With `inbound_calls: media_stream`, the carrier streams calls to `PUBLIC_URL` instead, which must be https, and `sip_address` is refused. With `outbound_calls: media_stream`, the carrier dials the calls that would use the trunk, and streams them to `PUBLIC_URL`. Repeat it when `PUBLIC_URL` changes.',
  'carrierAccounts.listNumbers': 'At most 1,000.',
  'carrierAccounts.importNumbers':
    'Calls and messages of these numbers go to this installation afterwards. Numbers that were imported before stay as they are.',
  'sms.send':
    'Answers when the message is accepted; `GET /api/user/sms/{id}` says what became of it. A message is sent at most once. The do-not-call list, the countries and kinds of numbers that operators allow, the numbers of the token and a limit per day apply. Needs a number of a carrier account, otherwise it is refused with 422.',
  'users.me': 'The simplest way to test a token.',
  'tokens.create': 'The new token cannot have more scopes than the one that creates it.',
  'webhookDeliveries.list':
    'Deliveries are kept for 30 days after their end unless the operator configures another period. Days are inclusive and in the time zone of the user.',
  'webhookDeliveries.resend':
    'Keeps the `webhook-id`, creates a new signature, uses the current address of the assistant or endpoint, and restarts the retry schedule. Refused with 409 while the webhook is disabled or being sent.',
  'webhookDeliveries.resendMany':
    'Answers with the number of deliveries, which are sent shortly afterwards. A repeated request sends only those that have ended by then. Deliveries of disabled webhooks are left alone.',
  'webhookSecrets.rotate':
    'Until the old secret expires, `webhook-signature` has one signature of each secret. Another rotation in the meantime ends the oldest at once.',
  'webhookEndpoints.create':
    'Events that happen from now on are sent, signed with the secret of the endpoint and retried like `call.finished`. An account has at most 20 endpoints; a further one is refused with 409.',
  'webhookEndpoints.update':
    'Deliveries that wait go to the new address. If the endpoint is switched off, they are disabled.',
  'webhookEndpoints.remove': 'Its deliveries stay in the log.',
  'webhookEndpoints.rotateSecret':
    'Until the old secret expires, `webhook-signature` has one signature of each secret. Another rotation in the meantime ends the oldest at once.',
  'webhookEndpoints.test':
    'Sends `webhook.test` once, also to an endpoint that is switched off, and waits at most 10 seconds for its answer. It is not listed among the deliveries.',
  'people.erase':
    'Removes what your account has of this number; with `all_accounts` an operator removes it from every account. A call that is not over is refused with 409. The result counts what was removed and does not contain the number. Backups and the log files of the server are not changed. A request that was interrupted can be repeated.',
  'prices.set': 'Replaces the whole list. Calls that have ended keep their costs.',
};

/** Example bodies; endpoints without one show their required fields. */
export const bodyExamples: Record<string, object | string> = {
  'recordedPhrases.create': { text: 'Good morning, this is Anna.', file: 'UklGRiQAAABXQVZF' },
  'documents.create': { name: 'Opening hours', type: 'website', url: 'https://shop.example/hours' },
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
  'leads.createMany': {
    leads: [
      { phone_number: '+12025550142', variables: { customer_name: 'Ada' } },
      { phone_number: '+12025550143' },
    ],
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
  'calls.makeStream': {
    phone_number: '+12025550142',
    assistant_id: 12,
    url: 'wss://agent.example/media',
    parameters: [{ name: 'customer', value: '{{customer_phone}}' }],
    on_failure: 'hang_up',
  },
  'users.create': { name: 'Ada', email: 'ada@parley.example', role: 'member', timezone: 'Europe/Berlin' },
  'users.update': { timezone: 'Europe/London' },
  'tokens.create': { name: 'Reporting', scopes: ['read'] },
  'phoneNumbers.create': { phone_number: '+12025550144', sip_trunk_id: 1, type_label: 'SIP' },
  'phoneNumbers.setRoute': {
    timezone: 'Europe/Berlin',
    rules: [
      {
        days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
        from: '09:00',
        until: '17:00',
        action: { type: 'assistant', assistant_id: 12 },
      },
    ],
    otherwise: {
      type: 'voicemail',
      assistant_id: 12,
      text: 'Nobody is here now. Please leave a message after the tone.',
    },
    queue: {
      max_calls: 5,
      max_waiting: 10,
      max_wait_seconds: 300,
      text: 'You are number {{queue_position}} in the queue.',
      announce_every_seconds: 45,
      overflow: { type: 'reject' },
    },
  },
  'phoneNumbers.purchase': { phone_number: '+12025550145', max_monthly_price: 1.5 },
  'phoneNumbers.update': { nickname: 'Support' },
  'carrierAccounts.create': { name: 'Main', kind: 'telnyx', secret: 'KEY-example' },
  'carrierAccounts.update': { name: 'Main account' },
  'carrierAccounts.connect': { sip_address: 'sip.parley.example:5060' },
  'carrierAccounts.importNumbers': { phone_numbers: ['+12025550145'] },
  'writtenConversations.generateReply': {
    assistant_id: 12,
    customer_identifier: 'crm-4711',
    message: 'When do you open?',
    variables: { customer_name: 'Ada' },
  },
  'writtenConversations.create': { assistant_id: 12, type: 'widget', variables: { customer_name: 'Ada' } },
  'writtenConversations.write': { message: 'When do you open?' },
  'sms.send': { from: 3, to: '+12025550142', body: 'Your table is booked for seven.' },
  'sipTrunks.create': { name: 'Carrier', host: 'sip.carrier.example', port: 5060, transport: 'udp' },
  'sipTrunks.update': { port: 5080 },
  'sipTrunks.diagnose': { call_id: 4711 },
  'providers.create': {
    name: 'Models',
    base_url: 'https://models.example/v1',
    api_key: 'sk-example',
    models: [{ name: 'Large', wire_name: 'large-model-2' }],
  },
  'providers.update': { name: 'Our models' },
  'webhookDeliveries.resendMany': { date_from: '2026-01-30', date_to: '2026-01-31' },
  'webhookSecrets.rotate': { keep_old_for_hours: 24 },
  'webhookEndpoints.create': { url: 'https://example.com/events', events: ['call.ended', 'lead.settled'] },
  'webhookEndpoints.update': { is_enabled: false },
  'webhookEndpoints.rotateSecret': { keep_old_for_hours: 24 },
  'people.erase': { phone_number: '+12025550142' },
  'prices.set': { sip_trunks: [{ sip_trunk_id: 1, per_minute: 0.02 }], providers: [] },
};
