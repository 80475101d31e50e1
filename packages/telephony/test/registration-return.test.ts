/** A registration that has failed over returns to the server that is preferred, in virtual time. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Registration } from '../src/sip/registration.ts';
import {
  OTHER_HOST,
  OUR_CONTACT,
  VirtualEndpoint,
  type VirtualOptions,
} from './registrar/virtual-endpoint.ts';

const endpoints: VirtualEndpoint[] = [];
const REGISTRAR = { host: 'registrar.test', port: 5060, transport: 'udp', otherHosts: [OTHER_HOST] } as const;
const MINUTE_MS = 60_000;

/** Registered at the second server, because the first one is down. */
async function failOver(
  options: VirtualOptions = {},
  expiresSeconds = 300,
): Promise<{ endpoint: VirtualEndpoint; registration: Registration }> {
  const endpoint = new VirtualEndpoint(options);
  endpoints.push(endpoint);
  endpoint.registrar.isDown = true;
  const hosts = options.hasSecond ? {} : { registrar: REGISTRAR };
  const registration = endpoint.register({ ...hosts, expiresSeconds });
  await endpoint.until(registration, 'registered');
  expect(endpoint.second.contacts()).toEqual([OUR_CONTACT]);
  return { endpoint, registration };
}

/** At no instant may both servers be without our Contact. */
async function advanceHeld(endpoint: VirtualEndpoint, byMs: number): Promise<void> {
  for (let leftMs = byMs; leftMs > 0; leftMs -= 500) {
    await endpoint.advance(500);
    expect([...endpoint.registrar.contacts(), ...endpoint.second.contacts()]).toContain(OUR_CONTACT);
  }
}

/** When REGISTERs were sent to this domain for the first time, milliseconds. */
function attempts(endpoint: VirtualEndpoint, host: string): number[] {
  const firstTimes = new Map<string, number>();
  for (const { atMs, text } of endpoint.sent) {
    const sequence = /^CSeq: .*$/m.exec(text)?.[0] ?? '';
    if (text.startsWith(`REGISTER sip:${host} `) && !firstTimes.has(sequence)) firstTimes.set(sequence, atMs);
  }
  return [...firstTimes.values()];
}

afterEach(() => {
  for (const endpoint of endpoints.splice(0)) {
    expect([...endpoint.registrar.problems, ...endpoint.second.problems]).toEqual([]);
    expect(endpoint.faults).toEqual([]);
  }
});

describe('a registration that has failed over', () => {
  it('returns to the first host when it answers again, without a gap, and leaves the other one', async () => {
    const { endpoint, registration } = await failOver();
    await advanceHeld(endpoint, 10 * MINUTE_MS);
    endpoint.registrar.isDown = false;
    await advanceHeld(endpoint, 6 * MINUTE_MS);
    expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
    await advanceHeld(endpoint, 6 * MINUTE_MS);
    expect(endpoint.second.contacts()).toEqual([]);
    expect(registration.status).toMatchObject({ state: 'registered', lastError: null, statusCode: 200 });
    expect(endpoint.statuses.map(({ state }) => state)).not.toContain('failed');
  });

  it('asks a first host that stays silent with back-off, and refreshes in time meanwhile', async () => {
    const { endpoint } = await failOver({}, 60);
    const startMs = endpoint.clock.monotonic();
    await advanceHeld(endpoint, 60 * MINUTE_MS);
    const times = attempts(endpoint, 'registrar.test').filter((time) => time > startMs);
    expect(times.length).toBeGreaterThan(10);
    expect(times.length).toBeLessThan(30);
    expect(endpoint.statuses.map(({ state }) => state)).not.toContain('failed');
  });

  it.each([403, 503])('stays registered while the first host answers %i', async (status) => {
    const { endpoint, registration } = await failOver();
    endpoint.registrar.isDown = false;
    endpoint.registrar.script.push(...Array.from({ length: 50 }, () => ({ status })));
    await advanceHeld(endpoint, 20 * MINUTE_MS);
    expect(endpoint.registrar.exchanges.some((exchange) => exchange.status === status)).toBe(true);
    expect(endpoint.second.contacts()).toEqual([OUR_CONTACT]);
    expect(registration.status).toMatchObject({ state: 'registered', lastError: null, statusCode: 200 });
    endpoint.registrar.script.length = 0;
    await advanceHeld(endpoint, 6 * MINUTE_MS);
    expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
  });

  it('returns with the shortest times that a registrar grants', async () => {
    const { endpoint } = await failOver({}, 2);
    endpoint.registrar.isDown = false;
    await endpoint.advance(2 * MINUTE_MS);
    expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
    expect(endpoint.second.contacts()).toEqual([]);
  });

  it('asks for as much time as the first host wants', async () => {
    const { endpoint } = await failOver();
    endpoint.registrar.isDown = false;
    endpoint.registrar.minSeconds = 600;
    await advanceHeld(endpoint, 2 * MINUTE_MS);
    expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
  });

  it('returns to a server of a better priority, and not to one of the same', async () => {
    const better = await failOver({ hasSecond: true, secondPriority: 20 });
    const same = await failOver({ hasSecond: true });
    for (const { endpoint } of [better, same]) endpoint.registrar.isDown = false;
    await advanceHeld(better.endpoint, 11 * MINUTE_MS);
    await advanceHeld(same.endpoint, 11 * MINUTE_MS);
    expect(better.endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
    expect(better.endpoint.second.contacts()).toEqual([]);
    expect(same.endpoint.registrar.exchanges).toEqual([]);
  });

  it('fails over again, and returns again', async () => {
    const { endpoint } = await failOver();
    for (let turn = 0; turn < 3; turn += 1) {
      endpoint.registrar.isDown = false;
      await endpoint.advance(6 * MINUTE_MS);
      expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
      endpoint.registrar.isDown = true;
      await endpoint.advance(6 * MINUTE_MS);
      expect(endpoint.second.contacts()).toEqual([OUR_CONTACT]);
    }
  });

  it('leaves both servers when it stops after its return', async () => {
    const { endpoint, registration } = await failOver({}, 3600);
    endpoint.registrar.isDown = false;
    await endpoint.advance(2 * MINUTE_MS);
    expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
    expect(endpoint.second.contacts()).toEqual([OUR_CONTACT]);
    const stopped = registration.stop();
    await endpoint.advance(1_000);
    await stopped;
    expect([...endpoint.registrar.contacts(), ...endpoint.second.contacts()]).toEqual([]);
    expect(registration.status).toMatchObject({ state: 'stopped', lastError: null, expiresAt: null });
  });

  it('stops at once while it asks the first host', async () => {
    const { endpoint, registration } = await failOver();
    const before = attempts(endpoint, 'registrar.test').length;
    for (let looks = 0; looks < 400 && attempts(endpoint, 'registrar.test').length === before; looks += 1)
      await endpoint.advance(500);
    expect(attempts(endpoint, 'registrar.test')).toHaveLength(before + 1);
    const stopped = registration.stop();
    await endpoint.advance(2_100);
    await stopped;
    expect(endpoint.second.contacts()).toEqual([]);
    expect(registration.status).toMatchObject({ state: 'stopped', lastError: null });
    const sent = endpoint.sent.length;
    await endpoint.advance(10 * MINUTE_MS);
    expect(endpoint.sent).toHaveLength(sent);
  });
});
