/** The sound of a browser, whose side is played with the keys of the handshake. */
import { describe, expect, it } from 'vitest';
import { RTP_HEADER_BYTES, writeRtpHeader } from '../rtp/rtp-packet.ts';
import { SrtpReceiver } from '../srtp/srtp-receiver.ts';
import { SrtpSender } from '../srtp/srtp-sender.ts';
import { WebRtcStream } from './webrtc-stream.ts';

const SUITE = 'AES_CM_128_HMAC_SHA1_80';
const KEYS = { local: new Uint8Array(30).fill(1), remote: new Uint8Array(30).fill(2) };
const OPUS = 111;

function setup() {
  const sent: Uint8Array[] = [];
  const heard: { timestamp: number; samples: number; isNewSource: boolean }[] = [];
  const stream = new WebRtcStream({
    start: { ssrc: 7, sequence: 65_535, timestamp: 4_294_967_295 },
    keys: KEYS,
    payloadType: OPUS,
    codec: {
      encode: () => Uint8Array.of(1, 2, 3),
      // The first byte says how many samples a packet has; 0: it is not Opus.
      decode: ([first = 0]) => new Int16Array(first),
      close: () => undefined,
    },
    send: (datagram) => sent.push(datagram.slice()),
    onSound: ({ timestamp, samples, isNewSource }) =>
      heard.push({ timestamp, samples: samples.length, isNewSource }),
  });
  const browser = new SrtpSender(SUITE, KEYS.remote);
  const packet = (sequence: number, { timestamp = 0, ssrc = 9, payloadType = OPUS, first = 40 } = {}) => {
    const plain = new Uint8Array(RTP_HEADER_BYTES + 1);
    writeRtpHeader(new DataView(plain.buffer), { payloadType, hasMarker: false, sequence, timestamp, ssrc });
    plain[RTP_HEADER_BYTES] = first;
    return browser.protectRtp(plain).slice();
  };
  return { stream, sent, heard, packet };
}

describe('what a browser sends', () => {
  it('is sound at 16 000 Hz, whose timestamps begin again with another source', () => {
    const { stream, heard, packet } = setup();
    expect(stream.receive(packet(1, { timestamp: 4_294_967_000 }), 0)).toBe(true);
    stream.receive(packet(2, { timestamp: 664 }), 20);
    stream.receive(packet(3, { timestamp: 50, ssrc: 10 }), 40);
    expect(heard).toEqual([
      { timestamp: 0, samples: 40, isNewSource: true },
      { timestamp: 320, samples: 40, isNewSource: false },
      { timestamp: 0, samples: 40, isNewSource: true },
    ]);
  });

  it('is dropped where it is forged, repeated, of another codec or no Opus', () => {
    const { stream, heard, packet } = setup();
    const forged = packet(1);
    forged[RTP_HEADER_BYTES] = (forged[RTP_HEADER_BYTES] ?? 0) ^ 1;
    expect(stream.receive(forged, 0)).toBe(false);
    expect(stream.receive(packet(2, { payloadType: 0 }), 0)).toBe(true);
    expect(stream.receive(packet(3, { first: 0 }), 0)).toBe(true);
    const good = packet(4);
    expect(stream.receive(good.slice(), 0)).toBe(true);
    expect(stream.receive(good, 0)).toBe(false);
    expect(heard).toHaveLength(1);
  });

  it('is dropped beyond 500 packets a second, before it is decrypted', () => {
    const { stream, heard, packet } = setup();
    for (let sequence = 0; sequence < 2000; sequence += 1) stream.receive(packet(sequence), sequence / 10);
    expect(heard).toHaveLength(500);
    expect(stream.receive(packet(2000), 1000)).toBe(true);
  });
});

it('our packets are numbered without gaps, and their timestamps follow the frames', () => {
  const { stream, sent } = setup();
  for (const index of [0, 1, 5]) stream.play(index, new Int16Array(320));
  const receiver = new SrtpReceiver(SUITE, KEYS.local);
  const packets = sent.map(
    (datagram) => new DataView(receiver.openRtp(datagram)?.slice().buffer ?? new ArrayBuffer(12)),
  );
  expect(packets.map((view) => view.getUint16(2))).toEqual([65_535, 0, 1]);
  expect(packets.map((view) => view.getUint32(4))).toEqual([4_294_967_295, 959, 4799]);
  // The marker begins sound after a pause.
  expect(packets.map((view) => view.getUint8(1) >> 7)).toEqual([1, 0, 1]);
});
