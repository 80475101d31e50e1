/** A registration whose registrar has two servers, or another host, in virtual time. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  OTHER_HOST,
  OUR_CONTACT,
  VirtualEndpoint,
  type VirtualOptions,
} from './registrar/virtual-endpoint.ts';

const endpoints: VirtualEndpoint[] = [];

function setup(options: VirtualOptions = {}): VirtualEndpoint {
  const endpoint = new VirtualEndpoint(options);
  endpoints.push(endpoint);
  return endpoint;
}

afterEach(() => {
  for (const endpoint of endpoints.splice(0)) {
    expect([...endpoint.registrar.problems, ...endpoint.second.problems]).toEqual([]);
    expect(endpoint.faults).toEqual([]);
  }
});

describe('a registration with two servers', () => {
  it('goes to the second while the first does not answer, and stays there without a lapse', async () => {
    const endpoint = setup({ hasSecond: true });
    endpoint.registrar.isDown = true;
    const registration = endpoint.register({ expiresSeconds: 60 });
    await endpoint.until(registration, 'registered');
    for (let looks = 0; looks < 720; looks += 1) {
      await endpoint.advance(5_000);
      expect(endpoint.second.contacts()).toEqual([OUR_CONTACT]);
    }
    expect(endpoint.statuses.map(({ state }) => state)).not.toContain('failed');
  });

  it('goes back to the first when the second no longer answers', async () => {
    const endpoint = setup({ hasSecond: true });
    endpoint.registrar.isDown = true;
    const registration = endpoint.register();
    await endpoint.until(registration, 'registered');
    [endpoint.registrar.isDown, endpoint.second.isDown] = [false, true];
    await endpoint.advance(310_000);
    expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
    expect(registration.status).toMatchObject({ state: 'registered', statusCode: 200 });
  });

  it('goes to the second after 503, and to neither after a refusal', async () => {
    const endpoint = setup({ hasSecond: true });
    endpoint.registrar.script.push({ status: 503 });
    await endpoint.until(endpoint.register(), 'registered');
    expect(endpoint.second.contacts()).toEqual([OUR_CONTACT]);
    const refused = setup({ hasSecond: true });
    refused.registrar.script.push({ status: 403 });
    await refused.until(refused.register(), 'failed');
    expect(refused.second.exchanges).toEqual([]);
  });

  it('registers at another host, with the name of that host, when the first does not answer', async () => {
    const endpoint = setup();
    endpoint.registrar.isDown = true;
    const registrar = {
      host: 'registrar.test',
      port: 5060,
      transport: 'udp',
      otherHosts: [OTHER_HOST],
    } as const;
    const registration = endpoint.register({ registrar });
    await endpoint.until(registration, 'registered');
    expect(endpoint.second.contacts()).toEqual([OUR_CONTACT]);
    const [request] = endpoint.sent.filter(({ text }) => text.startsWith('REGISTER sip:other.test '));
    expect(request?.text).toMatch(/\r\nTo: <sip:alice@other\.test>\r\n/);
    expect(new Set(endpoint.second.exchanges.map(({ callId }) => callId)).size).toBe(1);
    const stopped = registration.stop();
    await endpoint.advance(2_100);
    await stopped;
    expect(endpoint.second.contacts()).toEqual([]);
  });

  it('leaves the server that holds its Contact', async () => {
    const endpoint = setup({ hasSecond: true });
    endpoint.registrar.isDown = true;
    const registration = endpoint.register();
    await endpoint.until(registration, 'registered');
    const stopped = registration.stop();
    await endpoint.advance(2_100);
    await stopped;
    expect(endpoint.second.contacts()).toEqual([]);
    expect(registration.status).toMatchObject({ state: 'stopped', lastError: null });
  });
});
