/**
 * Our endpoint registers at a real kamailio, which then sends calls to it.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { isInstalled, startRegistrar, type RegistrarSettings } from '@parley/testkit';
import type { Registration } from '../../src/sip/registration.ts';
import type { RegistrationRequest, RegistrationStatus } from '../../src/sip/registration-request.ts';
import { answerCall } from '../answer-call.ts';
import { TestEndpoint } from './test-endpoint.ts';

const hasKamailio = isInstalled('kamailio');
const HOST = '127.0.0.1';
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** An endpoint that answers every call and has begun to register. */
async function setup(
  settings: Partial<RegistrarSettings> = {},
  account: Partial<RegistrationRequest> & { transport?: 'udp' | 'tcp' } = {},
) {
  const received: string[] = [];
  const statuses: RegistrationStatus[] = [];
  const testEndpoint = await TestEndpoint.open(answerCall, (direction, bytes) => {
    if (direction === 'in') received.push(Buffer.from(bytes).toString('latin1'));
  });
  closers.push(() => testEndpoint.close());
  const kamailio = await startRegistrar(testEndpoint.folder, {
    algorithm: 'MD5',
    password: 'secret',
    maxExpires: 3600,
    nonceExpire: 300,
    ...settings,
  });
  closers.push(() => kamailio.stop());
  const { transport = 'udp', ...request } = account;
  const registration = testEndpoint.endpoint.register({
    registrar: { host: HOST, port: kamailio.port, transport },
    username: 'alice',
    password: 'secret',
    onChange: (status) => statuses.push(status),
    ...request,
  });
  return { testEndpoint, kamailio, registration, received, statuses };
}

async function until(registration: Registration, state: RegistrationStatus['state']): Promise<void> {
  await expect.poll(() => registration.status.state).toBe(state);
}

/** Calls the registered account through kamailio. */
async function callAlice(port: number): Promise<{ events: string[]; sipStatus: number | null }> {
  const caller = await TestEndpoint.open();
  closers.push(() => caller.close());
  const { leg, events } = caller.dial({ host: HOST, port, transport: 'udp' }, { to: 'alice' });
  const first = await Promise.race([events.next('answered'), events.next('ended')]);
  if (first.type === 'answered') await leg.hangUp();
  const { sipStatus = null } = await events.end();
  return { events: events.types(), sipStatus };
}

describe.skipIf(!hasKamailio)('against kamailio', () => {
  it.each([
    ['udp', 'MD5'],
    ['tcp', 'SHA-256'],
  ] as const)('registers over %s with %s, takes a call, and leaves', async (transport, algorithm) => {
    const { testEndpoint, kamailio, registration } = await setup({ algorithm }, { transport });
    await until(registration, 'registered');
    expect(registration.status).toMatchObject({ statusCode: 200, lastError: null });
    const { events } = await callAlice(kamailio.port);
    expect(events).toContain('answered');
    expect(testEndpoint.received[0]?.leg.to).toBe('alice');
    await registration.stop();
    expect(registration.status).toEqual({
      state: 'stopped',
      expiresAt: null,
      lastError: null,
      statusCode: 200,
    });
    expect(await callAlice(kamailio.port)).toMatchObject({ sipStatus: 404 });
  });

  it('keeps a short registration, with nonces that are stale at each refresh', async () => {
    const settings = { maxExpires: 3, nonceExpire: 1 };
    const { registration, received, statuses } = await setup(settings);
    await until(registration, 'registered');
    await expect.poll(() => statuses.length).toBeGreaterThan(3);
    expect(new Set(statuses.map(({ state }) => state))).toEqual(new Set(['registered']));
    expect(received.filter((text) => text.includes('stale=true')).length).toBeGreaterThan(1);
  });

  it('is refused with a wrong password', async () => {
    const { registration } = await setup({}, { password: 'wrong' });
    await until(registration, 'failed');
    expect(registration.status).toMatchObject({
      statusCode: 401,
      lastError: 'The registrar does not accept the user name or the password',
    });
  });

  it('is refused for the account of another', async () => {
    const { registration } = await setup({}, { user: 'bob' });
    await until(registration, 'failed');
    expect(registration.status).toMatchObject({
      statusCode: 403,
      lastError: 'The registrar refuses the registration: 403 Forbidden',
    });
  });

  it('leaves when its endpoint stops', async () => {
    const { testEndpoint, kamailio, registration } = await setup();
    await until(registration, 'registered');
    await testEndpoint.endpoint.stop();
    expect(registration.status.state).toBe('stopped');
    expect(await callAlice(kamailio.port)).toMatchObject({ sipStatus: 404 });
  });

  it('fails when kamailio is gone', async () => {
    const { kamailio, registration } = await setup({ maxExpires: 2 }, { transport: 'tcp' });
    await until(registration, 'registered');
    await kamailio.stop();
    await until(registration, 'failed');
    expect(registration.status.statusCode).toBeNull();
  });
});
