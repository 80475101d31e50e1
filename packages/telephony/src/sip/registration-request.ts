/**
 * What a registration is told and what it reports, and the addresses in its requests.
 */
import {
  addressFor,
  escapeUser,
  formatHostPort,
  type BindingOptions,
  type OwnAddress,
  type TransportName,
} from '@parley/sip';

import { hostInUri, type TrunkHost } from './dial-request.ts';

/** Where a registrar listens. */
export interface RegistrarAddress extends TrunkHost {
  /** Tried in this order when the registrar is not available. Each is the domain of its own address of record. */
  otherHosts?: readonly TrunkHost[];
  transport: TransportName;
  /** False: any certificate is accepted over TLS. Default: true. */
  isTlsVerified?: boolean;
  /** True: its host may resolve to any address, regardless of {@link SipEndpointOptions.allowPrivateTrunks}. */
  isTrusted?: boolean;
}

/** An account at a registrar. */
export interface RegistrationRequest {
  registrar: RegistrarAddress;
  /** The account, and the user name for digest challenges unless there is another one. */
  username: string;
  /** The user name for digest challenges. Default: `username`. */
  authUsername?: string;
  password: string;
  /** The user of the address of record and of our Contact. Default: `username`. */
  user?: string;
  /** The domain of the address of record. Default: the host of the registrar. */
  domain?: string;
  /** The address in our Contact, for example that of a proxy in front of the endpoint. Default: the endpoint's own. */
  contactAddress?: OwnAddress;
  /** The time asked for, 1 to 86 400 seconds. Default 300. */
  expiresSeconds?: number;
  /** Called after every change of the status. */
  onChange?: (status: RegistrationStatus) => void;
}

/**
 * - `registering`: no registrar has answered yet.
 * - `registered`: the latest attempt was granted.
 * - `failed`: the latest attempt failed; the next one follows by itself. Until `expiresAt` the registrar still has the Contact.
 * - `stopped`: nothing follows.
 */
export type RegistrationState = 'registering' | 'registered' | 'failed' | 'stopped';

/** The state of a registration after its latest attempt. */
export interface RegistrationStatus {
  state: RegistrationState;
  /** Until when the registrar has granted our Contact; null when it never did, or no longer when this was reported. */
  expiresAt: Date | null;
  /** A sentence for the owner of the account about the latest failure; null after a success. */
  lastError: string | null;
  /** The SIP status of the latest final response; null when there was none. */
  statusCode: number | null;
}

const DEFAULT_EXPIRES_SECONDS = 300;
const MAX_EXPIRES_SECONDS = 86_400;

/** @throws RangeError when it is no whole number from 1 to 86 400 */
export function expiresSecondsOf({ expiresSeconds = DEFAULT_EXPIRES_SECONDS }: RegistrationRequest): number {
  const isValid =
    Number.isInteger(expiresSeconds) && expiresSeconds >= 1 && expiresSeconds <= MAX_EXPIRES_SECONDS;
  if (isValid) return expiresSeconds;
  throw new RangeError('The time of a registration must be a whole number of seconds from 1 to 86400');
}

/**
 * The Request-URI names the registrar with its port, as INVITEs to a trunk do; the address of record is one of the domain,
 * without a port.
 *
 * @throws RangeError without a user
 */
export function bindingOptions(request: RegistrationRequest, endpointAddress: OwnAddress): BindingOptions {
  const { registrar, username, authUsername = username, password } = request;
  const { user = username, domain = registrar.host } = request;
  const { host, port } = addressFor(request.contactAddress ?? endpointAddress, registrar.transport);
  if (user === '' || username === '') throw new RangeError('A registration needs a user name');
  const transport = registrar.transport === 'udp' ? '' : `;transport=${registrar.transport}`;
  return {
    registrarUri: `sip:${hostInUri(domain === registrar.host ? registrar : { host: domain, port: null }, registrar.transport)}`,
    addressOfRecord: `sip:${escapeUser(user)}@${formatHostPort(domain, null)}`,
    contactUri: `sip:${escapeUser(user)}@${formatHostPort(host, port)}${transport}`,
    credentials: { username: authUsername, password },
  };
}
