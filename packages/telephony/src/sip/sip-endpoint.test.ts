import { afterEach, describe, expect, it } from 'vitest';
import { silentLog, systemClock } from '@parley/runtime';
import { answerCall } from '../../test/answer-call.ts';
import { LegEvents } from '../../test/leg-events.ts';
import { SilentMediaFactory } from '../../test/silent-media.ts';
import type { CallLeg } from '../call-leg.ts';
import type { DialRequest } from './dial-request.ts';
import { createSipEndpoint } from './sip-endpoint.ts';
import type { IncomingInfo, SipEndpoint } from './sip-endpoint-port.ts';
import type { SipEndpointOptions } from './sip-endpoint-options.ts';

const open: SipEndpoint[] = [];
afterEach(async () => {
  // One after the other, so that the last BYE of each still finds its far end.
  for (const endpoint of open.splice(0)) await endpoint.stop();
});

async function startEndpoint(options: Partial<SipEndpointOptions> = {}) {
  const media = new SilentMediaFactory();
  const endpoint = createSipEndpoint({
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    userAgent: 'Test',
    media,
    ...options,
  });
  await endpoint.start();
  open.push(endpoint);
  return { endpoint, media };
}

/** Two lines; the messages that the second receives are passed to `answerWith`. */
async function setup(
  answerWith: (leg: CallLeg) => void,
  options: { transport?: 'udp' | 'tcp'; endpoint?: Partial<SipEndpointOptions> } = {},
) {
  const caller = await startEndpoint();
  const callee = await startEndpoint(options.endpoint);
  const received: (IncomingInfo & { leg: CallLeg; events: LegEvents })[] = [];
  callee.endpoint.onIncoming((leg, info) => {
    received.push({ leg, events: new LegEvents(leg), ...info });
    answerWith(leg);
  });
  let calls = 0;
  const dial = (request: Partial<DialRequest> = {}) => {
    const leg = caller.endpoint.dial({
      from: '+12025550100',
      to: '+12025550101',
      sipCallId: `call-${(calls += 1)}@test`,
      trunk: { ...callee.endpoint.address(), transport: options.transport ?? 'udp' },
      ringTimeoutMs: 5000,
      ...request,
    });
    return { leg, events: new LegEvents(leg) };
  };
  return { caller, callee, received, dial };
}

describe('a SIP endpoint', () => {
  it('writes both numbers of a call as the trunk takes them', async () => {
    const { callee, received, dial } = await setup(answerCall);
    const trunk = {
      ...callee.endpoint.address(),
      transport: 'udp',
      writeNumber: (number: string) => number.slice(1),
    } as const;
    const { leg, events } = dial({ trunk });
    await events.next('answered');
    expect(received[0]?.leg).toMatchObject({ from: '12025550100', to: '12025550101' });
    expect(leg).toMatchObject({ from: '+12025550100', to: '+12025550101' });
    await leg.hangUp();
  });

  it.each(['udp', 'tcp'] as const)(
    'rings, answers, and ends when the caller hangs up over %s',
    async (transport) => {
      const { caller, callee, received, dial } = await setup(
        (leg) => {
          leg.ring();
          answerCall(leg);
        },
        { transport },
      );
      const { leg, events } = dial();
      const { dialog } = await events.next('answered');
      expect(events.types()).toEqual(['ringing', 'answered']);
      expect(dialog).toMatchObject({ callId: 'call-1@test', transport });
      expect(caller.media.opened[0]?.targets).toMatchObject([{ remotePort: 40_000, codec: 'PCMU' }]);
      await received[0]?.events.next('answered');
      await leg.hangUp();
      expect(await received[0]?.events.end()).toMatchObject({ cause: 'remote-hang-up' });
      expect(await events.end()).toMatchObject({ cause: 'local-hang-up' });
      expect(received[0]).toMatchObject({
        leg: { from: '+12025550100', to: '+12025550101' },
        sourceAddress: '127.0.0.1',
      });
      expect([caller, callee].flatMap((side) => side.media.opened).every((media) => media.isClosed)).toBe(
        true,
      );
      expect(caller.endpoint.activeLegs() + callee.endpoint.activeLegs()).toBe(0);
    },
  );

  it.each([
    ['<sip:+12025550177;npdi@carrier.example;user=phone>;foo=bar', '+12025550177'],
    ['"Front, desk" <tel:+12025550177>', '+12025550177'],
    ['<sip:unclosed', ''],
    ['', ''],
  ])('passes on the number of P-Called-Party-ID: %s', async (value, calledPartyId) => {
    const { received, dial } = await setup(answerCall);
    const { events } = dial({ headers: [{ name: 'P-Called-Party-ID', value }] });
    await events.next('answered');
    expect(received).toMatchObject([{ calledPartyId, toHeader: '+12025550101' }]);
  });

  it("a trunk's own silence limit replaces the general one, in both directions", async () => {
    const { caller, callee, dial } = await setup((leg) => answerCall(leg, { silenceLimitMs: 90_000 }));
    const trunk = { ...callee.endpoint.address(), transport: 'udp' as const, silenceLimitMs: 60_000 };
    await dial({ trunk }).events.next('answered');
    expect(caller.media.opened[0]?.silence?.limitMs).toBe(60_000);
    expect(callee.media.opened[0]?.silence?.limitMs).toBe(90_000);
  });

  it('ends when the callee hangs up, over the connection that the caller opened', async () => {
    const { received, dial } = await setup(answerCall, { transport: 'tcp' });
    const { events } = dial();
    await events.next('answered');
    await received[0]?.events.next('answered');
    await received[0]?.leg.hangUp();
    expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
  });

  it.each([
    [486, 'busy'],
    [600, 'busy'],
    [480, 'no-answer'],
    [408, 'no-answer'],
    [503, 'unreachable'],
    [603, 'rejected'],
    [404, 'rejected'],
  ])('reports a refusal with %d as %s', async (status, cause) => {
    const { dial } = await setup((leg) => leg.reject(status));
    expect(await dial().events.end()).toMatchObject({ cause, sipStatus: status });
  });

  it('ends after the ring limit with no-answer', async () => {
    const { received, dial } = await setup((leg) => leg.ring());
    expect(await dial({ ringTimeoutMs: 100 }).events.end()).toMatchObject({ cause: 'no-answer' });
    expect(await received[0]?.events.end()).toMatchObject({ cause: 'cancelled' });
  });

  it('cancels a ringing call', async () => {
    const { received, dial } = await setup((leg) => leg.ring());
    const { leg, events } = dial();
    await events.next('ringing');
    await leg.hangUp();
    expect(await events.end()).toMatchObject({ cause: 'cancelled' });
    expect(await received[0]?.events.end()).toMatchObject({ cause: 'cancelled' });
  });

  it('ends an inbound call that is not answered', async () => {
    const { received, dial } = await setup(() => {}, { endpoint: { inboundRingLimitMs: 50 } });
    expect(await dial().events.end()).toMatchObject({ cause: 'no-answer', sipStatus: 480 });
    expect(await received[0]?.events.end()).toMatchObject({ cause: 'no-answer' });
  });

  it('refuses inbound calls with 480 without a handler', async () => {
    const { endpoint } = await startEndpoint();
    const other = await startEndpoint();
    const leg = other.endpoint.dial({
      from: 'a',
      to: 'b',
      sipCallId: 'x@test',
      trunk: { ...endpoint.address(), transport: 'udp' },
      ringTimeoutMs: 5000,
    });
    expect(await new LegEvents(leg).end()).toMatchObject({ cause: 'no-answer', sipStatus: 480 });
  });

  it('ends a call with line-lost when the far end is silent', async () => {
    const { caller, received, dial } = await setup(answerCall);
    const { events } = dial();
    await events.next('answered');
    expect(caller.media.opened[0]?.silence?.limitMs).toBe(20_000);
    caller.media.opened[0]?.silence?.listener();
    expect(await events.end()).toMatchObject({ cause: 'line-lost' });
    expect(await received[0]?.events.end()).toMatchObject({ cause: 'remote-hang-up' });
  });

  it('reports keys and sends them', async () => {
    const { caller, dial } = await setup(answerCall);
    const { leg, events } = dial();
    await events.next('answered');
    expect(await leg.sendDtmf('1#')).toEqual({ isSent: true, method: 'rfc4733' });
    caller.media.opened[0]?.press('5');
    expect(await events.next('dtmf')).toEqual({ type: 'dtmf', digit: '5', durationMs: 160 });
    expect(caller.media.opened[0]).toMatchObject({ keys: '1#', keyForm: 'events' });
  });

  it.each([
    { ours: 'auto', theirs: 'inband', outcome: { isSent: true, method: 'inband' }, form: 'tones' },
    { ours: 'inband', theirs: 'auto', outcome: { isSent: true, method: 'inband' }, form: 'tones' },
    { ours: 'rfc4733', theirs: 'inband', outcome: { isSent: false, reason: 'unsupported' }, form: null },
  ] as const)('keys by the setting $ours, to a far end that has $theirs', async (about) => {
    const { caller, callee, dial } = await setup((leg) => answerCall(leg, { dtmf: about.theirs }));
    const trunk = { ...callee.endpoint.address(), transport: 'udp' as const, dtmf: about.ours };
    const { leg, events } = dial({ trunk });
    expect(await leg.sendDtmf('1')).toEqual({ isSent: false, reason: 'no-call' });
    await events.next('answered');
    expect(await leg.sendDtmf('1')).toEqual(about.outcome);
    expect(caller.media.opened[0]?.keyForm).toBe(about.form);
  });

  it('keys are sent as INFO, one after the other, and the far end receives each once', async () => {
    const { callee, dial, received } = await setup(answerCall);
    const trunk = { ...callee.endpoint.address(), transport: 'udp' as const, dtmf: 'info' as const };
    const { leg, events } = dial({ trunk });
    await events.next('answered');
    const outcomes = Promise.all([leg.sendDtmf('12'), leg.sendDtmf('#')]);
    expect(await outcomes).toEqual([
      { isSent: true, method: 'info' },
      { isSent: true, method: 'info' },
    ]);
    await leg.hangUp();
    const keys = received[0]?.events.all.filter((event) => event.type === 'dtmf');
    expect(keys).toEqual(['1', '2', '#'].map((digit) => ({ type: 'dtmf', digit, durationMs: 160 })));
    expect(await leg.sendDtmf('1')).toEqual({ isSent: false, reason: 'no-call' });
  });

  it('sends no INVITE for a call that is cancelled before it', async () => {
    const { received, dial } = await setup((leg) => leg.ring());
    const { leg, events } = dial();
    await leg.hangUp();
    expect(await events.end()).toMatchObject({ cause: 'cancelled' });
    expect(received).toEqual([]);
  });

  // The host of a trunk is checked by the address that it resolves to, in every notation.
  it.each([
    '127.0.0.1',
    'localhost',
    '0x7f.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'foo.lan',
  ])('sends nothing to a trunk at %s unless it is allowed', async (host) => {
    const sent: string[] = [];
    const onDatagram = (direction: string): unknown => direction === 'out' && sent.push(direction);
    const caller = await startEndpoint({ allowPrivateTrunks: 'none', onDatagram });
    const callee = await startEndpoint();
    const leg = caller.endpoint.dial({
      from: '+12025550100',
      to: '+12025550101',
      sipCallId: 'private@test',
      trunk: { ...callee.endpoint.address(), host, transport: 'udp' },
      ringTimeoutMs: 5000,
    });
    expect(await new LegEvents(leg).end()).toMatchObject({ cause: 'unreachable' });
    expect(sent).toEqual([]);
  });

  it('dials a trusted trunk and an allowed one at a private address', async () => {
    for (const trust of [
      { trunk: { isTrusted: true } },
      { endpoint: { allowPrivateTrunks: 'loopback' } },
    ] as const) {
      const callee = await startEndpoint();
      const caller = await startEndpoint({
        allowPrivateTrunks: 'none',
        ...('endpoint' in trust ? trust.endpoint : {}),
      });
      const leg = caller.endpoint.dial({
        from: '+12025550100',
        to: '+12025550101',
        sipCallId: 'trusted@test',
        trunk: { ...callee.endpoint.address(), transport: 'udp', ...('trunk' in trust ? trust.trunk : {}) },
        ringTimeoutMs: 5000,
      });
      expect(await new LegEvents(leg).end()).toMatchObject({ cause: 'no-answer', sipStatus: 480 });
    }
  });

  it('reports unreachable when no media can be opened or nothing listens', async () => {
    const { caller, callee, dial } = await setup(answerCall, { transport: 'tcp' });
    caller.media.isFull = true;
    expect(await dial().events.end()).toMatchObject({ cause: 'unreachable' });
    caller.media.isFull = false;
    await callee.endpoint.stop();
    expect(await dial().events.end()).toMatchObject({ cause: 'unreachable' });
  });

  it('refuses a call with 503 when it cannot open media for the answer', async () => {
    const { callee, dial } = await setup(answerCall);
    callee.media.isFull = true;
    expect(await dial().events.end()).toMatchObject({ cause: 'unreachable', sipStatus: 503 });
  });

  it('survives a handler and a listener that throw', async () => {
    const { dial } = await setup((leg) => {
      answerCall(leg);
      throw new Error('a defect of the application');
    });
    const { leg, events } = dial();
    leg.onEvent(() => {
      throw new Error('a defect of a listener');
    });
    await events.next('answered');
    await leg.hangUp();
    expect(events.types()).toContain('ended');
  });

  it('lets calls finish while draining and refuses new ones with 503', async () => {
    const { callee, dial } = await setup(answerCall);
    const first = dial();
    await first.events.next('answered');
    const drained = callee.endpoint.drain();
    expect(await dial().events.end()).toMatchObject({ cause: 'unreachable', sipStatus: 503 });
    await first.leg.hangUp();
    await drained;
    expect(callee.endpoint.activeLegs()).toBe(0);
  });

  it('ends a call from its stored dialog, from another process', async () => {
    const { received, dial } = await setup(answerCall);
    const { events } = dial();
    const { dialog } = await events.next('answered');
    await received[0]?.events.next('answered');
    const { endpoint: rescuer } = await startEndpoint();
    if (!dialog) throw new Error('A SIP leg has a dialog');
    expect(await rescuer.endStoredDialog(dialog)).toBe(200);
    expect(await received[0]?.events.end()).toMatchObject({ cause: 'remote-hang-up' });
  });

  it('hangs up remaining calls when it stops, and can be stopped twice', async () => {
    const { caller, received, dial } = await setup(answerCall);
    const { events } = dial();
    await events.next('answered');
    await received[0]?.events.next('answered');
    await caller.endpoint.stop();
    await caller.endpoint.stop();
    expect(events.types().at(-1)).toBe('ended');
    expect(await received[0]?.events.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(() => dial()).toThrow('not started');
  });

  it('passes every message in both directions to the tap, and survives one that throws', async () => {
    const seen: string[] = [];
    const onDatagram: SipEndpointOptions['onDatagram'] = (direction, bytes) => {
      const text = Buffer.from(bytes).toString();
      seen.push(`${direction} ${/^(?:SIP\/2\.0 )?(\w+)/.exec(text)?.[1]}`);
      throw new Error('a defect of the witness');
    };
    const { dial, received } = await setup(answerCall, { endpoint: { onDatagram } });
    const { leg, events } = dial();
    await events.next('answered');
    await received[0]?.events.next('answered');
    await leg.hangUp();
    await received[0]?.events.end();
    expect(seen).toEqual(['in INVITE', 'out 100', 'out 200', 'in ACK', 'in BYE', 'out 200']);
  });

  it('refuses a wildcard as public address', () => {
    const options = {
      clock: systemClock,
      log: silentLog,
      userAgent: 'Test',
      media: new SilentMediaFactory(),
    };
    expect(() => createSipEndpoint({ ...options, listen: { host: '0.0.0.0', port: 0 } })).toThrow('address');
  });
});
