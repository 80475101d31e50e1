/**
 * A 200 to an INVITE that this process has not sent: the process that had this address before was killed, and the phone was
 * picked up afterwards. The far end repeats its answer until it gets ACK, which is followed by BYE.
 */
import { noteLateAnswer } from '@parley/core';
import type { StrayAnswer } from '@parley/telephony';
import type { VoiceContext } from './voice-context.ts';

/** Only for trunks: a stranger must not make this process send requests to an address of its choice. */
export async function endStrayAnswer(voice: VoiceContext, answer: StrayAnswer): Promise<void> {
  const { core, endpoint, trunkAddresses } = voice;
  if (!(await trunkAddresses.includes(answer.source.host, { ifUnknown: false }))) return;
  core.log.info(
    { sipCallId: answer.dialog.callId },
    'A call that was answered after its process was lost ends',
  );
  await Promise.all([endpoint.endStrayAnswer(answer), noteLateAnswer(core, answer.dialog.callId)]);
}
