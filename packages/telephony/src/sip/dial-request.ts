/**
 * The parameters of an outbound call and the INVITE that is built from them.
 */
import {
  defaultPort,
  escapeUser,
  formatHostPort,
  formatNameAddr,
  nameAddr,
  type HeaderField,
  type InviteRequest,
  type LocalMedia,
  type TlsPeer,
  type TransportName,
} from '@parley/sip';
import type { AnswerSettings, CallerHeader } from '../call-leg.ts';
import { writeNumber } from './number-format.ts';

/** The address and account of a trunk. */
export interface TrunkAddress extends AnswerSettings {
  /** Name or address. */
  host: string;
  port: number;
  transport: TransportName;
  /** False: any certificate is accepted over TLS. Default: true. */
  isTlsVerified?: boolean;
  /** The account for digest challenges; without one a challenge ends the call. */
  username?: string;
  password?: string;
  /** Default: `from`. */
  callerHeader?: CallerHeader;
  /** The user part of From, for carriers that require the account there. Default: the number of the caller. */
  fromUser?: string;
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

const IDENTITY_FIELDS = {
  p_asserted_identity: 'P-Asserted-Identity',
  p_preferred_identity: 'P-Preferred-Identity',
} as const;

/**
 * Builds the INVITE. A carrier that authenticates us expects its own host in From; any other carrier expects ours. All user
 * parts are escaped, so that no number and no name can change the message around it.
 *
 * @param ways - our public host, the resolved address of the trunk, and our media address
 */
export function toInvite(
  request: DialRequest,
  ways: { publicHost: string; trunkAddress: string; local: LocalMedia },
): InviteRequest {
  const { trunk } = request;
  const trunkHost = formatHostPort(
    trunk.host,
    trunk.port === defaultPort(trunk.transport) ? null : trunk.port,
  );
  const transport = trunk.transport === 'udp' ? '' : `;transport=${trunk.transport}`;
  const fromHost = trunk.username === undefined ? formatHostPort(ways.publicHost, null) : trunkHost;
  const caller = escapeUser(writeNumber(request.from, trunk.numberFormat));
  const fromUser = trunk.fromUser === undefined ? caller : escapeUser(trunk.fromUser);
  return {
    callId: request.sipCallId,
    from: { uri: `sip:${fromUser}@${fromHost}` },
    toUri: `sip:${escapeUser(writeNumber(request.to, trunk.numberFormat))}@${trunkHost}${transport}`,
    destination: {
      transport: trunk.transport,
      host: ways.trunkAddress,
      port: trunk.port,
      connectionId: null,
      ...tlsPeerOf(trunk),
    },
    media: ways.local,
    ...(trunk.username === undefined
      ? {}
      : { credentials: { username: trunk.username, password: trunk.password ?? '' } }),
    headers: [...identity(trunk, { caller, host: fromHost }), ...(request.headers ?? [])],
  };
}

/** The certificate has to contain the configured host, whatever address that has (RFC 5922 section 7.2). */
export function tlsPeerOf({
  host: serverName,
  transport,
  isTlsVerified: isVerified = true,
}: Pick<TrunkAddress, 'host' | 'transport' | 'isTlsVerified'>): { tls?: TlsPeer } {
  return transport === 'tls' ? { tls: { serverName, isVerified } } : {};
}

/** RFC 3325 sections 9.1 and 9.2. An unknown caller has no identity. */
function identity(
  { callerHeader = 'from' }: TrunkAddress,
  { caller, host }: { caller: string; host: string },
): HeaderField[] {
  if (callerHeader === 'from' || caller === '') return [];
  const value = formatNameAddr(nameAddr(`sip:${caller}@${host}`));
  return [{ name: IDENTITY_FIELDS[callerHeader], value }];
}
