/**
 * The parameters of an outbound call and the INVITE that is built from them.
 */
import {
  defaultPort,
  escapeUser,
  formatHostPort,
  formatNameAddr,
  nameAddr,
  type Destination,
  type HeaderField,
  type InviteRequest,
  type InviteTarget,
  type LocalMedia,
  type TlsPeer,
  type TransportName,
} from '@parley/sip';
import type { ServerSource } from '@parley/runtime';
import type { AnswerSettings, CallerHeader } from '../call-leg.ts';

/** A host of a trunk. */
export interface TrunkHost {
  /** Name or address. */
  host: string;
  /** Null: SRV records decide (RFC 3263), without them the default port. */
  port: number | null;
}

/** A server of a trunk: one of its hosts, and an address that was found for it and is allowed. */
export interface TrunkTarget extends TrunkHost {
  address: string;
  addressPort: number;
  /** That of its SRV record: lower ones are used first. Absent without one. */
  priority?: number;
  /** Which DNS records have led to it. */
  source: ServerSource;
}

/** At least one server, in the order in which they are to be tried. */
export type TrunkTargets = readonly [TrunkTarget, ...TrunkTarget[]];

/** The address and account of a trunk. */
export interface TrunkAddress extends AnswerSettings, TrunkHost {
  /** Tried in this order after the first host. */
  otherHosts?: readonly TrunkHost[];
  transport: TransportName;
  /** False: any certificate is accepted over TLS. Default: true. */
  isTlsVerified?: boolean;
  /** The account for digest challenges; without one a challenge ends the call. */
  username?: string;
  password?: string;
  /** The user name in answers to challenges. Default: `username`. */
  authUsername?: string;
  /** Default: `from`. */
  callerHeader?: CallerHeader;
  /** The user part of From, for carriers that require the account there. Default: the number of the caller. */
  fromUser?: string;
  /** The display name in From and in the header of the caller's identity. */
  fromName?: string;
  /** True: its host may resolve to any address, regardless of {@link SipEndpointOptions.allowPrivateTrunks}. */
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
  /** The result of `SipEndpoint.findTrunk`, so that no lookup delays the INVITE; without it the endpoint resolves the host. */
  targets?: TrunkTargets;
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
 * @param ways - our public host, the servers of the trunk, and our media address
 */
export function toInvite(
  request: DialRequest,
  ways: { publicHost: string; targets: TrunkTargets; local: LocalMedia },
): InviteRequest {
  const { trunk } = request;
  const [first, ...others] = ways.targets;
  const fromHost =
    trunk.username === undefined ? formatHostPort(ways.publicHost, null) : hostInUri(trunk, trunk.transport);
  const caller = escapeUser(trunk.writeNumber?.(request.from) ?? request.from);
  const fromUser = trunk.fromUser === undefined ? caller : escapeUser(trunk.fromUser);
  return {
    callId: request.sipCallId,
    from: { uri: `sip:${fromUser}@${fromHost}`, ...displayName(trunk) },
    toUri: requestUri(request, first),
    destination: destinationOf(trunk, first),
    alternatives: others.map((target): InviteTarget => ({
      uri: requestUri(request, target),
      destination: destinationOf(trunk, target),
    })),
    media: ways.local,
    ...(trunk.acceptsRefer ? { acceptsRefer: true } : {}),
    ...credentialsOf(trunk),
    headers: [...identity(trunk, { caller, host: fromHost }), ...(request.headers ?? [])],
  };
}

function requestUri({ to, trunk }: DialRequest, host: TrunkHost): string {
  const transport = trunk.transport === 'udp' ? '' : `;transport=${trunk.transport}`;
  const number = escapeUser(trunk.writeNumber?.(to) ?? to);
  return `sip:${number}@${hostInUri(host, trunk.transport)}${transport}`;
}

/** A host as it stands in a URI: with its port, unless that is the default. */
export function hostInUri({ host, port }: TrunkHost, transport: TransportName): string {
  return formatHostPort(host, port === defaultPort(transport) ? null : port);
}

/** RFC 3263 changes where a request is sent, not the name in its URI and in the certificate of the far end. */
export function destinationOf(
  trunk: Pick<TrunkAddress, 'transport' | 'isTlsVerified'>,
  { host, address, addressPort: port }: TrunkTarget,
): Destination {
  const { transport, isTlsVerified = true } = trunk;
  return {
    transport,
    host: address,
    port,
    connectionId: null,
    ...tlsPeerOf({ host, transport, isTlsVerified }),
  };
}

/** What answers challenges; nothing without an account. */
export function credentialsOf({
  username,
  authUsername = username,
  password = '',
}: Pick<TrunkAddress, 'username' | 'authUsername' | 'password'>): Pick<InviteRequest, 'credentials'> {
  return authUsername === undefined ? {} : { credentials: { username: authUsername, password } };
}

/** The certificate has to contain the configured host, whatever address that has (RFC 5922 section 7.2). */
export function tlsPeerOf({
  host: serverName,
  transport,
  isTlsVerified: isVerified = true,
}: Pick<TrunkAddress, 'host' | 'transport' | 'isTlsVerified'>): { tls?: TlsPeer } {
  return transport === 'tls' ? { tls: { serverName, isVerified } } : {};
}

function displayName({ fromName }: TrunkAddress): { displayName?: string } {
  return fromName === undefined ? {} : { displayName: fromName };
}

/** RFC 3325 sections 9.1 and 9.2. An unknown caller has no identity. */
function identity(trunk: TrunkAddress, { caller, host }: { caller: string; host: string }): HeaderField[] {
  const { callerHeader = 'from' } = trunk;
  if (callerHeader === 'from' || caller === '') return [];
  const value = formatNameAddr(nameAddr(`sip:${caller}@${host}`, displayName(trunk)));
  return [{ name: IDENTITY_FIELDS[callerHeader], value }];
}
