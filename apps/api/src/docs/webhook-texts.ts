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
  'limit.reached': {
    summary: 'A limit is used up',
    description:
      'Posted to `limit_webhook_url` of the user when all of a limit of calls or costs is used; no further call begins until the next day, or within the second. Sent once a day for each limit of each user, token and trunk. Costs that calls reach after their dial are reported within about a minute. Retried like `call.finished`.',
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
      'Posted to `webhook_url` when a user sends a test from the admin app. Sent once, and not listed among the deliveries.',
    answer: 'The admin app shows the answer, whatever its status.',
  },
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
