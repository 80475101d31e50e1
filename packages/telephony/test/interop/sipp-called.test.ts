/**
 * Calls that we place to sipp, which sends requests of its own: from a single endpoint, and from two behind a front, to the Contact of
 * the endpoint and to the front.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort, isInstalled, waitForTcp } from '@parley/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import * as scenarios from './called-scenarios.ts';
import { TestEndpoint } from './test-endpoint.ts';

const HOST = '127.0.0.1';
const testLines: TestEndpoint[] = [];
afterEach(async () => {
  await Promise.all(testLines.splice(0).map((testEndpoint) => testEndpoint.close()));
});

interface Place {
  place: string;
  isFleet: boolean;
  transport: 'udp' | 'tcp';
  /** The far end sends its requests to the front. */
  isThroughFront?: boolean;
}

/** Calls sipp, which acts as the scenario says. */
async function call(
  { isFleet, transport, isThroughFront = false }: Place,
  scenario: (front: number | null) => string,
  ringTimeoutMs = 10_000,
) {
  const home = await TestEndpoint.open(undefined, undefined, { isFleet });
  testLines.push(home);
  const [port, mediaPort] = [await freePort(), await freePort()];
  const file = path.join(home.folder, 'scenario.xml');
  await writeFile(file, scenario(isThroughFront ? home.address().port : null));
  const where = ['-i', HOST, '-p', `${port}`, '-mp', `${mediaPort}`, '-t', transport === 'udp' ? 'u1' : 't1'];
  const sipp = home.run('sipp', [...where, '-nostdin', '-trace_err', '-sf', file, '-m', '1']);
  if (transport === 'tcp') await waitForTcp(port);
  return { sipp, ...home.dial({ host: HOST, port, transport }, { ringTimeoutMs }) };
}

describe.skipIf(!isInstalled('sipp')).each<Place>([
  { place: 'a single endpoint', isFleet: false, transport: 'udp' },
  { place: 'a single endpoint over TCP', isFleet: false, transport: 'tcp' },
  { place: 'a fleet', isFleet: true, transport: 'udp' },
  { place: 'a fleet over TCP', isFleet: true, transport: 'tcp' },
  { place: 'a fleet that gets requests at its front', isFleet: true, transport: 'udp', isThroughFront: true },
])('called by $place, sipp', (place) => {
  it.each([
    ['plays an announcement before its answer', scenarios.playsEarlyMedia],
    ['rings in two forks', scenarios.ringsTwice],
    ['hangs up while we do', scenarios.hangsUpWhileWeDo],
  ])('%s', async (_, scenario) => {
    const { leg, events, sipp } = await call(place, scenario);
    const first = await Promise.race([events.next('answered'), events.next('ended')]);
    expect(first.type).toBe('answered');
    await leg.hangUp();
    expect(await events.end()).toMatchObject({ cause: 'local-hang-up' });
    expect(await sipp.exitCode()).toBe(0);
  });

  it('holds, resumes, asks for our offer, refers us, and hangs up', async () => {
    const { events, sipp } = await call(place, scenarios.changesTheSession);
    expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(events.all.filter(({ type }) => type === 'held')).toEqual([
      { type: 'held', isHeld: true },
      { type: 'held', isHeld: false },
    ]);
    expect(await sipp.exitCode()).toBe(0);
  });

  it('answers while we cancel', async () => {
    const { events, sipp } = await call(place, scenarios.answersWhileWeCancel, 700);
    expect(await events.end()).toMatchObject({ cause: 'answered-late' });
    expect(await sipp.exitCode()).toBe(0);
  });
});
