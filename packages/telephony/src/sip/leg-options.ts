/** What a SIP leg is created with. */
import type { Clock, Log } from '@parley/runtime';
import type { DtmfSetting, NumberWriter } from '../call-leg.ts';
import type { TrunkAddress } from './dial-request.ts';

/** The parameters of a leg. */
export interface LegOptions {
  id: string;
  /** Inbound: the From tag of the INVITE. */
  callerTag?: string | undefined;
  direction: 'inbound' | 'outbound';
  from: string;
  to: string;
  clock: Clock;
  log: Log;
  /** From INVITE to answer, milliseconds. */
  ringLimitMs: number;
  /** Without a packet from the far end, milliseconds. */
  silenceLimitMs: number;
  dtmf: DtmfSetting;
  writeNumber: NumberWriter | undefined;
  /** The trunk of an outbound leg. */
  trunk?: TrunkAddress;
  /** Inbound: 180 must contain our offer, so that media are opened for it. */
  mustOfferInRinging?: boolean;
}
