/** Calls whose callers are to be put through over us. */
import { statement, type LiveCallRow } from '@parley/db';
import { authorizeBridge, recordBridgeDialog, type BridgeAuthorization } from '../src/index.ts';
import { arrange, DIALOG, freshNumber, makeAnsweredCall } from './arrange.ts';

/** Dialog of the second leg. */
export const SECOND_DIALOG = { ...DIALOG, callId: 'second' };

/** Real, so that no line for fiction reaches it. */
export const REAL_NUMBER = '+12024561111';

const selectLegs = statement<LiveCallRow>('', 'select * from live_calls where bridged_call_id = $1');

/** An answered call whose assistant may put its caller through. */
export async function arrangeBridge(db: Parameters<typeof arrange>[0], numbers = [freshNumber()]) {
  const destinations = [...numbers, REAL_NUMBER].map((phone_number) => ({
    name: phone_number,
    phone_number,
  }));
  const about = await arrange(db, { tools: [{ type: 'call_transfer', destinations }] });
  const [listed = ''] = numbers;
  const { ctx, fence } = about;
  const callId = await makeAnsweredCall(about);
  return {
    ...about,
    callId,
    listed,
    ask: (phoneNumber = listed, from = callId): Promise<BridgeAuthorization> =>
      authorizeBridge(ctx, { callId: from, phoneNumber, fence }),
    answer: async (bridgeId: number): Promise<void> =>
      recordBridgeDialog(ctx, {
        callId,
        bridgeId,
        at: new Date(ctx.clock.now()),
        dialog: SECOND_DIALOG,
        fence,
      }),
    legs: (): Promise<LiveCallRow[]> => ctx.db.query(selectLegs, [callId]),
  };
}

/** @throws Error when it was refused */
export function permitted(answer: BridgeAuthorization): { bridgeId: number; sipCallId: string } {
  if (!answer.isAllowed) throw new Error(`The bridge was refused: ${answer.reason}`);
  return answer;
}
