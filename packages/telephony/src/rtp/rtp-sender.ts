/**
 * The sending side of one stream. The timestamp advances with the 20 ms clock whether a packet is sent or not; the sequence
 * number "increments by one for each RTP data packet sent" (RFC 3550 section 5.1).
 *
 * RFC 7160 section 4.1 recommends another SSRC when a call changes to a codec with another clock rate. We keep ours, as that
 * section allows; the timestamps go on from where they are.
 */
import type { AudioCodec } from './audio-codec.ts';
import { RTP_HEADER_BYTES, writeRtpHeader } from './rtp-packet.ts';
import type { KeyPacket } from './dtmf-sender.ts';
import { TELEPHONE_EVENT_BYTES, writeTelephoneEvent } from './telephone-event.ts';

/** The clock of G.711, before a codec is agreed. */
const USUAL_CLOCK_RATE_HZ = 8000;
/** The largest payload of our codecs. */
const LARGEST_PAYLOAD = 1500;

/** Packet buffers in rotation, because a send may still read an earlier buffer while the next packet is written. */
const BUFFER_COUNT = 8;

/** Initial values. RFC 3550 section 5.1: "The initial value of the sequence number SHOULD be random (unpredictable)". */
export interface StreamStart {
  ssrc: number;
  sequence: number;
  timestamp: number;
}

/**
 * In SRTP, a receiver counts the rounds of the sequence numbers from the first packet that arrives (RFC 3711 section 3.3.1). The first
 * number is therefore not near the end of a round: a receiver that missed the first packets would count one too few.
 *
 * @param random - 32 random bits
 */
export function randomStart(random: () => number): StreamStart {
  return { ssrc: random(), sequence: random() & 0x7f_ff, timestamp: random() };
}

/** Builds the packets of one stream. */
export class RtpSender {
  readonly #start: StreamStart;
  #ssrc: number;
  /** Timestamp units of a frame of 20 ms. */
  #frameUnits = USUAL_CLOCK_RATE_HZ / 50;
  readonly #buffers: Uint8Array[];
  #sequence: number;
  #timestamp: number;
  #keyTimestamp = 0;
  /** Whether the next audio packet is the first after a pause. */
  #isAfterPause = true;
  #packetsSent = 0;
  #octetsSent = 0;
  /** What was sent with another SSRC. */
  #before = { packets: 0, octets: 0 };

  constructor(start: StreamStart) {
    this.#start = start;
    this.#ssrc = start.ssrc >>> 0;
    this.#sequence = start.sequence & 0xff_ff;
    this.#timestamp = start.timestamp >>> 0;
    this.#buffers = Array.from(
      { length: BUFFER_COUNT },
      () => new Uint8Array(RTP_HEADER_BYTES + USUAL_CLOCK_RATE_HZ / 50),
    );
  }

  get packetsSent(): number {
    return this.#packetsSent;
  }

  get ssrc(): number {
    return this.#ssrc;
  }

  /** RFC 3550 section 6.4.1: the counts "SHOULD be reset if the sender changes its SSRC identifier." The octets are those of payload. */
  get sentWithSsrc(): { packets: number; octets: number } {
    const { packets, octets } = this.#before;
    return { packets: this.#packetsSent - packets, octets: this.#octetsSent - octets };
  }

  /** Goes on as another source, whose sequence numbers begin again. */
  changeSource(): void {
    this.#ssrc = (this.#ssrc + 1) >>> 0;
    this.#sequence = this.#start.sequence & 0xff_ff;
    this.#isAfterPause = true;
    this.#before = { packets: this.#packetsSent, octets: this.#octetsSent };
  }

  /** Timestamp of the next frame. */
  get timestamp(): number {
    return this.#timestamp;
  }

  /** The frames that follow are those of `codec`. */
  use(codec: AudioCodec): void {
    this.#frameUnits = codec.clockRateHz / 50;
    const bytes = RTP_HEADER_BYTES + Math.min(codec.maxPayloadBytes, LARGEST_PAYLOAD);
    if ((this.#buffers[0]?.length ?? 0) >= bytes) return;
    for (let i = 0; i < BUFFER_COUNT; i++) this.#buffers[i] = new Uint8Array(bytes);
  }

  /** Builds an audio packet; it is valid until {@link BUFFER_COUNT} more have been built. */
  sound(frame: Int16Array, codec: AudioCodec, payloadType: number): Uint8Array {
    const packet = this.#packet({ payloadType, hasMarker: this.#isAfterPause, timestamp: this.#timestamp });
    const bytes = codec.encode(frame, packet, RTP_HEADER_BYTES);
    this.#isAfterPause = false;
    return this.#finish(packet.subarray(0, RTP_HEADER_BYTES + bytes));
  }

  /** The same as two packets, for a codec in whose payload each byte stands for the same time. */
  halves(frame: Int16Array, codec: AudioCodec, payloadType: number): [Uint8Array, Uint8Array] {
    const units = this.#frameUnits / 2;
    const header = { payloadType, hasMarker: this.#isAfterPause, timestamp: this.#timestamp };
    const first = this.#packet(header);
    const end = RTP_HEADER_BYTES + codec.encode(frame, first, RTP_HEADER_BYTES);
    const middle = (RTP_HEADER_BYTES + end) / 2;
    const sentFirst = this.#finish(first.subarray(0, middle), units);
    const second = this.#packet({ ...header, hasMarker: false, timestamp: this.#timestamp });
    second.set(first.subarray(middle, end), RTP_HEADER_BYTES);
    this.#isAfterPause = false;
    return [sentFirst, this.#finish(second.subarray(0, middle), units)];
  }

  /** Builds a packet of a DTMF key. */
  key(key: KeyPacket, payloadType: number): Uint8Array {
    if (key.isStart) this.#keyTimestamp = this.#timestamp;
    const packet = this.#packet({ payloadType, hasMarker: key.isStart, timestamp: this.#keyTimestamp });
    writeTelephoneEvent(new DataView(packet.buffer, packet.byteOffset), key, RTP_HEADER_BYTES);
    this.#isAfterPause = true;
    return this.#finish(packet.subarray(0, RTP_HEADER_BYTES + TELEPHONE_EVENT_BYTES));
  }

  /** Advances by a frame in which nothing is sent. */
  pass(): void {
    this.#timestamp = (this.#timestamp + this.#frameUnits) >>> 0;
    this.#isAfterPause = true;
  }

  #packet(header: { payloadType: number; hasMarker: boolean; timestamp: number }): Uint8Array {
    const packet = this.#buffers[this.#packetsSent % BUFFER_COUNT] ?? new Uint8Array(0);
    writeRtpHeader(new DataView(packet.buffer), { ...header, sequence: this.#sequence, ssrc: this.#ssrc });
    return packet;
  }

  #finish(packet: Uint8Array, units = this.#frameUnits): Uint8Array {
    this.#sequence = (this.#sequence + 1) & 0xff_ff;
    this.#timestamp = (this.#timestamp + units) >>> 0;
    this.#packetsSent++;
    this.#octetsSent += packet.length - RTP_HEADER_BYTES;
    return packet;
  }
}
