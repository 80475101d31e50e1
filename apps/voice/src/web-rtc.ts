/** WebRTC for calls of browsers, from the settings: where this process listens, and the servers that browsers may use. */
import { createHmac } from 'node:crypto';
import type { IceServer } from '@parley/contracts';
import type { Clock, Log } from '@parley/runtime';
import { createWebRtcFactory, type WebRtcFactory } from '@parley/telephony';
import type { VoiceSettings } from './settings.ts';

/**
 * How long the credentials of a TURN server are valid, seconds. A call that is longer may lose the relay, and continues over
 * its WebSocket.
 */
const TURN_SECONDS = 2 * 3600;

/** What calls of browsers use. */
export interface WebRtc {
  factory: WebRtcFactory;
  /** For one call; contains secrets that expire. */
  iceServers(): IceServer[];
}

/** Null where it is switched off, or where no browser could reach this process. */
export function openWebRtc(settings: VoiceSettings, clock: Clock, log: Log): WebRtc | null {
  if (settings.WEBRTC_PORTS === null) return null;
  const factory = createWebRtcFactory({
    clock,
    log,
    host: settings.SIP_LISTEN.host,
    ports: settings.WEBRTC_PORTS,
    publicAddresses: settings.WEBRTC_PUBLIC_ADDRESS,
    isLoopbackUseful: isOnThisMachine(settings.PUBLIC_URL),
  });
  if (!factory.isAvailable) return null;
  return {
    factory,
    iceServers: () =>
      iceServersOf(settings.WEBRTC_ICE_SERVERS, settings.WEBRTC_TURN_SECRET, Math.floor(clock.now() / 1000)),
  };
}

/**
 * The servers with the credentials of TURN: the name is the instant at which they expire, the password its HMAC with the
 * secret that the server has too ("A REST API for access to TURN services", draft-uberti-behave-turn-rest-00 section 2.2).
 */
export function iceServersOf(
  urls: readonly string[],
  turnSecret: string | undefined,
  nowSeconds: number,
): IceServer[] {
  return urls.map((url) => {
    if (!url.startsWith('turn') || turnSecret === undefined) return { urls: url };
    const username = String(nowSeconds + TURN_SECONDS);
    return {
      urls: url,
      username,
      credential: createHmac('sha1', turnSecret).update(username).digest('base64'),
    };
  });
}

/** Otherwise pages are opened elsewhere, and waiting for a connection to 127.0.0.1 would only delay their calls. */
function isOnThisMachine(publicUrl: string | undefined): boolean {
  if (publicUrl === undefined) return false;
  const { hostname } = new URL(publicUrl);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
