/** The test vectors of RFC 3711 appendix B, and the behaviour on a real network. */
import { createCipheriv, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PacketCipher } from './packet-cipher.ts';
import { ReplayWindow } from './replay-window.ts';
import { deriveSessionKeys } from './session-keys.ts';
import { estimateIndex, SrtpReceiver } from './srtp-receiver.ts';
import { SrtpSender } from './srtp-sender.ts';

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));
const MASTER = hex('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6');
const SUITES = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const;

function rtp(sequence: number, payload = new Uint8Array(160).fill(7), ssrc = 0xca_fe_ba_be): Uint8Array {
  const packet = new Uint8Array(12 + payload.length);
  const view = new DataView(packet.buffer);
  view.setUint8(0, 0x80);
  view.setUint16(2, sequence);
  view.setUint32(4, sequence * 160);
  view.setUint32(8, ssrc);
  packet.set(payload, 12);
  return packet;
}

const rtcp = (): Uint8Array => hex('80c90001cafebabe 81ca0002cafebabe 01026869 00000000');

function setup(suite: (typeof SUITES)[number] = SUITES[0]) {
  const sender = new SrtpSender(suite, MASTER);
  const receiver = new SrtpReceiver(suite, MASTER);
  const sent = (sequence: number): Uint8Array => sender.protectRtp(rtp(sequence)).slice();
  const opens = (packet: Uint8Array): boolean => receiver.openRtp(packet.slice()) !== null;
  return { sender, receiver, sent, opens };
}

describe('RFC 3711 appendix B', () => {
  it('B.2: the key stream of AES in counter mode', () => {
    const keys = {
      encryption: hex('2B7E151628AED2A6ABF7158809CF4F3C'),
      salt: hex('F0F1F2F3F4F5F6F7F8F9FAFBFCFD'),
      authentication: new Uint8Array(20),
    };
    const stream = new Uint8Array(48);
    new PacketCipher(keys).apply(stream, 0, 0);
    expect(Buffer.from(stream).toString('hex').toUpperCase()).toBe(
      'E03EAD0935C95E80E166B16DD92B4EB4D23513162B02D0F72A43A2FE4A5F97AB41E95B3BB0A2E8DD477901E4FCA894C0',
    );
  });

  it('B.3: the derivation of keys', () => {
    const { encryption, authentication, salt } = deriveSessionKeys(MASTER, 'rtp');
    expect(encryption).toEqual(hex('C61E7A93744F39EE10734AFE3FF7A087'));
    expect(salt).toEqual(hex('30CBBC08863D8C85D49DB34A9AE1'));
    expect(authentication).toEqual(hex('CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4'));
  });
});

describe('the transforms', () => {
  it('equal AES-128-CTR and HMAC-SHA1 of the library for any SSRC and index', () => {
    const keys = deriveSessionKeys(MASTER, 'rtp');
    const cipher = new PacketCipher(keys);
    const [ssrc, index] = [0xde_ad_be_ef, 0xfe_dc_ba_98_76_54];
    const iv = Buffer.concat([keys.salt, new Uint8Array(2)]);
    const mask = Buffer.alloc(16);
    mask.writeUInt32BE(ssrc, 4);
    mask.writeUIntBE(index, 8, 6);
    for (const [at, byte] of mask.entries()) iv.writeUInt8(iv.readUInt8(at) ^ byte, at);
    const payload = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);
    const expected = createCipheriv('aes-128-ctr', keys.encryption, iv).update(payload);
    const applied = payload.slice();
    cipher.apply(applied, ssrc, index);
    expect(applied).toEqual(new Uint8Array(expected));
    const suffix = hex('01020304');
    const hmac = createHmac('sha1', keys.authentication).update(payload).update(suffix).digest();
    expect(cipher.authenticate(payload, 0x01_02_03_04).equals(hmac)).toBe(true);
  });
});

describe('SRTP', () => {
  it.each(SUITES)('with %s hides the payload and returns it', (suite) => {
    const { sender, receiver } = setup(suite);
    const packet = rtp(5);
    const sealed = sender.protectRtp(packet).slice();
    expect(sealed).toHaveLength(packet.length + (suite.endsWith('80') ? 10 : 4));
    expect(sealed.subarray(0, 12)).toEqual(packet.subarray(0, 12));
    expect(sealed.subarray(12, 172)).not.toEqual(packet.subarray(12));
    expect(receiver.openRtp(sealed)).toEqual(packet);
  });

  it('refuses a packet in which any byte has changed, and one that was not encrypted', () => {
    const { sent, opens } = setup();
    const sealed = sent(1);
    for (let at = 0; at < sealed.length; at++) {
      const forged = sealed.slice();
      forged[at] = (forged[at] ?? 0) ^ 1;
      expect(opens(forged), `byte ${at}`).toBe(false);
    }
    expect(opens(rtp(1))).toBe(false);
    expect(opens(sealed)).toBe(true);
  });

  it('refuses malformed packets of any length', () => {
    const { opens } = setup();
    for (let length = 0; length < 40; length++) expect(opens(new Uint8Array(length).fill(0x9f))).toBe(false);
    expect(opens(new Uint8Array(65_000).fill(0x80))).toBe(false);
  });

  it('takes each packet once, also out of order', () => {
    const { sent, opens } = setup();
    const [first, second, third] = [sent(10), sent(11), sent(12)];
    expect([third, first, first, second, third].map(opens)).toEqual([true, true, false, true, false]);
  });

  it('refuses a packet that is older than its window', () => {
    const { sent, opens } = setup();
    const [old, recent] = [sent(1), sent(2)];
    for (let sequence = 3; sequence <= 129; sequence++) expect(opens(sent(sequence))).toBe(true);
    expect(opens(recent)).toBe(true);
    expect(opens(old)).toBe(false);
  });

  it('follows the sequence number through several rounds, with loss and reordering at the turn', () => {
    const { sent, opens } = setup();
    for (let round = 0; round < 3; round++) {
      for (let sequence = 1000; sequence < 65_535; sequence += 5000) expect(opens(sent(sequence))).toBe(true);
      const last = sent(65_535);
      const next = sent(0);
      expect([next, last].map(opens)).toEqual([true, true]);
      expect(opens(next)).toBe(false);
    }
  });

  it.each([
    ['counts the rounds on', 3],
    ['begins with the first round', 0],
  ])('takes the packets of a far end that %s with a new key', (_, rounds) => {
    const { sent, receiver, opens } = setup();
    for (let round = 0; round < 3; round++)
      for (const sequence of [20_000, 40_000, 60_000]) expect(opens(sent(sequence))).toBe(true);
    const other = new Uint8Array(30).fill(3);
    const rekeyed = new SrtpSender(SUITES[0], other);
    for (let round = 0; round < rounds; round++)
      for (const sequence of [0, 60_000]) rekeyed.protectRtp(rtp(sequence));
    const next = new SrtpReceiver(SUITES[0], other, receiver);
    for (const sequence of [60_001, 60_002, 3, 4])
      expect(next.openRtp(rekeyed.protectRtp(rtp(sequence)).slice()) !== null).toBe(true);
    expect(next.openRtp(sent(60_003))).toBeNull();
  });

  it('takes a new key just after the turn of a round, and after two new keys', () => {
    const { sent, receiver, opens } = setup();
    for (const sequence of [40_000, 65_535]) expect(opens(sent(sequence))).toBe(true);
    const rekeyed = new SrtpSender(SUITES[1], MASTER);
    for (const sequence of [40_000, 65_535]) rekeyed.protectRtp(rtp(sequence));
    const unused = new SrtpReceiver(SUITES[0], new Uint8Array(30).fill(9), receiver);
    const next = new SrtpReceiver(SUITES[1], MASTER, unused);
    expect(next.openRtp(rekeyed.protectRtp(rtp(0)).slice())).not.toBeNull();
  });

  it('keeps the sources of one key apart, and at most 16 of them', () => {
    const { receiver } = setup();
    const openFrom = (ssrc: number): boolean =>
      receiver.openRtp(
        new SrtpSender(SUITES[0], MASTER).protectRtp(rtp(9, new Uint8Array(20), ssrc)).slice(),
      ) !== null;
    const first = Array.from({ length: 16 }, (_, at) => openFrom(at + 1));
    expect(first.every(Boolean)).toBe(true);
    expect(openFrom(17)).toBe(false);
    expect(openFrom(1)).toBe(false);
  });
});

describe('SRTCP', () => {
  it.each(SUITES)('with %s hides a report and has a tag of 80 bits', (suite) => {
    const { sender, receiver } = setup(suite);
    const sealed = sender.protectRtcp(rtcp()).slice();
    expect(sealed).toHaveLength(rtcp().length + 14);
    expect(sealed.subarray(8, rtcp().length)).not.toEqual(rtcp().subarray(8));
    const replay = sealed.slice();
    expect(receiver.openRtcp(sealed)).toEqual(rtcp());
    expect(receiver.openRtcp(replay)).toBeNull();
  });

  it('refuses a forged report and a plain one', () => {
    const { sender, receiver } = setup();
    const sealed = sender.protectRtcp(rtcp()).slice();
    sealed[9] = (sealed[9] ?? 0) ^ 1;
    expect(receiver.openRtcp(sealed)).toBeNull();
    expect(receiver.openRtcp(rtcp())).toBeNull();
    expect(receiver.openRtcp(new Uint8Array(5))).toBeNull();
  });
});

describe('the index of a packet', () => {
  it.each([
    ['the first packet starts the first round', -1, 65_530, 65_530],
    ['a later one', 10, 12, 12],
    ['the next round', 65_530, 3, 65_536 + 3],
    ['a late one of the round before', 65_536 + 3, 65_530, 65_530],
    ['nothing before the first round', 3, 65_530, null],
    ['nothing after the last round', 2 ** 48 - 2, 3, null],
  ])('%s', (_name, highest, sequence, index) => {
    expect(estimateIndex(highest, sequence)).toBe(index);
  });
});

describe('the replay window', () => {
  it('forgets what it has left behind after a long gap', () => {
    const window = new ReplayWindow();
    window.take(5);
    window.take(1000);
    expect(window.isNew(1000)).toBe(false);
    expect(window.isNew(1000 - 123)).toBe(true);
    expect(window.isNew(5)).toBe(false);
  });
});
