/**
 * What carriers ask about calls that they stream to us, at `POST /carriers/<account>/calls` (docs/carrier-media-streams.md).
 * Strangers reach it too: each network address has a limit of requests, a body is small, and one indexed query comes before the
 * signature is checked.
 */
import { errorText } from '@parley/contracts';
import { answerCarrierCall, answerTelnyxCall, type CoreContext } from '@parley/core';
import { Router, text, type Request, type Response } from 'express';
import { refusal } from '../http-errors.ts';
import { requireAllowance, type RateLimit } from '../http/rate-limit.ts';
import { visitorOf } from '../widget/visitor-address.rules.ts';
import { writeTwiml } from './twiml.ts';

/** Requests per minute and network address: a carrier sends the calls of all numbers from a few. */
export const CARRIER_REQUESTS_PER_MINUTE = 600;

/** A form of a carrier has about two kilobytes. */
const BODY_LIMIT_BYTES = 16_384;
const ACCOUNT_ID = /^\d{1,15}$/;

/** @param requests - shared by all api processes */
export function createCarrierCalls(core: CoreContext, requests: RateLimit): Router {
  const router = Router();
  const readForm = text({ type: 'application/x-www-form-urlencoded', limit: BODY_LIMIT_BYTES });
  const limit = (request: Request): void => requireAllowance(requests.count(visitorOf(request.ip ?? '')));
  router.post(
    '/carriers/:account/calls',
    (request, _response, next) => {
      limit(request);
      next();
    },
    readForm,
    (request, response, next) => {
      answer(core, request).then((twiml) => sendTwiml(response, twiml), next);
    },
  );
  return router;
}

/** Only of an answer: an error has a type of its own. */
function sendTwiml(response: Response, twiml: string): Response {
  return response.set('Cache-Control', 'no-store').type('text/xml').send(twiml);
}

async function answer(core: CoreContext, request: Request): Promise<string> {
  const { account } = request.params;
  const form: unknown = request.body;
  if (typeof account !== 'string' || !ACCOUNT_ID.test(account) || typeof form !== 'string')
    throw refusal(404, errorText.notFound);
  const accountId = Number(account);
  const timestamp = request.get('telnyx-timestamp');
  const carrier = timestamp === undefined ? 'twilio' : 'telnyx';
  const answered =
    timestamp === undefined
      ? await answerCarrierCall(core, {
          accountId,
          signature: request.get('x-twilio-signature') ?? '',
          parameters: [...new URLSearchParams(form)],
        })
      : await answerTelnyxCall(core, {
          accountId,
          signature: request.get('telnyx-signature-ed25519') ?? '',
          timestamp,
          body: form,
        });
  if (!answered) throw refusal(404, errorText.notFound);
  return writeTwiml(answered, carrier);
}
