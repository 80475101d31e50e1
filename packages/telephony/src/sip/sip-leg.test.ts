import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ManualClock, silentLog } from '@parley/runtime';
import type { AgreedMedia } from '@parley/sip';
import { SilentMedia } from '../../test/silent-media.ts';
import type { LegEvent, StoredDialog } from '../call-leg.ts';
import { SipLeg, type LegControl } from './sip-leg.ts';

const AGREED: AgreedMedia = {
  remoteHost: '192.0.2.9',
  remotePort: 4000,
  codec: 'PCMU',
  payloadType: 0,
  telephoneEventPayloadType: 101,
  direction: 'sendrecv',
};

const CONTROL: LegControl = {
  openMedia: async () => ({ rtp: new SilentMedia(40_000), local: { host: '192.0.2.1', port: 40_000 } }),
  ring: () => {},
  background: () => {},
  followRedirect: async () => {},
  answer: () => {},
  reject: () => {},
  hangUp: () => {},
  refer: () => {},
  sendKey: () => {},
  forget: () => {},
};

function setup(control: LegControl = CONTROL) {
  const media = new SilentMedia(40_000);
  const leg = new SipLeg(
    {
      id: 'leg@test',
      direction: 'inbound',
      from: '',
      to: '',
      clock: new ManualClock(),
      log: silentLog,
      ringLimitMs: 1000,
      silenceLimitMs: 20_000,
      dtmf: 'auto',
      numberFormat: undefined,
    },
    control,
  );
  const events: LegEvent[] = [];
  leg.onEvent((event) => events.push(event));
  leg.attach(media, { host: '127.0.0.1', port: 40_000 });
  const agree = (change: Partial<AgreedMedia>): void =>
    leg.take({ type: 'media', agreed: { ...AGREED, ...change } }, 1);
  return { leg, media, events, agree };
}

describe('the silence limit of a leg', () => {
  it.each(['recvonly', 'inactive'] as const)('does not apply on hold (%s)', (direction) => {
    const { media, events, agree } = setup();
    agree({});
    expect(media.silence?.limitMs).toBe(20_000);
    agree({ direction });
    expect(media.silence?.limitMs).toBe(Infinity);
    agree({});
    expect(media.silence?.limitMs).toBe(20_000);
    expect(events).toEqual([
      { type: 'held', isHeld: true },
      { type: 'held', isHeld: false },
    ]);
  });
});

it('a transfer writes the number as the settings of the answered call say', async () => {
  const users: string[] = [];
  const { leg } = setup({ ...CONTROL, refer: (_call, { user }) => users.push(user) });
  leg.begin(1, { signallingHost: '192.0.2.9', isSecure: false });
  const answered = leg.answer({ numberFormat: 'e164_without_plus' });
  const transferred = leg.transfer('+12025550101', 1000);
  leg.end({ cause: 'remote-hang-up', detail: '' });
  await Promise.all([answered, transferred]);
  expect(users).toEqual(['12025550101']);
});

describe('a leg that another call takes over', () => {
  const ENDED = { type: 'ended', end: { by: 'local-bye' } } as const;
  const NEXT = { signallingHost: '192.0.2.9', isSecure: false };
  const DIALOG = { callId: 'new' } as unknown as StoredDialog;

  function takenOver() {
    const hungUp: number[] = [];
    const about = setup({ ...CONTROL, hangUp: (call) => hungUp.push(call) });
    about.leg.begin(1, NEXT);
    about.agree({});
    about.leg.take({ type: 'answered', dialog: DIALOG }, 1);
    about.events.length = 0;
    expect(about.leg.takeOver(2, NEXT)).toBe(true);
    return { ...about, hungUp };
  }

  it('ends with both calls when we hang up before the other call is acknowledged', async () => {
    const { leg, hungUp, events } = takenOver();
    const hangUp = leg.hangUp();
    expect(hungUp).toEqual([2, 1]);
    leg.take(ENDED, 1);
    expect(events).toEqual([]);
    leg.take(ENDED, 2);
    await hangUp;
    expect(events).toMatchObject([{ type: 'ended', end: { cause: 'local-hang-up' } }]);
  });

  it('goes on with its call when the other call ends first', () => {
    const { leg, events } = takenOver();
    leg.take({ type: 'ended', end: { by: 'no-ack' } }, 2);
    expect(events).toEqual([]);
    leg.take({ type: 'ended', end: { by: 'remote-bye' } }, 1);
    expect(events).toMatchObject([{ type: 'ended', end: { cause: 'remote-hang-up' } }]);
  });

  it('does not know the outcome of a transfer that was asked of the old party', async () => {
    const { leg } = takenOver();
    const transfer = leg.transfer('+12025550101', 1000);
    leg.take({ type: 'answered', dialog: DIALOG }, 2);
    expect(await transfer).toEqual({ result: 'unknown', sipStatus: null });
  });

  it('reports keys that the old party has not confirmed as refused', async () => {
    const { leg, agree } = takenOver();
    await leg.answer({ dtmf: 'info' });
    agree({});
    const keys = leg.sendDtmf('1');
    await setImmediate();
    leg.take({ type: 'answered', dialog: DIALOG }, 2);
    expect(await keys).toEqual({ isSent: false, reason: 'refused' });
  });
});
