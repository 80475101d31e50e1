/**
 * What dialling takes, and the INVITE it becomes.
 */
import {
  escapeUser,
  formatHostPort,
  type HeaderField,
  type InviteRequest,
  type LocalMedia,
} from '@parley/sip';

/** Where and how a carrier takes our calls. */
export interface TrunkAddress {
  /** Name or address. */
  host: string;
  port: number;
  transport: 'udp' | 'tcp';
  /** The account for a digest challenge; without one a challenge ends the call. */
  username?: string;
  password?: string;
}

/** One attempt to reach someone. */
export interface DialRequest {
  /** Numbers in E.164, or any other user part. */
  from: string;
  to: string;
  /** Fixed by the caller: the same attempt never becomes a second call under another name. */
  sipCallId: string;
  trunk: TrunkAddress;
  /** From INVITE to answer, milliseconds. */
  ringTimeoutMs: number;
  headers?: readonly HeaderField[];
}

const SIP_PORT = 5060;

/**
 * The INVITE of a request. A carrier that gave us an account expects its own name in From; any other expects ours.
 *
 * @param ways - our public host, the trunk's address, and where our sound is
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
    from: { uri: `sip:${escapeUser(request.from)}@${fromHost}` },
    toUri: `sip:${escapeUser(request.to)}@${trunkHost}${transport}`,
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
