/** Webhooks in the document: when they are sent, how they are signed, what to answer. See standardwebhooks.com. */
import { exampleOf } from './example-of.ts';
import type { OpenApiDocument, Parameter } from './openapi-parts.ts';
import { webhookGroup } from './operation-texts.ts';

const signed = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', examples: [example] },
});

const signature: Parameter[] = [
  signed('webhook-id', 'The same for every attempt of one delivery.', 'b6a1f0a4-5a0e-4b7e-9f60-0c9a8f1d2e3f'),
  signed(
    'webhook-timestamp',
    'Unix seconds of this attempt; refuse requests older than five minutes.',
    '1769850300',
  ),
  signed(
    'webhook-signature',
    'Space-separated `v1,` and base64 of HMAC-SHA256, by the secret `whsec_…`, of `id.timestamp.body`. While a secret is being replaced, there are two signatures.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const event = (summary: string, description: string) => ({
  summary,
  description: `${description} Retried like \`call.finished\`.`,
  answer: 'Delivered. Any other status is retried; 410 switches the endpoint off.',
});

const words: Record<string, { summary: string; description: string; answer: string }> = {
  'call.finished': {
    summary: 'A call has ended',
    description:
      'Posted to `webhook_url`, and to `inbound_webhook_url` for inbound calls. Retried after about 5 s, 30 s, 2 min, 10 min, 1 h, 5 h, 10 h and 24 h; each attempt has 10 s. Delivered at least once.',
    answer: 'Delivered. Any other status is retried; 410 disables the webhook.',
  },
  'call.incoming': {
    summary: 'An inbound call arrives',
    description: 'Posted to `inbound_webhook_url` before the call is answered; waits 3 s for the answer.',
    answer:
      'The call continues with `variables` as the assistant’s variables. After any other answer it continues without them.',
  },
  'conversation.ended': {
    summary: 'A written conversation has ended',
    description:
      'Posted to `conversation_ended_webhook_url` of the assistant when it ends a conversation, when nothing was written for `conversation_inactivity_timeout` minutes, or when a person ends it in the admin app. Not sent if the customer has written nothing. For a conversation that was reopened it is sent again with `conversation_ended_retrigger` only. Retried like `call.finished`.',
    answer: 'Delivered. Any other status is retried; 410 removes the address.',
  },
  'limit.reached': {
    summary: 'A limit is used up',
    description:
      'Posted to `limit_webhook_url` of the user, and to webhook endpoints, when all of a limit of calls or costs is used; no further call begins until the next day, or within the second. Sent once a day for each limit of each user, token and trunk. Costs that calls reach after their dial are reported within about a minute. Retried like `call.finished`.',
    answer: 'Delivered. Any other status is retried; 410 removes the address.',
  },
  'limit.warning': {
    summary: 'A limit has reached 80 %',
    description:
      'The same as `limit.reached`, at 80 % of a limit. Neither has names or phone numbers. A limit that passes both thresholds at once is reported by both events.',
    answer: 'Delivered. Any other status is retried; 410 removes the address.',
  },
  'webhook.test': {
    summary: 'A test',
    description:
      'Posted to `webhook_url` of an assistant when a user sends a test from the admin app, or to a webhook endpoint that is tested. Sent once, and not listed among the deliveries.',
    answer: 'The user sees the answer, whatever its status.',
  },
  'call.started': event(
    'A call begins',
    'Posted to webhook endpoints: before the INVITE of an outbound call is sent, when an inbound call has arrived, or when a browser has connected. A call that fails before that has no such event.',
  ),
  'call.answered': event('A call is answered', 'Posted to webhook endpoints when the conversation begins.'),
  'call.ended': event(
    'A call is over',
    'Posted to webhook endpoints at the hang-up, before the evaluation, and when a call was not answered.',
  ),
  'call.evaluated': event(
    'A call is evaluated',
    'Posted to webhook endpoints when the questions of `post_call_schema` were answered. What the assistant redacts is redacted.',
  ),
  'recording.ready': event(
    'A recording can be played',
    'Posted to webhook endpoints at the end of a recorded call, with `enable_noise_cancellation` when the noise is removed. The address needs no token and expires; read the call for a new one.',
  ),
  'voicemail.received': event(
    'A caller has left a message',
    'Posted to webhook endpoints at the end of a call that the route of its number sent to voicemail, if the caller has spoken after the greeting. Your server can send the recording and the transcript by e-mail. The address needs no token and expires; read the call for a new one.',
  ),
  'lead.settled': event(
    'Dialing of a lead has ended',
    'Posted to webhook endpoints when a lead was reached or its attempts are used up, once for a lead with all its contacts. It has no phone number; read the lead for it. A status that its owner sets is not reported.',
  ),
  'campaign.completed': event(
    'A campaign is complete',
    'Posted to webhook endpoints when no lead of a campaign is waiting or being called any more. A campaign that is started again may report it again.',
  ),
  'trunk.paused': event(
    'A SIP trunk is paused',
    'Posted to webhook endpoints of the owner when most calls of a trunk fail, and again for each further pause; for shared trunks to the endpoints of operators.',
  ),
};

const variablesAnswer = {
  'application/json': {
    schema: {
      type: 'object',
      properties: { variables: { type: 'object', description: 'Your own keys and values.' } },
    },
    example: { variables: { greeting: 'Welcome back' } },
  },
};

/** Changes the document in place. */
export function completeWebhooks(document: OpenApiDocument): void {
  for (const [event, { post }] of Object.entries(document.webhooks)) {
    const { summary = event, description = '', answer = 'Delivered.' } = words[event] ?? {};
    Object.assign(post, { tags: [webhookGroup.title], summary, description, parameters: signature });
    const content = post.requestBody?.content['application/json'];
    if (content) content.example = exampleOf(content.schema, document.components.schemas);
    post.responses = {
      '2XX': { description: answer, ...(event === 'call.incoming' ? { content: variablesAnswer } : {}) },
    };
  }
}
