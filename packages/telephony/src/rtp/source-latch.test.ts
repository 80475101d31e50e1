import { describe, expect, test } from 'vitest';
import { SourceLatch } from './source-latch.ts';

const PHONE = '10.0.0.1';
const SIGNALLING = '198.51.100.7';
const STRANGER = '192.0.2.7';

function setup(signallingHost: string | undefined = SIGNALLING) {
  const latch = new SourceLatch();
  latch.reset({ host: PHONE, port: 4000, signallingHost });
  const accepted = (times: number, host: string, port: number): number =>
    Array.from({ length: times }, () => latch.accepts(host, port)).filter(Boolean).length;
  const pass = (frames: number): void => {
    for (let i = 0; i < frames; i++) latch.tick();
  };
  return { latch, accepted, pass };
}

describe('source latch', () => {
  test('the negotiated address is accepted from its first packet on, however late', () => {
    const { accepted, pass } = setup();
    pass(10_000);
    expect(accepted(1, PHONE, 4000)).toBe(1);
  });

  test.each([
    [PHONE, 4002],
    [SIGNALLING, 4000],
    [STRANGER, 4000],
  ])('once the negotiated address has sent, %s:%i is not accepted', (host, port) => {
    const { accepted } = setup();
    accepted(1, PHONE, 4000);
    expect(accepted(1000, host, port)).toBe(0);
  });

  test.each([
    [PHONE, 9000],
    [SIGNALLING, 1024],
  ])('%s:%i is learned from its fifth packet on, and becomes the target', (host, port) => {
    const { latch, accepted } = setup();
    expect(accepted(4, host, port)).toBe(0);
    expect(latch.target).toMatchObject({ host: PHONE, port: 4000 });
    expect(accepted(1, host, port)).toBe(1);
    expect(latch.target).toEqual({ host, port });
  });

  test('a host that the signalling does not name is never learned', () => {
    const { latch, accepted } = setup();
    expect(accepted(1000, STRANGER, 4000)).toBe(0);
    expect(latch.target).toMatchObject({ host: PHONE, port: 4000 });
    expect(accepted(5, PHONE, 4000)).toBe(5);
  });

  test('nothing is learned later than ten seconds after the negotiation', () => {
    const { accepted, pass } = setup();
    pass(500);
    expect(accepted(1000, SIGNALLING, 1024)).toBe(0);
    expect(accepted(1000, PHONE, 9000)).toBe(0);
  });

  test('two sources that take turns are never learned', () => {
    const { accepted } = setup();
    let count = 0;
    for (let i = 0; i < 100; i++) count += accepted(1, SIGNALLING, 1) + accepted(1, SIGNALLING, 2);
    expect(count).toBe(0);
  });

  test('after a source was learned, no packet moves the call to another host', () => {
    const { latch, accepted } = setup();
    accepted(5, SIGNALLING, 1024);
    expect(accepted(50, PHONE, 4000)).toBe(0);
    expect(accepted(50, STRANGER, 4000)).toBe(0);
    expect(latch.target).toEqual({ host: SIGNALLING, port: 1024 });
  });

  test('the negotiated port takes over from a learned one of the same host', () => {
    const { latch, accepted } = setup();
    accepted(5, PHONE, 9000);
    expect(accepted(1, PHONE, 4000)).toBe(1);
    expect(accepted(50, PHONE, 9000)).toBe(0);
    expect(latch.target).toEqual({ host: PHONE, port: 4000 });
  });

  test('another port of the accepted host is learned once the accepted port has been quiet for a second', () => {
    const { latch, accepted, pass } = setup();
    accepted(5, SIGNALLING, 1024);
    pass(49);
    expect(accepted(50, SIGNALLING, 2048)).toBe(0);
    pass(1);
    expect(accepted(50, STRANGER, 1024)).toBe(0);
    expect(accepted(50, PHONE, 9000)).toBe(0);
    expect(accepted(5, SIGNALLING, 2048)).toBe(1);
    expect(latch.target).toEqual({ host: SIGNALLING, port: 2048 });
    expect(accepted(50, SIGNALLING, 1024)).toBe(0);
  });

  test('while the accepted port sends, no other port of its host replaces it', () => {
    const { latch, accepted, pass } = setup();
    for (let frame = 0; frame < 500; frame++) {
      pass(1);
      expect(accepted(1, PHONE, 4000)).toBe(1);
      expect(accepted(5, PHONE, 9000)).toBe(0);
    }
    expect(latch.target).toEqual({ host: PHONE, port: 4000 });
  });

  test('a new negotiation starts over', () => {
    const { latch, accepted } = setup();
    accepted(1, PHONE, 4000);
    latch.reset({ host: '10.0.0.2', port: 5000 });
    expect(latch.target).toEqual({ host: '10.0.0.2', port: 5000 });
    expect(accepted(100, PHONE, 4000)).toBe(0);
    expect(accepted(1, '10.0.0.2', 5000)).toBe(1);
  });
});
