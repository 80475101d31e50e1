/** Registrations of a real endpoint, over UDP. In virtual time and with faults: `test/registration.test.ts`. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog, systemClock } from '@parley/runtime';
import { RegistrarSimulator } from '../../test/registrar/registrar-simulator.ts';
import { SilentMediaFactory } from '../../test/silent-media.ts';
import { FakeEndpoint } from '../fakes/index.ts';
import { createSipEndpoint } from './sip-endpoint.ts';
import type { SipEndpointOptions } from './sip-endpoint-options.ts';

const HOST = '127.0.0.1';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function createEndpoint(options: Partial<SipEndpointOptions> = {}) {
  const endpoint = createSipEndpoint({
    clock: systemClock,
    log: silentLog,
    listen: { host: HOST, port: 0 },
    userAgent: 'Test',
    media: new SilentMediaFactory(),
    ...options,
  });
  closers.push(() => endpoint.stop());
  return endpoint;
}

async function startRegistrar() {
  const socket = createSocket('udp4');
  socket.bind(0, HOST);
  await once(socket, 'listening');
  closers.push(() => socket.close());
  const { port } = socket.address();
  const registrar = new RegistrarSimulator({
    nowMs: () => systemClock.monotonic(),
    uri: `sip:${HOST}:${port}`,
  });
  socket.on('message', (bytes, remote) => {
    const answer = registrar.receive(bytes);
    if (answer) socket.send(answer, remote.port, remote.address);
  });
  const request = {
    registrar: { host: HOST, port, transport: 'udp' },
    username: 'alice',
    password: 'secret',
  } as const;
  return { registrar, request };
}

describe('the registrations of an endpoint', () => {
  it('name its address, and end with it', async () => {
    const { registrar, request } = await startRegistrar();
    const endpoint = createEndpoint();
    await endpoint.start();
    const registration = endpoint.register(request);
    await expect.poll(() => registration.status.state).toBe('registered');
    expect(registrar.contacts()).toEqual([`sip:alice@${HOST}:${endpoint.address().port}`]);
    await endpoint.stop();
    expect(registration.status).toMatchObject({ state: 'stopped', expiresAt: null, lastError: null });
    expect(registrar.contacts()).toEqual([]);
    expect(registrar.problems).toEqual([]);
  });

  it('need an endpoint that is started', async () => {
    const { request } = await startRegistrar();
    expect(() => createEndpoint().register(request)).toThrow('not started');
  });

  it('send nothing to an address that trunks may not have', async () => {
    const { registrar, request } = await startRegistrar();
    const endpoint = createEndpoint({ allowPrivateTrunks: 'none' });
    await endpoint.start();
    const registration = endpoint.register(request);
    await expect.poll(() => registration.status.state).toBe('failed');
    expect(registration.status.lastError).toContain('not allowed');
    expect(registrar.exchanges).toEqual([]);
    const trusted = endpoint.register({ ...request, registrar: { ...request.registrar, isTrusted: true } });
    await expect.poll(() => trusted.status.state).toBe('registered');
  });

  it('of a fake endpoint are granted, and refreshed by its clock', async () => {
    const endpoint = new FakeEndpoint();
    const { request } = await startRegistrar();
    const registration = endpoint.register(request);
    await expect.poll(() => registration.status.state).toBe('registered');
    endpoint.registerOutcome = { by: 'response', status: 403, reason: 'Forbidden', retryAfterSeconds: null };
    await endpoint.registrationClock.advanceAsync(300_000, 1000);
    expect(registration.status).toMatchObject({ state: 'failed', statusCode: 403 });
    expect(endpoint.registered).toEqual([request]);
  });
});
