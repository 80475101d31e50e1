/**
 * Serves the internal contract, through which the worker and the api control a voice process, and its health checks. It
 * has a separate address, which must not be reachable from the internet.
 */
import { internal } from '@parley/contracts';
import { DomainError } from '@parley/core';
import { createHealthCheck, type HealthChecks } from '@parley/runtime';
import { createExpressEndpoints, initServer } from '@ts-rest/express';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { TrunkDiagnoses } from './diagnosis/trunk-diagnoses.ts';
import { evaluateAgain } from './evaluation/evaluate-again.ts';
import type { InternalAccess } from './internal-access.ts';
import { carrierRoutes } from './carrier-routes.ts';
import { dialCall } from './outbound-call.ts';
import { writtenReply } from './replies/answer-question.ts';
import { supervisionRoutes } from './supervision-routes.ts';
import { takeOverFrom } from './take-over.ts';
import type { VoiceContext } from './voice-context.ts';

/** The messages to which a reply is written, which the api has limited to 1 MiB, and what is added to them. */
const MAX_BODY = '2mb';

/** The HTTP application of a voice process. */
export function createControl(voice: VoiceContext, access: InternalAccess, checks: HealthChecks): Express {
  const app = express().disable('x-powered-by').disable('etag');
  app.get('/livez', (_request, response) => {
    response.json({ status: 'ok' });
  });
  const askHealth = createHealthCheck(checks, voice.core);
  app.get('/readyz', async (_request, response) => {
    const report = await askHealth();
    response.status(report.status === 'ok' ? 200 : 503).json(report);
  });
  app.use(requireSecret(access));
  app.use(express.json({ limit: MAX_BODY }));
  createExpressEndpoints(internal, controlRoutes(voice), app, { logInitialization: false });
  return app;
}

const server = initServer();

function controlRoutes(voice: VoiceContext) {
  const diagnoses = new TrunkDiagnoses();
  return server.router(internal, {
    takeCall: async ({ params, body }) => {
      if (!voice.lease.isHolder(body.process_id))
        return { status: 409, body: { message: 'This process does not hold the lease of that id.' } };
      if (voice.calls.find(params.id)) return { status: 202, body: { state: 'taken' } };
      if (!voice.calls.hasFreeSlot())
        return { status: 503, body: { message: 'This process has reached its call limit.' } };
      dialCall(voice, params.id);
      return { status: 202, body: { state: 'taken' } };
    },
    getCall: async ({ params }) => {
      const call = voice.calls.find(params.id);
      return call
        ? { status: 200, body: { state: call.state() } }
        : { status: 404, body: { message: 'Call not found' } };
    },
    hangUp: async ({ params, body }) => {
      const call = voice.calls.find(params.id);
      if (!call) return { status: 404, body: { message: 'Call not found' } };
      call.hangUp({ by: 'operator', reason: body.reason });
      return { status: 202, body: {} };
    },
    ...carrierRoutes(voice.calls),
    ...supervisionRoutes(voice.calls),
    evaluate: async ({ params }) => {
      if (voice.calls.isDraining) return { status: 503, body: { message: 'This process is stopping.' } };
      voice.evaluations.begin(params.id);
      return { status: 202, body: {} };
    },
    reply: async ({ body, res }) => {
      if (voice.calls.isDraining || !voice.replies.hasFreeSlot)
        return { status: 503, body: { message: 'This process cannot reply now.' } };
      return writtenReply(voice, body, closing(res));
    },
    diagnoseTrunk: async ({ params, body }) => {
      const about = { trunkId: params.id, callId: body.call_id };
      return refusalOf(async () => ({ status: 200, body: await diagnoses.run(voice, about) }));
    },
    evaluateAgain: async ({ body, res }) => {
      if (voice.calls.isDraining || !voice.replies.hasFreeSlot)
        return { status: 503, body: { message: 'This process cannot evaluate now.' } };
      const gone = closing(res);
      const { core, engines } = voice;
      const models = { core, openModel: engines.model.bind(engines) };
      return voice.replies.inTurn(() => evaluateAgain(models, body, gone));
    },
    takeOver: async ({ body }) => {
      if (voice.calls.isDraining || !voice.lease.isRegistered())
        return { status: 503, body: { message: 'This process takes no calls.' } };
      const calls = await takeOverFrom(voice, { processId: body.process_id, endedAt: null });
      return { status: 202, body: { calls } };
    },
    sendBye: async ({ body: { dialog } }) => {
      voice.background.start('end a call by BYE', () => voice.endpoint.endStoredDialog(dialog));
      return { status: 202, body: {} };
    },
  });
}

/** Answers what core refuses. */
async function refusalOf<Answer>(
  answer: () => Promise<Answer>,
): Promise<Answer | { status: 404 | 503; body: { message: string } }> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { status: error.kind === 'not-found' ? 404 : 503, body: { message: error.message } };
  }
}

/** Aborted when the connection closes. */
function closing(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

function requireSecret(access: InternalAccess): RequestHandler {
  return (request, response, next) => {
    if (access.admits(request)) return next();
    // The body of a stranger is not read.
    response.status(401).set('Connection', 'close').json({ message: 'Unauthenticated.' });
  };
}
