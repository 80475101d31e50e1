import { describe, expect, test } from 'vitest';
import { SourceLatch } from './source-latch.ts';

function setup() {
  const latch = new SourceLatch();
  latch.reset({ host: '10.0.0.1', port: 4000 });
  const heard = (times: number, host: string, port: number): number =>
    Array.from({ length: times }, () => latch.accepts(host, port)).filter(Boolean).length;
  return { latch, heard };
}

describe('source latch', () => {
  test('the negotiated address is accepted from its first packet on', () => {
    const { heard } = setup();
    expect(heard(1, '10.0.0.1', 4000)).toBe(1);
  });

  test('once the negotiated address has sent, no other source is accepted', () => {
    const { heard } = setup();
    heard(1, '10.0.0.1', 4000);
    expect(heard(1000, '10.0.0.1', 4002)).toBe(0);
    expect(heard(1000, '10.6.6.6', 4000)).toBe(0);
  });

  test('a translated source is heard after it alone has sent for a while, and becomes the target', () => {
    const { latch, heard } = setup();
    expect(heard(9, '192.0.2.7', 1024)).toBe(0);
    expect(latch.target).toEqual({ host: '10.0.0.1', port: 4000 });
    expect(heard(1, '192.0.2.7', 1024)).toBe(1);
    expect(latch.target).toEqual({ host: '192.0.2.7', port: 1024 });
  });

  test('another port of the negotiated host needs a shorter trial', () => {
    const { heard } = setup();
    expect(heard(5, '10.0.0.1', 9000)).toBe(1);
  });

  test('two strangers who take turns are never heard', () => {
    const { heard } = setup();
    let count = 0;
    for (let i = 0; i < 100; i++) count += heard(1, '192.0.2.7', 1) + heard(1, '192.0.2.8', 1);
    expect(count).toBe(0);
  });

  test('the negotiated address takes over from a stranger who was believed', () => {
    const { latch, heard } = setup();
    heard(10, '192.0.2.7', 1024);
    expect(heard(1, '10.0.0.1', 4000)).toBe(1);
    expect(heard(50, '192.0.2.7', 1024)).toBe(0);
    expect(latch.target).toEqual({ host: '10.0.0.1', port: 4000 });
  });

  test('after a new negotiation the old source is a stranger', () => {
    const { latch, heard } = setup();
    heard(1, '10.0.0.1', 4000);
    latch.reset({ host: '10.0.0.2', port: 5000 });
    expect(latch.target).toEqual({ host: '10.0.0.2', port: 5000 });
    expect(heard(1, '10.0.0.1', 4000)).toBe(0);
    expect(heard(1, '10.0.0.2', 5000)).toBe(1);
  });
});
