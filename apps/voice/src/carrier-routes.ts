/** What the api passes on of the reports of carriers, as a part of the internal contract. */
import { internal } from '@parley/contracts';
import { initServer } from '@ts-rest/express';
import type { LiveCalls } from './live-calls.ts';

const { reportCarrierCall } = internal;
const server = initServer();

/** @param calls - of this process */
export function carrierRoutes(calls: LiveCalls) {
  return server.router(
    { reportCarrierCall },
    {
      reportCarrierCall: async ({ params, body }) => {
        const leg = calls.find(params.id)?.dialedLeg?.();
        if (!leg) return { status: 404, body: { message: 'Call not found' } };
        const { carrier_call_id: carrierCallId, state, sip_status: sipStatus } = body;
        leg.report({ carrierCallId, state, sipStatus });
        return { status: 200, body: {} };
      },
    },
  );
}
