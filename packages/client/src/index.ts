/** Typed access to a Parley installation: every endpoint of its contract, pages, errors, webhooks. No server code. */
export {
  createParleyClient,
  type ParleyAnswers,
  type ParleyClient,
  type ParleyOptions,
} from './create-client.ts';
export type { Answer, RequestOptions } from './endpoint.ts';
export { isParleyError, ParleyConnectionError, ParleyError, type FieldMessages } from './parley-error.ts';
export { eachPage, eachRecord, eachRecordByCursor } from './each-page.ts';
export {
  verifyWebhook,
  webhookIdOf,
  WebhookRefusedError,
  type ReceivedRequest,
  type WebhookEvent,
} from './verify-webhook.ts';
