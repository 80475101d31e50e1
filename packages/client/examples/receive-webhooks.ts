/**
 * A server that receives webhooks, verifies their signatures, and prints them. The same handler works in Express, behind `express.raw({ type: 'application/json' })`.
 *
 *   WEBHOOK_SECRET=whsec_... PORT=4000 node receive-webhooks.ts
 *
 * `npm run -s cli -- webhook-secret <e-mail>` shows the secret on the machine on which Parley runs.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, webhookIdOf, WebhookRefusedError, type WebhookEvent } from '@parley/client';

const secret = process.env['WEBHOOK_SECRET'] ?? '';
/** A delivery can arrive more than once; a real receiver stores the ids with its data. */
const seen = new Set<string>();

const server = createServer((request, response) => {
  receive(request, response).catch((error: unknown) => {
    const status = error instanceof WebhookRefusedError ? 400 : 500;
    response.writeHead(status, { 'content-type': 'text/plain' }).end(String(error));
  });
});
server.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1');
await once(server, 'listening');
console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const received = { headers: request.headers, body: await buffer(request) };
  const event = verifyWebhook(received, secret);
  const id = webhookIdOf(received) ?? '';
  const answer = seen.has(id) ? {} : handle(event);
  seen.add(id);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

/** @returns the response body; for an incoming call it may contain variables for the assistant */
function handle(event: WebhookEvent): object {
  switch (event.event) {
    case 'call.incoming':
      console.log(`${event.customer_phone} is calling ${event.assistant_phone}`);
      return { variables: { greeting: 'Welcome back' } };
    case 'call.finished':
      console.log(`Call ${event.id} with ${event.customer_phone}: ${event.status}, ${event.duration} s`);
      return {};
    case 'conversation.ended':
      console.log(`Conversation ${event.conversation_id}: ${event.message_count} messages`);
      return {};
    case 'webhook.test':
      console.log(`A test for assistant ${event.assistant_id} or endpoint ${event.endpoint_id}`);
      return {};
    case 'call.started':
    case 'call.answered':
    case 'call.ended':
    case 'call.evaluated':
    case 'recording.ready':
      console.log(`${event.event}: call ${event.call_id} with ${event.customer_phone}`);
      return {};
    case 'voicemail.received':
      console.log(`${event.customer_phone} left a message: ${event.recording_url}`);
      return {};
    case 'lead.settled':
      console.log(`Lead ${event.lead_id} of campaign ${event.campaign_id} is ${event.status}`);
      return {};
    case 'campaign.completed':
      console.log(`Campaign ${event.campaign_id} is complete`);
      return {};
    case 'trunk.paused':
      console.log(`SIP trunk ${event.trunk_id} is paused until ${event.paused_until}`);
      return {};
    case 'limit.warning':
    case 'limit.reached':
      console.log(`${event.scope} ${event.scope_id}: ${event.measure} ${event.used} of ${event.limit}`);
      return {};
  }
}
