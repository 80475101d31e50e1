/**
 * The parameters of an outbound call and the INVITE that is built from them.
 */
import {
  escapeUser,
  formatHostPort,
  type HeaderField,
  type InviteRequest,
  type LocalMedia,
} from '@parley/sip';
import type { AnswerSettings } from '../call-leg.ts';
import { writeNumber } from './number-format.ts';

/** The address and account of a trunk. */
export interface TrunkAddress extends AnswerSettings {
  /** Name or address. */
  host: string;
  port: number;
  transport: 'udp' | 'tcp';
  /** The account for digest challenges; without one a challenge ends the call. */
  username?: string;
  password?: string;
  /** True: its host may resolve to any address, regardless of {@link SipLineOptions.allowPrivateTrunks}. */
  isTrusted?: boolean;
}

/** One outbound call. */
export interface DialRequest {
  /** Numbers in E.164, or any other user part. */
  from: string;
  to: string;
  /** Chosen by the application, so that one attempt cannot become two calls. */
  sipCallId: string;
  trunk: TrunkAddress;
  /** The result of `SipLine.findTrunk`, so that no lookup delays the INVITE; without it the line resolves the host. */
  address?: string;
  /** From INVITE to answer, milliseconds. */
  ringTimeoutMs: number;
  headers?: readonly HeaderField[];
}

const SIP_PORT = 5060;

/**
 * Builds the INVITE. A carrier that authenticates us expects its own host in From; any other carrier expects ours.
 *
 * @param ways - our public host, the resolved address of the trunk, and our media address
 */
export function toInvite(
  request: DialRequest,
  ways: { publicHost: string; trunkAddress: string; local: LocalMedia },
): InviteRequest {
  const { trunk } = request;
  const trunkHost = formatHostPort(trunk.host, trunk.port === SIP_PORT ? null : trunk.port);
  const transport = trunk.transport === 'tcp' ? ';transport=tcp' : '';
  const fromHost = trunk.username === undefined ? formatHostPort(ways.publicHost, null) : trunkHost;
  return {
    callId: request.sipCallId,
    from: { uri: `sip:${escapeUser(writeNumber(request.from, trunk.numberFormat))}@${fromHost}` },
    toUri: `sip:${escapeUser(writeNumber(request.to, trunk.numberFormat))}@${trunkHost}${transport}`,
    destination: {
      transport: trunk.transport,
      host: ways.trunkAddress,
      port: trunk.port,
      connectionId: null,
    },
    media: ways.local,
    ...(trunk.username === undefined
      ? {}
      : { credentials: { username: trunk.username, password: trunk.password ?? '' } }),
    ...(request.headers ? { headers: request.headers } : {}),
  };
}
