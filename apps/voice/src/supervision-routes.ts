/** The routes of the internal contract with which the api supervises a live call. */
import { internal } from '@parley/contracts';
import { initServer } from '@ts-rest/express';
import { NOT_TALKING } from './call-session-options.ts';
import type { LiveCalls } from './live-calls.ts';
import type { SupervisionRefusal } from './supervision/call-supervision.ts';

const NO_CALL = { status: 404, body: { message: 'Call not found' } } as const;

const SUPERVISION_REFUSALS: Readonly<Record<SupervisionRefusal, string>> = {
  'not-talking': NOT_TALKING,
  'too-many': 'The limit of this call is reached.',
  attended: 'Another supervisor has taken this call over.',
  'cannot-announce': 'The assistant has left the call, so the customer cannot be told that you listen in.',
  'no-model': 'The assistant follows a script, so it cannot follow instructions.',
};

const { supervise, whisper, transfer } = internal;
const contract = { supervise, whisper, transfer };

/** Handlers of the three routes. */
export function supervisionRoutes(calls: LiveCalls) {
  return initServer().router(contract, {
    supervise: async ({ params, body }) => {
      const supervision = calls.find(params.id)?.supervision?.();
      if (!supervision) return NO_CALL;
      const issued = supervision.issueTicket(body.mode, body.is_announced);
      return typeof issued === 'string'
        ? { status: 409, body: { message: SUPERVISION_REFUSALS[issued] } }
        : { status: 200, body: { ticket: `${params.id}.${issued.ticket}` } };
    },
    whisper: async ({ params, body }) => {
      const supervision = calls.find(params.id)?.supervision?.();
      if (!supervision) return NO_CALL;
      const refusal = supervision.whisper(body.text);
      return refusal
        ? { status: 409, body: { message: SUPERVISION_REFUSALS[refusal] } }
        : { status: 200, body: {} };
    },
    transfer: async ({ params, body }) => {
      const call = calls.find(params.id);
      if (!call?.transfer) return NO_CALL;
      const message = call.transfer(body.destination);
      return message === null ? { status: 200, body: {} } : { status: 409, body: { message } };
    },
  });
}
