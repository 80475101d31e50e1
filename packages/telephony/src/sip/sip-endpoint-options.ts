/** What a SIP endpoint is configured with. */
import type { X509Certificate } from 'node:crypto';
import type { Clock, Log, PrivateAddresses } from '@parley/runtime';
import type { RandomSource, SessionTimerSetting } from '@parley/sip';
import type { MediaFactory } from '../media-factory.ts';
import type { DatagramTap } from './agent-driver.ts';
import type { TlsOptions } from './open-transports.ts';
import type { RateLimit } from './source-rate-limit.ts';

/** The configuration of an endpoint. */
export interface SipEndpointOptions {
  clock: Clock;
  log: Log;
  /** For UDP and TCP; with port 0 the system chooses. */
  listen: { host: string; port: number };
  /** SIP over TLS on the same host; without a certificate, connections can be opened but none are accepted. */
  tls?: TlsOptions;
  /** The address in Via and Contact. Default: the listening host, which then must not be a wildcard. */
  publicAddress?: string;
  /** The address to which RTP is bound. Default: the listening host. */
  mediaHost?: string;
  /** The media address in our SDP. Default: `publicAddress`. */
  publicMediaAddress?: string;
  /** Product name for User-Agent in our requests, for example `Parley/0.1`. */
  userAgent: string;
  media: MediaFactory;
  /** Default: the system's generator. */
  random?: RandomSource;
  /** An inbound leg that is not answered ends after this time, milliseconds. Default 60 000. */
  inboundRingLimitMs?: number;
  /** A leg that is not on hold ends when neither RTP nor RTCP arrives for this time, milliseconds. Default 20 000. */
  silenceLimitMs?: number;
  rateLimit?: RateLimit;
  /** Session timers (RFC 4028); only tests change them. */
  sessionTimer?: SessionTimerSetting;
  /** Which non-public addresses the hosts of trunks may resolve to. Default: all. */
  allowPrivateTrunks?: PrivateAddresses;
  /** Our own proxy in front of this endpoint. The source behind it is taken from the Via that it has completed. */
  front?: { host: string; port: number };
  /** Receives the sources that are counted as strangers: those behind a front must be banned by the front. */
  onStranger?: (sourceAddress: string) => void;
  /** Receives the addresses of trunks with which there is a call: the front must not ban them. */
  onTrusted?: (address: string) => void;
  /** Receives our tag of each dialog with which this endpoint goes on: a front in front of it must know. */
  onResumed?: (localTag: string) => void;
  /** Name servers as `host:port`. Default: those of the system; only tests change them. */
  nameServers?: readonly string[];
  /** Whose keys may sign the identity of callers (STIR/SHAKEN). Default: none, so that nothing is verified. */
  identityCertificates?: readonly X509Certificate[];
  /** Receives the raw messages, for a wire log that does not depend on our parser. */
  onDatagram?: DatagramTap;
}
