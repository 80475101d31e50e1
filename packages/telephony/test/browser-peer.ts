/**
 * A browser for tests: WebRTC by werift, an implementation that shares only the handshake with ours, and a relay in front of
 * our port that loses, repeats and reorders datagrams.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift';
import { openOpusCodec, type OpusCodec } from '../src/webrtc/open-opus-codec.ts';

const PAYLOAD_TYPE = 111;
const FRAME_SAMPLES = 320;

/** What happens to a datagram on the way to us; called with the number of the datagram, from 0. */
export type Fate = (count: number, datagram: Buffer) => 'pass' | 'lose' | 'repeat' | 'hold';

/** A page with a microphone. */
export class BrowserPeer {
  readonly #peer: RTCPeerConnection;
  readonly #track = new MediaStreamTrack({ kind: 'audio' });
  readonly #heard: Int16Array[] = [];
  readonly #codec: OpusCodec;
  #sequence = 65_530;
  #timestamp = 0xff_ff_f0_00;
  #relay: Relay | null = null;

  private constructor(codec: OpusCodec) {
    this.#codec = codec;
    this.#peer = new RTCPeerConnection({
      iceServers: [],
      iceAdditionalHostAddresses: ['127.0.0.1'],
      iceUseIpv6: false,
      codecs: {
        audio: [
          new RTCRtpCodecParameters({
            mimeType: 'audio/opus',
            clockRate: 48_000,
            channels: 2,
            payloadType: PAYLOAD_TYPE,
          }),
        ],
      },
    });
    const transceiver = this.#peer.addTransceiver(this.#track, { direction: 'sendrecv' });
    transceiver.onTrack.subscribe((track) =>
      track.onReceiveRtp.subscribe((packet) => this.#heard.push(codec.decode(packet.payload).slice())),
    );
  }

  static async open(): Promise<BrowserPeer> {
    return new BrowserPeer(await openOpusCodec());
  }

  /** The offer, as a page sends it. */
  async offer(): Promise<string> {
    await this.#peer.setLocalDescription(await this.#peer.createOffer());
    return this.#peer.localDescription?.sdp ?? '';
  }

  /** Takes the answer; with `fate`, through a relay. */
  async take(answer: string, fate?: Fate): Promise<void> {
    const sdp = fate ? await this.#relayed(answer, fate) : answer;
    await this.#peer.setRemoteDescription({ type: 'answer', sdp });
  }

  /** All sound that has arrived. */
  heard(): Int16Array {
    return Int16Array.from(this.#heard.flatMap((samples) => [...samples]));
  }

  get isConnected(): boolean {
    return this.#peer.connectionState === 'connected';
  }

  /** Sends 20 ms. */
  say(samples: Int16Array): void {
    const frame = new Int16Array(FRAME_SAMPLES);
    frame.set(samples.subarray(0, FRAME_SAMPLES));
    this.#send(Buffer.from(this.#codec.encode(frame)));
  }

  /** Sends bytes in place of Opus. */
  sayBytes(payload: Buffer): void {
    this.#send(payload);
  }

  async close(): Promise<void> {
    await this.#peer.close();
    this.#codec.close();
    this.#relay?.close();
  }

  #send(payload: Buffer): void {
    const header = new RtpHeader({
      payloadType: PAYLOAD_TYPE,
      sequenceNumber: this.#sequence,
      timestamp: this.#timestamp,
    });
    this.#sequence = (this.#sequence + 1) & 0xff_ff;
    this.#timestamp = (this.#timestamp + 960) >>> 0;
    this.#track.writeRtp(new RtpPacket(header, payload));
  }

  async #relayed(answer: string, fate: Fate): Promise<string> {
    const port = Number(/ (\d+) typ host/.exec(answer)?.[1]);
    this.#relay = await Relay.open(port, fate);
    return answer.replace(` ${port} typ host`, ` ${this.#relay.port} typ host`);
  }
}

/** Forwards datagrams between one browser and a port of ours. */
class Relay {
  readonly #front: Socket;
  readonly #back: Socket;

  private constructor(front: Socket, back: Socket) {
    this.#front = front;
    this.#back = back;
  }

  get port(): number {
    return this.#front.address().port;
  }

  static async open(port: number, fate: Fate): Promise<Relay> {
    const [front, back] = await Promise.all([bound(), bound()]);
    const relay = new Relay(front, back);
    let browser: { port: number; address: string } | null = null;
    let count = 0;
    let held: Buffer | null = null;
    front.on('message', (datagram, from) => {
      browser = from;
      const what = fate(count++, datagram);
      if (what === 'hold' && !held) {
        held = datagram;
        return;
      }
      if (what !== 'lose') back.send(datagram, port, '127.0.0.1');
      if (what === 'repeat') back.send(datagram, port, '127.0.0.1');
      if (held) back.send(held, port, '127.0.0.1');
      held = null;
    });
    back.on('message', (datagram) => {
      if (browser) front.send(datagram, browser.port, browser.address);
    });
    return relay;
  }

  close(): void {
    this.#front.close();
    this.#back.close();
  }
}

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}
