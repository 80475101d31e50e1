import { EventEmitter } from 'node:events';
import { ManualClock, silentLog } from '@parley/runtime';
import { describe, expect, test } from 'vitest';
import { LegEvents } from '../../test/leg-events.ts';
import type { StreamData, StreamSocket } from '../streams/stream-socket.ts';
import { CarrierStream } from './carrier-stream.ts';
import { twilioProtocol } from './twilio-messages.ts';
import type { DialedState } from './dialed-end.rules.ts';
import { DialedCarrierLeg, type PlacedCall } from './dialed-leg.ts';

const SID = `CA${'b'.repeat(32)}`;
const OTHER = `CA${'d'.repeat(32)}`;
const ACCEPTED: PlacedCall = { result: 'accepted', callSid: SID, queueMs: 0 };
const LOST: PlacedCall = { result: 'unknown', detail: 'No answer came in time' };

class FakeSocket
  extends EventEmitter<{ message: [StreamData, boolean]; pong: []; close: [number]; error: [Error] }>
  implements StreamSocket
{
  bufferedAmount = 0;
  closed: number | undefined | null = null;
  send(): void {}
  ping(): void {}
  terminate(): void {}
  close(code?: number): void {
    this.closed ??= code;
  }
  says(event: string, sequenceNumber: number, content: object = {}): void {
    this.emit('message', Buffer.from(JSON.stringify({ event, sequenceNumber, ...content })), false);
  }
}

/** @param isNamedByStream - as with Twilio */
function setup(isNamedByStream = true) {
  const clock = new ManualClock();
  const placed = Promise.withResolvers<PlacedCall>();
  const asked = { place: 0, bound: [] as string[], ended: [] as string[], looks: 0 };
  const about = { state: null as DialedState | null };
  const leg = new DialedCarrierLeg({
    id: 'one',
    from: '+12025550123',
    to: '+12025550101',
    ticket: '7.secret',
    ringLimitMs: 45_000,
    clock,
    log: silentLog,
    carrier: {
      isNamedByStream,
      place: async () => {
        asked.place += 1;
        return placed.promise;
      },
      bind: async (sid) => void asked.bound.push(sid),
      look: async () => {
        asked.looks += 1;
        return about.state;
      },
      end: async (sid) => void asked.ended.push(sid),
    },
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  const answer = async (result: PlacedCall): Promise<void> => {
    placed.resolve(result);
    await settle();
  };
  const report = (state: DialedState, carrierCallId = SID, sipStatus: number | null = null): void =>
    leg.report({ carrierCallId, state, sipStatus });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await settle();
  };
  /** The carrier connects a stream. */
  const connect = async (ticket = '7.secret', callSid = SID) => {
    const socket = new FakeSocket();
    const stream = new CarrierStream(socket, { clock, protocol: twilioProtocol });
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
    const ids = { streamSid: `MZ${'a'.repeat(32)}`, accountSid: `AC${'c'.repeat(32)}`, callSid };
    socket.says('start', 1, { start: { ...ids, mediaFormat, customParameters: { ticket } } });
    const start = await stream.started;
    if (!start) throw new Error('The stream has not started');
    const isTaken = leg.attach(stream, start);
    await settle();
    return { socket, isTaken };
  };
  return { clock, leg, asked, about, answer, report, pass, connect, events: new LegEvents(leg) };
}

test('a stream that does not name the call as the reports do is known by its ticket', async () => {
  const { asked, answer, report, connect, events, pass } = setup(false);
  await answer(LOST);
  expect((await connect('7.wrong', OTHER)).isTaken).toBe(false);
  expect((await connect('7.secret', OTHER)).isTaken).toBe(true);
  report('in-progress');
  await pass(15_000);
  expect(asked).toMatchObject({ bound: [SID], ended: [], looks: 0 });
  expect(events.types()).toEqual(['answered']);
});

describe('a call that the carrier has accepted', () => {
  test('rings once however often that is reported, is answered by its stream, and ends with it', async () => {
    const { asked, answer, report, connect, events, pass } = setup();
    await answer(ACCEPTED);
    for (const state of ['initiated', 'ringing', 'ringing', 'queued', 'in-progress', 'ringing'] as const)
      report(state);
    const { socket, isTaken } = await connect();
    expect(isTaken).toBe(true);
    report('completed');
    expect(events.types()).toEqual(['ringing', 'answered']);
    socket.says('stop', 2);
    await pass(0);
    expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(asked).toMatchObject({ place: 1, bound: [SID], ended: [] });
  });

  test.each([
    ['busy', 486, { cause: 'busy', sipStatus: 486 }],
    ['no-answer', null, { cause: 'no-answer' }],
    ['failed', 404, { cause: 'rejected', sipStatus: 404 }],
    ['failed', null, { cause: 'rejected' }],
    ['failed', 486, { cause: 'busy', sipStatus: 486 }],
    ['failed', 600, { cause: 'busy', sipStatus: 600 }],
    ['failed', 408, { cause: 'no-answer', sipStatus: 408 }],
    ['failed', 480, { cause: 'no-answer', sipStatus: 480 }],
    ['failed', 500, { cause: 'unreachable', sipStatus: 500 }],
    ['failed', 603, { cause: 'rejected', sipStatus: 603 }],
    ['failed', 503, { cause: 'unreachable', sipStatus: 503 }],
    ['canceled', null, { cause: 'rejected' }],
    ['completed', null, { cause: 'line-lost' }],
  ] as const)('and reports as %s with %s ends', async (state, sipStatus, end) => {
    const { answer, report, events } = setup();
    await answer(ACCEPTED);
    report(state, SID, sipStatus);
    report('ringing');
    expect(await events.end()).toMatchObject(end);
    expect(events.types()).toEqual(['ended']);
  });

  test('is asked about, where no report comes', async () => {
    const { about, answer, pass, events, asked } = setup();
    await answer(ACCEPTED);
    await pass(10_000);
    about.state = 'ringing';
    await pass(10_000);
    about.state = 'no-answer';
    await pass(10_000);
    expect(events.types()).toEqual(['ringing', 'ended']);
    await pass(60_000);
    expect(asked.looks).toBe(3);
  });

  test('is ended at the carrier when it rings too long, and when its stream does not come', async () => {
    for (const state of ['ringing', 'in-progress'] as const) {
      const { answer, report, pass, events, asked } = setup();
      await answer(ACCEPTED);
      report(state);
      await pass(state === 'ringing' ? 60_000 : 20_000);
      expect(asked.ended).toEqual([SID]);
      expect(await events.end()).toMatchObject({ cause: state === 'ringing' ? 'no-answer' : 'line-lost' });
    }
  });

  test('is ended when it would wait in the queue of the carrier for long', async () => {
    const { answer, events, asked } = setup();
    await answer({ ...ACCEPTED, queueMs: 10_001 });
    expect(asked.ended).toEqual([SID]);
    expect(await events.end()).toMatchObject({ cause: 'unreachable' });
  });

  test('takes no stream with another ticket or of another call, and no report about another call', async () => {
    const { answer, report, connect, events } = setup();
    await answer(ACCEPTED);
    report('busy', OTHER);
    expect((await connect('7.guessed')).isTaken).toBe(false);
    expect((await connect('7.secret', OTHER)).isTaken).toBe(false);
    expect(events.types()).toEqual([]);
    expect((await connect()).isTaken).toBe(true);
    expect((await connect()).isTaken).toBe(false);
    expect(events.types()).toEqual(['answered']);
  });
});

describe('a lost answer', () => {
  test('leaves the call to its reports', async () => {
    const { answer, report, pass, events, asked } = setup();
    await answer(LOST);
    await pass(29_000);
    report('ringing');
    await pass(10_000);
    expect(events.types()).toEqual(['ringing']);
    report('busy');
    expect(await events.end()).toMatchObject({ cause: 'busy' });
    expect(asked).toMatchObject({ place: 1, bound: [SID] });
  });

  test('is no end for a call whose report or stream was faster', async () => {
    for (const sign of ['report', 'stream']) {
      const { answer, report, connect, pass, events } = setup();
      if (sign === 'report') report('ringing');
      else await connect();
      await answer(LOST);
      await pass(15_000);
      expect(events.types()).toEqual([sign === 'report' ? 'ringing' : 'answered']);
    }
  });

  test('ends the attempt after 30 s without a sign; a call that is known only then is ended at the carrier', async () => {
    const { answer, report, connect, pass, events, asked } = setup();
    await answer(LOST);
    await pass(30_000);
    expect(await events.end()).toMatchObject({ cause: 'line-lost', detail: expect.stringContaining('lost') });
    report('ringing');
    report('in-progress');
    expect(asked.ended).toEqual([SID]);
    expect((await connect()).isTaken).toBe(false);
  });
});

test.each([
  [{ result: 'refused', detail: 'Not valid.' }, 'rejected'],
  [{ result: 'unreachable', detail: 'The connection was refused.' }, 'unreachable'],
] as const)('a request that was not carried out (%j) ends as %s', async (placed, cause) => {
  const { answer, events, asked, clock } = setup();
  await answer(placed);
  expect(await events.end()).toMatchObject({ cause });
  expect(asked).toMatchObject({ place: 1, ended: [] });
  expect(clock.pendingTimers()).toBe(0);
});

describe('our hang-up', () => {
  test('before the carrier has answered waits for its answer, and ends the call there', async () => {
    const { leg, answer, connect, events, asked, clock } = setup();
    const ended = leg.hangUp();
    expect((await connect()).isTaken).toBe(false);
    expect(asked.ended).toEqual([]);
    await answer(ACCEPTED);
    await ended;
    expect(asked.ended).toEqual([SID]);
    expect(await events.end()).toMatchObject({ cause: 'cancelled' });
    expect(clock.pendingTimers()).toBe(0);
  });

  test('after a lost answer ends the call once it is known', async () => {
    const { leg, answer, report, asked } = setup();
    await answer(LOST);
    await leg.hangUp();
    report('ringing');
    expect(asked.ended).toEqual([SID]);
  });

  test('of an answered call closes its stream', async () => {
    const { leg, answer, connect, pass, events } = setup();
    await answer(ACCEPTED);
    const { socket } = await connect();
    const ended = leg.hangUp();
    await pass(1_000);
    await ended;
    expect(await events.end()).toMatchObject({ cause: 'local-hang-up' });
    expect(socket.closed).toBe(1000);
  });
});
