/**
 * The callers' end of the sound: one UDP socket for each call, and the instant at which each packet came. Not the
 * product's own RTP, and without jitter buffer or concealment: the packets on the wire are measured. G.711 mu-law,
 * packets of 20 ms. A packet holds the 20 ms before it was sent, and is played from its arrival on.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decodeG711, g711Silence } from '@parley/audio';
import { systemClock } from '@parley/runtime';
import type { MediaFactory, MediaTarget, RtpMedia } from '@parley/telephony';

/** 20 ms at 8000 Hz. */
export const FRAME_SAMPLES = 160;
export const FRAME_MS = 20;
const SAMPLES_PER_MS = 8;
/** RFC 3550 section 5.1, without contributing sources. */
const HEADER_BYTES = 12;
/** Samples above this are sound: some 36 dB below full scale. */
const LOUD = 500;
/** The volume of keys, dB below full scale. */
const KEY_VOLUME = 10;
/** The number of instants within 20 ms over which the calls are distributed. */
const SLOTS = 5;
const SILENT_FRAME = new Uint8Array(FRAME_SAMPLES).fill(g711Silence('PCMU'));

/** A received packet. */
export interface HeardPacket {
  atMs: number;
  /** As on the wire, 16 bits. */
  sequence: number;
  /** From its first to the end of its last sound, as instants at which they were heard; null: it is silent. */
  loud: { fromMs: number; toMs: number } | null;
}

/** A packet of a pressed key (RFC 4733). */
export interface KeyFrame {
  digit: number;
  /** The number of packets of this key so far, this one included. */
  count: number;
  isEnd: boolean;
}

/** One end of a wire. */
export interface WireUser {
  /** What goes out now: 160 octets, silence, a key, or a packet that gets lost. */
  speak(nowMs: number): Uint8Array | 'silence' | 'lost' | KeyFrame;
  hear(packet: HeardPacket): void;
}

/** True for a sample above the sound threshold. */
export function isLoud(sample: number): boolean {
  return Math.abs(sample) > LOUD;
}

/** The wires of all callers, on one clock. */
export class Wires implements MediaFactory {
  /** How late the clock was, milliseconds: the noise of everything measured here. */
  readonly latenessesMs: number[] = [];
  readonly #slots: Set<Wire>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #waiting: WireUser[] = [];
  #opened = 0;
  #isOver = false;

  start(): void {
    const startMs = systemClock.monotonic();
    const beat = (count: number): void => {
      if (this.#isOver) return;
      const nowMs = systemClock.monotonic();
      this.latenessesMs.push(nowMs - startMs - (count * FRAME_MS) / SLOTS);
      for (const wire of this.#slots[count % SLOTS] ?? []) wire.send(systemClock.monotonic());
      const nextMs = startMs + ((count + 1) * FRAME_MS) / SLOTS;
      systemClock.after(Math.max(0, nextMs - systemClock.monotonic()), () => beat(count + 1));
    };
    beat(0);
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Receives the next wire that no caller is waiting for. */
  expect(user: WireUser): void {
    this.#waiting.push(user);
  }

  async openMedia({ localHost }: { localHost: string }): Promise<RtpMedia> {
    const user = this.#waiting.shift();
    if (!user) throw new Error('A wire was opened without a waiting caller');
    const slot = this.#slots[this.#opened++ % SLOTS];
    const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 });
    socket.bind(0, localHost);
    await once(socket, 'listening');
    const wire: Wire = new Wire(socket, user, () => slot?.delete(wire));
    slot?.add(wire);
    return wire;
  }
}

/** One call's wire. Of what legs ask of sound it does only what a caller needs. */
class Wire implements RtpMedia {
  readonly sampleRateHz = 8000;
  readonly frameSamples = FRAME_SAMPLES;
  readonly localPort: number;
  readonly #socket: Socket;
  readonly #user: WireUser;
  readonly #onClose: () => void;
  readonly #samples = new Int16Array(FRAME_SAMPLES);
  readonly #packet = new Uint8Array(HEADER_BYTES + FRAME_SAMPLES);
  readonly #header = new DataView(this.#packet.buffer);
  #target: MediaTarget | null = null;
  #sequence = 0;

  constructor(socket: Socket, user: WireUser, onClose: () => void) {
    this.#socket = socket;
    this.#user = user;
    this.#onClose = onClose;
    this.localPort = socket.address().port;
    socket.on('message', (datagram) => this.#receive(datagram));
  }

  connect(target: MediaTarget): void {
    this.#target = target;
  }

  send(nowMs: number): void {
    if (!this.#target) return;
    const frame = this.#user.speak(nowMs);
    const sequence = this.#sequence++;
    if (frame === 'lost') return;
    if (typeof frame === 'object' && 'digit' in frame) return this.#sendKey(frame, sequence, this.#target);
    this.#header.setUint8(0, 0x80);
    this.#header.setUint8(1, this.#target.payloadType);
    this.#header.setUint16(2, sequence & 0xff_ff);
    this.#header.setUint32(4, (sequence * FRAME_SAMPLES) >>> 0);
    this.#header.setUint32(8, this.localPort);
    this.#packet.set(frame === 'silence' ? SILENT_FRAME : frame, HEADER_BYTES);
    this.#socket.send(this.#packet, this.#target.remotePort, this.#target.remoteHost);
  }

  /** All packets of a key have the timestamp of its beginning (RFC 4733 section 2.5.1.2). */
  #sendKey({ digit, count, isEnd }: KeyFrame, sequence: number, target: MediaTarget): void {
    if (target.telephoneEventPayloadType === null) throw new Error('The far end takes no keys');
    const packet = Buffer.alloc(HEADER_BYTES + 4);
    packet.writeUInt8(0x80, 0);
    packet.writeUInt8((count === 1 ? 0x80 : 0) | target.telephoneEventPayloadType, 1);
    packet.writeUInt16BE(sequence & 0xff_ff, 2);
    packet.writeUInt32BE(((sequence - count + 1) * FRAME_SAMPLES) >>> 0, 4);
    packet.writeUInt32BE(this.localPort, 8);
    packet.writeUInt8(digit, HEADER_BYTES);
    packet.writeUInt8((isEnd ? 0x80 : 0) | KEY_VOLUME, HEADER_BYTES + 1);
    packet.writeUInt16BE(count * FRAME_SAMPLES, HEADER_BYTES + 2);
    this.#socket.send(packet, target.remotePort, target.remoteHost);
  }

  #receive(datagram: Buffer): void {
    const atMs = systemClock.monotonic();
    if (datagram.length !== HEADER_BYTES + FRAME_SAMPLES) return;
    decodeG711('PCMU', datagram.subarray(HEADER_BYTES), this.#samples);
    const from = this.#samples.findIndex(isLoud);
    const to = this.#samples.findLastIndex(isLoud) + 1;
    const loud =
      from === -1 ? null : { fromMs: atMs + from / SAMPLES_PER_MS, toMs: atMs + to / SAMPLES_PER_MS };
    this.#user.hear({ atMs, sequence: datagram.readUInt16BE(2), loud });
  }

  close(): void {
    this.#onClose();
    this.#target = null;
    this.#socket.close();
  }

  stats(): ReturnType<RtpMedia['stats']> {
    return { packetsSent: 0, packetsReceived: 0, packetsLost: 0, jitterMs: 0, concealedFrames: 0, far: null };
  }

  onTick(): void {}
  onDtmf(): void {}
  onSilence(): void {}
  sendDtmf(): void {}
  play(): void {}
  pausePlayout(): void {}
  lowerPlayout(): void {}
  resumePlayout(): void {}
  clear(): void {}
  setAmbience(): void {}
}
