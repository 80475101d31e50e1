/** Plans the voice processes of a fleet: the settings in which each differs from the others. */
import type { VoiceSettings } from '../settings.ts';

/** The environment of one child, which overrides that of the fleet. */
export type ChildEnvironment = Record<string, string>;

/**
 * Ports follow the configured ones: child `i` serves the internal contract at `VOICE_LISTEN` + i, listens for SIP at
 * `SIP_LISTEN` + 1 + i (the front has the first; with a certificate the port for TLS is left out), and has its own part of the ports of RTP and WebRTC. The front alone accepts
 * connections over TLS.
 *
 * @param front - the SIP front through which inbound calls arrive
 */
export function planChildren(
  settings: VoiceSettings,
  front: { host: string; port: number; tlsPort: number },
): ChildEnvironment[] {
  const sipPlaces = sipPlacesOf(settings, front.tlsPort);
  return Array.from({ length: settings.VOICE_PROCESSES }, (_, index) => ({
    VOICE_PROCESSES: '1',
    VOICE_LISTEN: formatAddress(shifted(settings.VOICE_LISTEN, index)),
    ...(settings.VOICE_URL ? { VOICE_URL: shiftedUrl(settings.VOICE_URL, index) } : {}),
    SIP_LISTEN: formatAddress(shifted(settings.SIP_LISTEN, sipPlaces[index] ?? 0)),
    SIP_FRONT: formatAddress(front),
    SIP_TLS_PORT: String(front.tlsPort),
    SIP_TLS_CERT_FILE: '',
    SIP_TLS_KEY_FILE: '',
    RTP_PORTS: portsOf(settings.RTP_PORTS, settings.VOICE_PROCESSES, index),
    WEBRTC_PORTS:
      settings.WEBRTC_PORTS === null
        ? 'off'
        : portsOf(settings.WEBRTC_PORTS, settings.VOICE_PROCESSES, index),
  }));
}

/** How far the SIP port of each process is behind that of the front: the port for TLS, usually the next one, is left out. */
function sipPlacesOf(
  { VOICE_PROCESSES, SIP_LISTEN, SIP_TLS_CERT_FILE }: VoiceSettings,
  tlsPort: number,
): number[] {
  const tlsPlace = SIP_TLS_CERT_FILE === undefined ? null : tlsPort - SIP_LISTEN.port;
  const places = Array.from({ length: VOICE_PROCESSES + 1 }, (_, index) => index + 1);
  return places.filter((place) => place !== tlsPlace).slice(0, VOICE_PROCESSES);
}

/** Port 0 lets the system choose and stays unchanged. */
function shifted({ host, port }: { host: string; port: number }, by: number): { host: string; port: number } {
  return { host, port: port === 0 ? 0 : port + by };
}

function shiftedUrl(text: string, by: number): string {
  const url = new URL(text);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  url.port = String(port + by);
  return url.href.replace(/\/$/, '');
}

/** RTP takes the even ports and RTCP the odd ones beside them (RFC 3550 section 11), so parts are even in size. */
function portsOf({ first, last }: { first: number; last: number }, processes: number, index: number): string {
  const size = Math.floor((last - first + 1) / processes / 2) * 2;
  return `${first + index * size}-${first + (index + 1) * size - 1}`;
}

function formatAddress({ host, port }: { host: string; port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
