/**
 * What carriers ask and report about calls that they stream to us, at `POST /carriers/<account>/calls` and
 * `POST /carriers/<account>/calls/<call>/status` (docs/carrier-media-streams.md). Strangers reach it too: each network address has
 * a limit of requests, a body is small, and one indexed query comes before the signature is checked.
 */
import { carrierCallReport, errorText, internal } from '@parley/contracts';
import {
  answerCarrierCall,
  answerTelnyxCall,
  DomainError,
  takeCarrierReport,
  takeTelnyxReport,
  writeRejectTwiml,
  writeStreamTwiml,
  type CarrierCallReport,
  type CoreContext,
} from '@parley/core';
import { networkOf } from '@parley/runtime';
import { Router, text, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { refusal } from '../http-errors.ts';
import { requireAllowance, type RateLimit } from '../http/rate-limit.ts';
import { askVoiceProcess } from '../voice-access.ts';

/** Requests per minute and network address: a carrier sends the calls of all numbers from a few, and five for an outbound call. */
export const CARRIER_REQUESTS_PER_MINUTE = 3_000;

/** A form of a carrier has about two kilobytes. */
const BODY_LIMIT_BYTES = 16_384;
const ID = /^\d{1,15}$/;

/** What carriers' requests are answered with. */
export interface CarrierCallsOptions {
  core: CoreContext;
  /** Shared by all api processes. */
  requests: RateLimit;
  internalSecret: string;
}

export function createCarrierCalls({ core, requests, internalSecret }: CarrierCallsOptions): Router {
  const router = Router();
  const readForm = text({ type: 'application/x-www-form-urlencoded', limit: BODY_LIMIT_BYTES });
  const limit: RequestHandler = (request, _response, next) => {
    requireAllowance(requests.count(networkOf(request.ip ?? '')));
    next();
  };
  router.post('/carriers/:account/calls', limit, readForm, (request, response, next) => {
    answer(core, request).then((twiml) => sendTwiml(response, twiml), next);
  });
  router.post('/carriers/:account/calls/:call/status', limit, readForm, (request, response, next) => {
    takeStatus(core, request, internalSecret).then(() => response.status(204).end(), next);
  });
  return router;
}

/** Only of an answer: an error has a type of its own. */
function sendTwiml(response: Response, twiml: string): Response {
  return response.set('Cache-Control', 'no-store').type('text/xml').send(twiml);
}

async function answer(core: CoreContext, request: Request): Promise<string> {
  const timestamp = request.get('telnyx-timestamp');
  const carrier = timestamp === undefined ? 'twilio' : 'telnyx';
  const answered =
    timestamp === undefined
      ? await answerCarrierCall(core, readTwilioRequest(request))
      : await answerTelnyxCall(core, readTelnyxRequest(request, timestamp));
  if (!answered) throw refusal(404, errorText.notFound);
  return 'reject' in answered
    ? writeRejectTwiml(answered.reject)
    : writeStreamTwiml(answered.stream, carrier);
}

async function takeStatus(core: CoreContext, request: Request, internalSecret: string): Promise<void> {
  const callId = readId(request.params['call']);
  const timestamp = request.get('telnyx-timestamp');
  const taken =
    timestamp === undefined
      ? await takeCarrierReport(core, { ...readTwilioRequest(request), callId })
      : await takeTelnyxReport(core, { ...readTelnyxRequest(request, timestamp), callId });
  if (!taken) throw refusal(404, errorText.notFound);
  const { report, voiceUrl } = taken;
  if (report && voiceUrl !== null) await forward(core, { callId, report }, { internalSecret, voiceUrl });
}

/** A report that does not arrive is no loss: the voice process asks the carrier too. */
async function forward(
  core: CoreContext,
  { callId, report }: { callId: number; report: CarrierCallReport },
  access: { internalSecret: string; voiceUrl: string },
): Promise<void> {
  const { method, path } = internal.reportCarrierCall;
  const { carrierCallId, state, sipStatus } = report;
  const body = { carrier_call_id: carrierCallId, state, sip_status: sipStatus };
  try {
    await askVoiceProcess(core, access, {
      method,
      path: path.replace(':id', String(callId)),
      body: carrierCallReport.parse(body),
      answer: z.object({}),
      passedOn: [],
      tooSlow: errorText.unavailable,
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    core.log.info(
      { callId, state, reason: error.kind },
      'A voice process did not take the report of a carrier',
    );
  }
}

function readTwilioRequest(request: Request) {
  const { accountId, form } = readRequest(request);
  return {
    accountId,
    signature: request.get('x-twilio-signature') ?? '',
    parameters: [...new URLSearchParams(form)],
  };
}

function readTelnyxRequest(request: Request, timestamp: string) {
  const { accountId, form } = readRequest(request);
  return { accountId, signature: request.get('telnyx-signature-ed25519') ?? '', timestamp, body: form };
}

/** @throws HttpError 404 for what a carrier does not send */
function readRequest(request: Request): { accountId: number; form: string } {
  const accountId = readId(request.params['account']);
  const form: unknown = request.body;
  if (typeof form !== 'string') throw refusal(404, errorText.notFound);
  return { accountId, form };
}

function readId(text: unknown): number {
  if (typeof text !== 'string' || !ID.test(text)) throw refusal(404, errorText.notFound);
  return Number(text);
}
