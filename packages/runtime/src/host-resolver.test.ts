import { describe, expect, it } from 'vitest';
import { ManualClock, systemClock } from './clock.ts';
import { HostResolver } from './host-resolver.ts';

function setup() {
  const clock = new ManualClock();
  const queries: string[] = [];
  const answers = new Map<string, PromiseWithResolvers<readonly [string, ...string[]]>>();
  const resolver = new HostResolver(clock, 4, (name) => {
    queries.push(name);
    if (name === 'nowhere') return Promise.reject(new Error('no such name'));
    if (name !== 'slow') return Promise.resolve(['192.0.2.1', '192.0.2.7']);
    const answer = Promise.withResolvers<readonly [string, ...string[]]>();
    answers.set(name, answer);
    return answer.promise;
  });
  return { clock, queries, resolver, answers };
}

describe('the address of a host', () => {
  it('is the host itself if that is an address', async () => {
    const { resolver, queries } = setup();
    expect(await resolver.resolve('10.0.0.1')).toBe('10.0.0.1');
    expect(resolver.known('2001:db8::1')).toBe('2001:db8::1');
    expect(queries).toEqual([]);
  });

  it('is the first of several, all of which are available', async () => {
    const { resolver, queries } = setup();
    expect(await resolver.resolve('trunk')).toBe('192.0.2.1');
    expect(await resolver.resolveAll('trunk')).toEqual(['192.0.2.1', '192.0.2.7']);
    expect(await resolver.resolveAll('10.0.0.1')).toEqual(['10.0.0.1']);
    expect(queries).toEqual(['trunk']);
  });

  it('is looked up once a minute', async () => {
    const { resolver, queries, clock } = setup();
    expect(resolver.known('trunk')).toBeNull();
    await resolver.resolve('trunk');
    await resolver.resolve('trunk');
    expect(resolver.known('trunk')).toBe('192.0.2.1');
    clock.advance(60_001);
    expect(resolver.known('trunk')).toBeNull();
    await resolver.resolve('trunk');
    expect(queries).toEqual(['trunk', 'trunk']);
  });

  it('is looked up once for concurrent calls', async () => {
    const { resolver, queries, answers } = setup();
    const both = [resolver.resolve('slow'), resolver.resolve('slow')];
    answers.get('slow')?.resolve(['192.0.2.2']);
    expect(await Promise.all(both)).toEqual(['192.0.2.2', '192.0.2.2']);
    expect(queries).toEqual(['slow']);
  });

  it('fails after four seconds, which delays no other name', async () => {
    const { resolver, clock } = setup();
    const slow = resolver.resolve('slow');
    expect(await resolver.resolve('trunk')).toBe('192.0.2.1');
    clock.advance(4000);
    await expect(slow).rejects.toThrow();
  });

  it('is an error without one, which is cached for five seconds', async () => {
    const { resolver, queries, clock } = setup();
    await expect(resolver.resolve('nowhere')).rejects.toThrow('no such name');
    await expect(resolver.resolve('nowhere')).rejects.toThrow('no such name');
    expect(queries).toEqual(['nowhere']);
    clock.advance(5001);
    await expect(resolver.resolve('nowhere')).rejects.toThrow('no such name');
    expect(queries).toEqual(['nowhere', 'nowhere']);
  });

  it.each(['localhost', 'LOCALHOST', 'phones.localhost'])('is the loopback address for %s', async (name) => {
    expect(await new HostResolver(systemClock, 4).resolve(name)).toBe('127.0.0.1');
    expect(await new HostResolver(systemClock, 6).resolve(name)).toBe('::1');
  });
});
