/** A leg on a call that another process held until it was lost. */
import type { CallNumber, LocalMedia } from '@parley/sip';
import type { StoredDialog } from '../call-leg.ts';
import type { AgentDriver } from './agent-driver.ts';
import { credentialsOf, type DialRequest, type TrunkAddress } from './dial-request.ts';

/** A call of a lost process, to go on with. */
export interface ResumedLegRequest extends Pick<DialRequest, 'from' | 'to'> {
  /** Its local CSeq number must be above all that the lost process has used. */
  dialog: StoredDialog;
  direction: 'inbound' | 'outbound';
  trunk: TrunkAddress;
  /** How long the far end may take to accept our media, milliseconds. */
  limitMs: number;
}

/** The call, and where its signalling goes. */
interface ResumedWay {
  call: CallNumber;
  signallingHost: string;
  isSecure: boolean;
}

/** Sends the re-INVITE. @throws SipParseError when the stored dialog is malformed */
export function resumeLeg(
  driver: AgentDriver,
  { request, local }: { request: ResumedLegRequest; local: LocalMedia },
  nowMs: number,
): ResumedWay {
  const { dialog, direction, trunk } = request;
  const { host, namedBy: signallingHost = host } = dialog.destination;
  driver.trust(signallingHost);
  const isCaller = direction === 'outbound';
  const about = { dialog, media: local, isCaller, acceptsRefer: trunk.acceptsRefer };
  const call = driver.agent.resume({ ...about, ...credentialsOf(trunk) }, nowMs);
  return { call, signallingHost, isSecure: (dialog.destination.over ?? dialog.transport) === 'tls' };
}
