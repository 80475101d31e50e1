import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import { HostResolver } from './host-resolver.ts';

function setup() {
  const clock = new ManualClock();
  const asked: string[] = [];
  const resolver = new HostResolver(clock, async (name) => {
    asked.push(name);
    if (name === 'nowhere') throw new Error('no such name');
    return '192.0.2.1';
  });
  return { clock, asked, resolver };
}

describe('the address of a host', () => {
  it('is the host itself if that is an address', async () => {
    const { resolver, asked } = setup();
    expect(await resolver.resolve('10.0.0.1')).toBe('10.0.0.1');
    expect(resolver.known('2001:db8::1')).toBe('2001:db8::1');
    expect(asked).toEqual([]);
  });

  it('is looked up once a minute', async () => {
    const { resolver, asked, clock } = setup();
    expect(resolver.known('trunk')).toBeNull();
    await resolver.resolve('trunk');
    await resolver.resolve('trunk');
    expect(resolver.known('trunk')).toBe('192.0.2.1');
    clock.advance(60_001);
    expect(resolver.known('trunk')).toBeNull();
    await resolver.resolve('trunk');
    expect(asked).toEqual(['trunk', 'trunk']);
  });

  it('is an error without one', async () => {
    await expect(setup().resolver.resolve('nowhere')).rejects.toThrow('no such name');
  });
});
