/**
 * Headers of the connection to an agent of a media stream, so that it can verify that Parley connects. `X-Twilio-Signature` is
 * computed as Twilio does for a WebSocket: base64 of HMAC-SHA1 over the URL, with a secret that both sides have. Here it is the
 * user's webhook secret. While two secrets are valid, `X-Parley-Signature` has a signature with each, the new one first.
 *
 * @see https://www.twilio.com/docs/usage/security, "Validating requests"
 */
import { createHmac } from 'node:crypto';
import { now, type CoreContext } from '../context.ts';
import { validSecrets } from './sign-webhook.ts';
import { loadWebhookSecrets } from './webhook-secret.ts';

/** @throws DomainError `not-found` when the user was removed */
export async function signStream(
  ctx: CoreContext,
  userId: number,
  url: string,
): Promise<Record<string, string>> {
  const sealed = await loadWebhookSecrets(ctx.db, userId);
  const signatures = validSecrets(ctx.secretBox, sealed, now(ctx)).map((secret) =>
    createHmac('sha1', secret).update(url).digest('base64'),
  );
  return { 'x-twilio-signature': signatures[0] ?? '', 'x-parley-signature': signatures.join(' ') };
}
