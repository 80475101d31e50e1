/** Connectivity checks by the test vector of RFC 5769 and by what strangers send. */
import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { IceLite } from './ice-lite.ts';
import { readConnectivityCheck, writeCheckResponse } from './stun-message.ts';

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));

const BROWSER = { host: '192.0.2.1', port: 32_853 };

interface CheckParts {
  username: string;
  password: string;
  isNominating?: boolean;
  extra?: [type: number, value: Uint8Array][];
}

/** A Binding request as a browser sends it. */
function check({ username, password, isNominating = true, extra = [] }: CheckParts): Uint8Array {
  const attribute = (type: number, value: Uint8Array): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt16BE(type, 0);
    head.writeUInt16BE(value.length, 2);
    return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
  };
  const header = Buffer.from('000100002112a442000102030405060708090a0b', 'hex');
  const parts = [
    attribute(0x00_06, Buffer.from(username)),
    attribute(0x80_2a, new Uint8Array(8).fill(7)),
    ...(isNominating ? [attribute(0x00_25, new Uint8Array(0))] : []),
    attribute(0x00_24, new Uint8Array(4).fill(1)),
    ...extra.map(([type, value]) => attribute(type, value)),
  ];
  let message = Buffer.concat([header, ...parts]);
  message.writeUInt16BE(message.length - 20 + 24, 2);
  const integrity = createHmac('sha1', password).update(message).digest();
  message = Buffer.concat([message, attribute(0x00_08, integrity)]);
  message.writeUInt16BE(message.length - 20 + 8, 2);
  const fingerprint = Buffer.alloc(4);
  fingerprint.writeUInt32BE((crc32(message) ^ 0x53_54_55_4e) >>> 0);
  return new Uint8Array(Buffer.concat([message, attribute(0x80_28, fingerprint)]));
}

function setup() {
  const ice = new IceLite('abcd');
  const good = (isNominating = true): Uint8Array =>
    check({ username: `${ice.usernameFragment}:abcd`, password: ice.password, isNominating });
  return { ice, good };
}

describe('STUN messages', () => {
  it('RFC 5769 section 2.1: the request of a controlled agent is not answered', () => {
    const request = hex(`
      00010058 2112a442 b7e7a701bc34d686fa87dfae
      80220010 5354554e207465737420636c69656e74
      00240004 6e0001ff
      80290008 932ff9b151263b36
      00060009 6576746a3a68367659202020
      00080014 9aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a2
      80280004 e57a3bcf`);
    const keys = { username: 'evtj:h6vY', password: 'VOkJxbRl1RmTxUk/WvJxBt' };
    // It has ICE-CONTROLLED, which RFC 8445 section 6.1.1 does not allow to an agent that faces a lite one.
    expect(readConnectivityCheck(request, keys)).toBeNull();
  });

  it('RFC 5769 section 2.2: the response has the address, the integrity and the fingerprint of the example', () => {
    const written = writeCheckResponse(hex('b7e7a701bc34d686fa87dfae'), BROWSER, 'VOkJxbRl1RmTxUk/WvJxBt');
    expect(Buffer.from(written).toString('hex')).toContain('002000080001a147e112a643');
  });

  it('an IPv6 address is XORed with the transaction id too (RFC 5769 section 2.3)', () => {
    const from = { host: '2001:db8:1234:5678:11:2233:4455:6677', port: 32_853 };
    const written = writeCheckResponse(hex('b7e7a701bc34d686fa87dfae'), from, 'x');
    expect(Buffer.from(written).toString('hex')).toContain(
      '002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9',
    );
  });

  it('an IPv4 address on a socket of both families is written as IPv4', () => {
    const written = writeCheckResponse(new Uint8Array(12), { host: '::ffff:192.0.2.1', port: 1 }, 'x');
    expect(written[25]).toBe(1);
  });
});

describe('the lite agent', () => {
  it('answers a check with the password of the call, and uses the address once it is nominated', () => {
    const { ice, good } = setup();
    expect(ice.check(good(false), BROWSER, 0)).toMatchObject({ isNominating: false });
    expect(ice.isNominated(BROWSER)).toBe(false);
    const answer = ice.check(good(), BROWSER, 0);
    expect(answer?.isNominating).toBe(true);
    expect(ice.isNominated(BROWSER)).toBe(true);
    expect(ice.isNominated({ ...BROWSER, port: 1 })).toBe(false);
    // No longer than what it answers: strangers gain nothing by forging the sender.
    expect(answer?.response.length).toBeLessThanOrEqual(good().length);
  });

  it('does not answer another password or user name, a changed byte, or unknown mandatory attributes', () => {
    const { ice, good } = setup();
    const username = `${ice.usernameFragment}:abcd`;
    const bad = [
      check({ username, password: 'other' }),
      check({ username: 'other:abcd', password: ice.password }),
      check({ username: ice.usernameFragment, password: ice.password }),
      check({ username, password: ice.password, extra: [[0x7f_ff, new Uint8Array(4)]] }),
    ];
    for (const request of bad) expect(ice.check(request, BROWSER, 0)).toBeNull();
    for (let at = 0; at < good().length; at++) {
      const changed = good();
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(ice.check(changed, BROWSER, at * 1000), `byte ${at}`).toBeNull();
    }
    expect(ice.isNominated(BROWSER)).toBe(false);
  });

  it('never throws, whatever the bytes are', () => {
    const { ice, good } = setup();
    for (let length = 0; length <= good().length; length++) {
      ice.check(good().subarray(0, length), BROWSER, 0);
      ice.check(new Uint8Array(length).fill(length), BROWSER, 0);
    }
    expect(ice.check(new Uint8Array(60_000), BROWSER, 0)).toBeNull();
  });

  it('answers 50 checks in a second, and 16 addresses', () => {
    const { ice, good } = setup();
    const answers = Array.from({ length: 60 }, () => ice.check(good(), BROWSER, 0) !== null);
    expect(answers.filter(Boolean)).toHaveLength(50);
    expect(ice.check(good(), BROWSER, 1000)).not.toBeNull();
    const ports = Array.from({ length: 20 }, (_, n) => ice.check(good(), { ...BROWSER, port: n + 1 }, 2000));
    expect(ports.filter((answer) => answer !== null)).toHaveLength(15);
  });
});
