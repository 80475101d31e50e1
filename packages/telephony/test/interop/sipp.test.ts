/**
 * Our endpoint, and a fleet of two, against sipp. Every run has a time limit; the process is killed by its ID.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SessionTimerSetting } from '@parley/sip';
import type { CallLeg } from '../../src/call-leg.ts';
import { freePort, isInstalled, waitForTcp, type ForeignProgram } from '@parley/testkit';
import { answerCall } from '../answer-call.ts';
import { TestEndpoint } from './test-endpoint.ts';
import * as scenarios from './sipp-scenarios.ts';

const hasSipp = isInstalled('sipp');
const testLines: TestEndpoint[] = [];
afterEach(async () => {
  await Promise.all(testLines.splice(0).map((testEndpoint) => testEndpoint.close()));
});

async function setupIn(
  isFleet: boolean,
  answerWith?: (leg: CallLeg) => void,
  sessionTimer?: SessionTimerSetting,
) {
  const timer = sessionTimer ? { sessionTimer } : {};
  const testEndpoint = await TestEndpoint.open(answerWith, undefined, { ...timer, isFleet });
  testLines.push(testEndpoint);
  const common = async (transport: 'udp' | 'tcp') => {
    const [port, mediaPort] = [await freePort(), await freePort()];
    const args = ['-i', '127.0.0.1', '-p', `${port}`, '-mp', `${mediaPort & ~1}`, '-nostdin', '-trace_err'];
    return { port, args: [...args, '-t', transport === 'udp' ? 'u1' : 't1'] };
  };
  let scenarioFiles = 0;
  const scenarioFile = async (xml: string) => {
    const file = path.join(testEndpoint.folder, `scenario-${(scenarioFiles += 1)}.xml`);
    await writeFile(file, xml);
    return ['-sf', file];
  };
  /** Starts sipp as a callee; resolves once it accepts calls. */
  const callee = async (what: string | string[], transport: 'udp' | 'tcp' = 'udp') => {
    const { port, args } = await common(transport);
    const which = typeof what === 'string' ? await scenarioFile(what) : what;
    const sipp = testEndpoint.run('sipp', [...args, ...which, '-m', '1']);
    if (transport === 'tcp') await waitForTcp(port);
    return { sipp, trunk: { host: '127.0.0.1', port, transport } };
  };
  /** sipp makes calls to us. */
  const caller = async (
    what: string | string[],
    transport: 'udp' | 'tcp' = 'udp',
  ): Promise<ForeignProgram> => {
    const { args } = await common(transport);
    const which = typeof what === 'string' ? [...(await scenarioFile(what)), '-m', '1'] : what;
    const { host, port } = testEndpoint.address();
    return testEndpoint.run('sipp', [`${host}:${port}`, ...args, ...which]);
  };
  return { testEndpoint, callee, caller };
}

const ringAndAnswer = (leg: CallLeg): void => {
  leg.ring();
  answerCall(leg);
};

describe.skipIf(!hasSipp).each([
  ['an endpoint', false],
  ['a fleet of two', true],
])('%s against sipp', (_place, isFleet) => {
  const setup = (...given: [answerWith?: (leg: CallLeg) => void, sessionTimer?: SessionTimerSetting]) =>
    setupIn(isFleet, ...given);

  it.each(['udp', 'tcp'] as const)('calls its built-in callee over %s and hangs up', async (transport) => {
    const { testEndpoint, callee } = await setup();
    const { sipp, trunk } = await callee(['-sn', 'uas', '-rtp_echo'], transport);
    const { leg, events } = testEndpoint.dial(trunk);
    await events.next('answered');
    expect(events.types()).toEqual(['ringing', 'answered']);
    await leg.hangUp();
    expect(await events.end()).toMatchObject({ cause: 'local-hang-up' });
    expect(await sipp.exitCode()).toBe(0);
  });

  it('takes 20 calls of its built-in caller over UDP', async () => {
    const { testEndpoint, caller } = await setup(ringAndAnswer);
    const sipp = await caller(['-sn', 'uac', '-s', '+12025550101', '-m', '20', '-r', '20', '-d', '200']);
    expect(await sipp.exitCode()).toBe(0);
    const ends = await Promise.all(testEndpoint.received.map(({ events }) => events.end()));
    expect(ends.map((end) => end.cause)).toEqual(Array.from({ length: 20 }, () => 'remote-hang-up'));
    expect(testEndpoint.received[0]?.leg).toMatchObject({ from: 'sipp', to: '+12025550101' });
    expect(testEndpoint.activeLegs()).toBe(0);
    await vi.waitFor(() => expect(testEndpoint.media.portsInUse()).toBe(0), { timeout: 20_000 });
  });

  it('takes calls of its built-in caller over one TCP connection', async () => {
    const { testEndpoint, caller } = await setup(ringAndAnswer);
    const sipp = await caller(
      ['-sn', 'uac', '-s', '+12025550101', '-m', '5', '-r', '10', '-d', '100'],
      'tcp',
    );
    expect(await sipp.exitCode()).toBe(0);
    expect(testEndpoint.received).toHaveLength(5);
  });

  it.each([
    ['486 Busy Here', 'busy'],
    ['603 Decline', 'rejected'],
    ['503 Service Unavailable', 'unreachable'],
  ])('reports %s', async (status, cause) => {
    const { testEndpoint, callee } = await setup();
    const { sipp, trunk } = await callee(scenarios.refusing(status));
    expect(await testEndpoint.dial(trunk).events.end()).toMatchObject({ cause });
    expect(await sipp.exitCode()).toBe(0);
  });

  it('cancels a call that rings too long', async () => {
    const { testEndpoint, callee } = await setup();
    const { sipp, trunk } = await callee(scenarios.ringingUntilCancel);
    const { events } = testEndpoint.dial(trunk, { ringTimeoutMs: 700 });
    expect(await events.end()).toMatchObject({ cause: 'no-answer' });
    expect(await sipp.exitCode()).toBe(0);
  });

  it.each([
    ['one challenge', scenarios.checkingAccount],
    ['a proxy and then the callee', scenarios.challengingTwice],
  ])('authenticates to %s', async (_, scenario) => {
    const { testEndpoint, callee } = await setup();
    const { sipp, trunk } = await callee(scenario);
    const { leg, events } = testEndpoint.dial({ ...trunk, username: 'alice', password: 'secret' });
    const first = await Promise.race([events.next('answered'), events.next('ended')]);
    expect(first.type).toBe('answered');
    await leg.hangUp();
    expect(await sipp.exitCode()).toBe(0);
  });

  it('is refused with a wrong password', async () => {
    const { testEndpoint, callee } = await setup();
    const { trunk } = await callee(scenarios.checkingAccount);
    const { events } = testEndpoint.dial({ ...trunk, username: 'alice', password: 'wrong' });
    expect(await events.end()).toMatchObject({ cause: 'rejected', sipStatus: 403 });
  });

  it('is put on hold and resumed elsewhere', async () => {
    const { testEndpoint, caller } = await setup(ringAndAnswer);
    const sipp = await caller(scenarios.callerThatHoldsAndMoves);
    expect(await sipp.exitCode()).toBe(0);
    const [received] = testEndpoint.received;
    expect(await received?.events.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(received?.events.all.filter((event) => event.type === 'held')).toEqual([
      { type: 'held', isHeld: true },
      { type: 'held', isHeld: false },
    ]);
  });

  it('reads the identity and the diversions of a carrier', async () => {
    const { testEndpoint, caller } = await setup(ringAndAnswer);
    const sipp = await caller(
      scenarios.callerWith([
        'P-Asserted-Identity: "Doe, Jane" <sip:+12025550102@carrier.example>, <tel:+12025550102>',
        'Privacy: id',
        'P-Called-Party-ID: <sip:+12025550101@carrier.example>',
        'Diversion: <sip:+12025550104@carrier.example>;reason=no-answer',
        'Diversion: "Desk, 1" <sip:+12025550103@carrier.example>;reason=unconditional',
      ]),
    );
    expect(await sipp.exitCode()).toBe(0);
    expect(testEndpoint.received[0]?.info).toMatchObject({
      assertedIdentity: '+12025550102',
      isPrivate: true,
      calledPartyId: '+12025550101',
      divertedBy: ['+12025550104', '+12025550103'],
      firstDiverting: '+12025550103',
    });
  });

  it('sends the account in From and the number as the identity', async () => {
    const { testEndpoint, callee } = await setup();
    const { sipp, trunk } = await callee(
      scenarios.calleeThatChecks({
        From: 'sip:1234567t0@',
        'P-Preferred-Identity': 'sip:12025550100@',
      }),
    );
    const { leg, events } = testEndpoint.dial({
      ...trunk,
      fromUser: '1234567t0',
      callerHeader: 'p_preferred_identity',
      writeNumber: (number) => number.slice(1),
    });
    const first = await Promise.race([events.next('answered'), events.next('ended')]);
    expect(first.type).toBe('answered');
    await leg.hangUp();
    expect(await sipp.exitCode()).toBe(0);
  });

  it('reports that a caller has cancelled', async () => {
    const { testEndpoint, caller } = await setup((leg) => leg.ring());
    const sipp = await caller(scenarios.callerThatCancels);
    expect(await sipp.exitCode()).toBe(0);
    expect(await testEndpoint.received[0]?.events.end()).toMatchObject({ cause: 'cancelled' });
  });

  it('acknowledges a reliable 183, and takes its answer', async () => {
    const { testEndpoint, callee } = await setup();
    const { sipp, trunk } = await callee(scenarios.calleeThatRingsReliably);
    const { leg, events } = testEndpoint.dial(trunk);
    const first = await Promise.race([events.next('answered'), events.next('ended')]);
    expect(first.type).toBe('answered');
    await leg.hangUp();
    expect(await sipp.exitCode()).toBe(0);
  });

  it('rings reliably with its offer for a caller that requires it', async () => {
    const { testEndpoint, caller } = await setup(ringAndAnswer);
    const sipp = await caller(scenarios.callerThatRequiresReliability);
    expect(await sipp.exitCode()).toBe(0);
    const [received] = testEndpoint.received;
    expect(await received?.events.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(received?.events.types()).toContain('answered');
  });

  it('is put on hold and resumed by UPDATE', async () => {
    const { testEndpoint, caller } = await setup(ringAndAnswer);
    const sipp = await caller(scenarios.callerThatHoldsByUpdate);
    expect(await sipp.exitCode()).toBe(0);
    expect(testEndpoint.received[0]?.events.all.filter((event) => event.type === 'held')).toEqual([
      { type: 'held', isHeld: true },
      { type: 'held', isHeld: false },
    ]);
  });

  it('ends a call whose caller does not refresh its session', async () => {
    const { testEndpoint, caller } = await setup(ringAndAnswer, { intervalSeconds: 2, minimumSeconds: 1 });
    const sipp = await caller(scenarios.callerThatDoesNotRefresh(2));
    expect(await sipp.exitCode()).toBe(0);
    expect(await testEndpoint.received[0]?.events.end()).toMatchObject({
      cause: 'line-lost',
      detail: 'The session was not refreshed in time',
    });
  });

  it('refuses a session that is too short, and takes the call with a longer one', async () => {
    const { testEndpoint, caller } = await setup(ringAndAnswer);
    const sipp = await caller(scenarios.callerThatIsTooQuick);
    expect(await sipp.exitCode()).toBe(0);
    expect(testEndpoint.received).toHaveLength(1);
  });

  it.each(['UPDATE', 'INVITE'] as const)('refreshes its session by %s', async (method) => {
    const { testEndpoint, callee } = await setup(undefined, { intervalSeconds: 2, minimumSeconds: 1 });
    const { sipp, trunk } = await callee(scenarios.calleeThatIsRefreshed(method, 2));
    const { leg, events } = testEndpoint.dial(trunk);
    await events.next('answered');
    const sign = method === 'UPDATE' ? 'dialog-changed' : 'held';
    const next = await Promise.race([events.next(sign), events.next('ended')]);
    expect(next.type).toBe(sign);
    await leg.hangUp();
    expect(await sipp.exitCode()).toBe(0);
  });

  it('follows a redirect of its trunk to another host', async () => {
    const { testEndpoint, callee } = await setup();
    const { sipp: target, trunk: other } = await callee(['-sn', 'uas']);
    const contact = `<sip:+12025550101@127.0.0.1:${other.port}>`;
    const { sipp, trunk } = await callee(scenarios.redirectingTo(contact));
    const { leg, events } = testEndpoint.dial(trunk);
    const first = await Promise.race([events.next('answered'), events.next('ended')]);
    expect(first.type).toBe('answered');
    await leg.hangUp();
    expect(await sipp.exitCode()).toBe(0);
    expect(await target.exitCode()).toBe(0);
  });

  it('does not follow a redirect to another number', async () => {
    const { testEndpoint, callee } = await setup();
    const { sipp, trunk } = await callee(scenarios.redirectingTo('<sip:+12025550199@127.0.0.1>'));
    expect(await testEndpoint.dial(trunk).events.end()).toEqual({
      cause: 'rejected',
      sipStatus: 302,
      detail: 'The far end redirected the call to another number, which is not called',
    });
    expect(await sipp.exitCode()).toBe(0);
  });
});
