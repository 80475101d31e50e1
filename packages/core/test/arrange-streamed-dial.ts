/** Arranges outbound calls that a carrier dials and streams to us. */
import type { CarrierInboundWay } from '@parley/contracts';
import { statement, type Db } from '@parley/db';
import { ManualClock } from '@parley/runtime';
import { expect } from 'vitest';
import { loadCallForVoice } from '../src/calls/load-call-for-voice.ts';
import { importCarrierNumbers } from '../src/carriers/account-numbers.ts';
import { connectCarrierAccount } from '../src/carriers/connect-account.ts';
import { openStreamedDial, type StreamedDial } from '../src/carriers/dial-by-stream.ts';
import { authorizeDial } from '../src/lifecycle/authorize-dial.ts';
import { intendFor, makeAssistant, makeCall, makeVoiceProcess } from './arrange.ts';
import { arrangeCarrier, waitingJobs } from './carriers.ts';

/** The carrier's ids of numbers begin so. */
const NUMBER_ID = { twilio: 'PN', telnyx: '29' } as const;
/** The request that places a call. */
const PLACE = { twilio: /^POST .*\/Calls\.json$/, telnyx: /^POST .*\/Calls$/ } as const;
let numbers = 0;

const clearFleet = statement('', 'delete from voice_processes');
const boundId = statement<{ carrierCallId: string | null }>(
  '',
  'select carrier_call_id from live_calls where call_id = $1',
);

/**
 * An account whose outbound calls are streamed, and a call that waits for its permission to dial; the phone rings and reports
 * nothing.
 */
export async function arrangeStreamedDial(
  db: Db,
  kind: 'twilio' | 'telnyx',
  inboundCalls: CarrierInboundWay = 'media_stream',
) {
  await db.query(clearFleet);
  const clock = new ManualClock(Date.now());
  const about = await arrangeCarrier(db, kind, { isConnected: false, clock });
  const { ctx, identity, carrier, accountId } = about;
  numbers += 1;
  const from = `+1312555${2000 + numbers}`;
  carrier.world.own(from, `${NUMBER_ID[kind]}${carrier.world.nextId()}`);
  const connect = (fields: object = {}) =>
    connectCarrierAccount(ctx, identity, {
      id: accountId,
      sipAddress: null,
      inboundCalls,
      outboundCalls: 'media_stream',
      ...fields,
    });
  await connect();
  await importCarrierNumbers(ctx, identity, { accountId, phone_numbers: [from] });
  const fence = await makeVoiceProcess(ctx);
  const assistant = await makeAssistant(ctx, identity, {});
  const to = `+1202555${3000 + numbers}`;
  carrier.world.phones.set(to, { does: 'ring', reports: 'never' });
  const callId = await makeCall({ ...about, clock, assistant, fence }, to);
  await intendFor(ctx, callId, fence);
  /** Asks for permission, and opens the attempt. */
  const open = async (): Promise<StreamedDial> => {
    const { assistantPhoneNumber, clientPhoneNumber, trunk } = await loadCallForVoice(ctx, callId);
    const dial = await openStreamedDial(ctx, {
      callId,
      carrierAccountId: trunk?.streamingAccountId ?? 0,
      from: assistantPhoneNumber,
      to: clientPhoneNumber,
      ringLimitMs: 45_000,
    });
    if (!dial) throw new Error('The account does not stream');
    expect(await authorizeDial(ctx, { callId, fence })).toEqual({ isAllowed: true });
    return dial;
  };
  const bound = async () => (await ctx.db.query(boundId, [callId]))[0]?.carrierCallId;
  /** The carrier's ids of the calls of this account that a job will end. */
  const toEnd = async () => {
    const jobs = await waitingJobs(ctx.db, 'end_carrier_call');
    return jobs.filter((job) => job['carrierAccountId'] === accountId).map((job) => job['carrierCallId']);
  };
  const placed = () => carrier.world.requests.filter((line) => PLACE[kind].test(line)).length;
  return { ...about, clock, from, to, callId, fence, connect, open, bound, toEnd, placed };
}
