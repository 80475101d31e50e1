/**
 * The connection of one conversation over WebRTC. It has no display state and ends no call: where it fails, the WebSocket
 * carries the sound. Its candidates are not sent: the server, a lite agent of ICE, learns the address from the packets.
 */
import type { IceServer } from '@parley/contracts';

/** The quality of the connection, from the statistics of the browser. */
export interface ConnectionQuality {
  roundTripMs: number | null;
  /** Share of the packets that were lost so far, 0 to 1: what we received, and what the server received. */
  lossReceived: number | null;
  lossSent: number | null;
}

/** What a connection needs. */
export interface WebRtcConnectionOptions {
  microphone: MediaStream;
  iceServers: IceServer[];
  /** The sound of the server. */
  onStream: (stream: MediaStream) => void;
  /** No sound any more, in either direction. */
  onFailed: () => void;
}

const LOST_STATES: ReadonlySet<RTCPeerConnectionState> = new Set(['disconnected', 'failed']);

/** Whether this browser has WebRTC; some companies switch it off. */
export function hasWebRtc(): boolean {
  return typeof RTCPeerConnection === 'function';
}

/** Opened once, closed once. */
export class WebRtcConnection {
  readonly #peer: RTCPeerConnection;
  #isClosed = false;

  /** @throws DOMException for servers that the browser does not accept */
  constructor({ microphone, iceServers, onStream, onFailed }: WebRtcConnectionOptions) {
    const peer = new RTCPeerConnection({
      iceServers: iceServers.map(({ urls, username, credential }) =>
        username === undefined || credential === undefined ? { urls } : { urls, username, credential },
      ),
    });
    this.#peer = peer;
    for (const track of microphone.getAudioTracks()) peer.addTrack(track, microphone);
    peer.addEventListener('track', ({ track }) => onStream(new MediaStream([track])));
    let hasUdp = false;
    peer.addEventListener('icecandidate', ({ candidate }) => {
      hasUdp ||= candidate?.protocol === 'udp';
      // All addresses are known, and none can send UDP: a policy of the browser forbids it, so waiting is useless.
      if (!candidate && !hasUdp && !this.#isClosed) onFailed();
    });
    peer.addEventListener('connectionstatechange', () => {
      if (!this.#isClosed && LOST_STATES.has(peer.connectionState)) onFailed();
    });
  }

  /** The offer, for the server. */
  async offer(): Promise<string> {
    await this.#peer.setLocalDescription();
    return this.#peer.localDescription?.sdp ?? '';
  }

  /** @throws DOMException for an answer that does not fit */
  async answer(sdp: string): Promise<void> {
    if (!this.#isClosed) await this.#peer.setRemoteDescription({ type: 'answer', sdp });
  }

  async quality(): Promise<ConnectionQuality> {
    const quality: ConnectionQuality = { roundTripMs: null, lossReceived: null, lossSent: null };
    for (const report of (await this.#peer.getStats()).values() as Iterable<Record<string, unknown>>) {
      if (report['type'] === 'candidate-pair' && report['nominated'] === true)
        quality.roundTripMs = numberOf(report['currentRoundTripTime'], 1_000);
      if (report['type'] === 'inbound-rtp')
        quality.lossReceived = share(report['packetsLost'], report['packetsReceived']);
      if (report['type'] === 'remote-inbound-rtp') quality.lossSent = numberOf(report['fractionLost'], 1);
    }
    return quality;
  }

  close(): void {
    this.#isClosed = true;
    this.#peer.close();
  }
}

function numberOf(value: unknown, factor: number): number | null {
  return typeof value === 'number' ? value * factor : null;
}

function share(lost: unknown, received: unknown): number | null {
  if (typeof lost !== 'number' || typeof received !== 'number' || lost + received <= 0) return null;
  return Math.max(0, lost) / (lost + received);
}
