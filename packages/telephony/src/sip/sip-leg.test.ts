import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ManualClock, silentLog } from '@parley/runtime';
import type { AgreedMedia } from '@parley/sip';
import { SilentMedia } from '../../test/silent-media.ts';
import type { LegEvent, LegReferral, StoredDialog } from '../call-leg.ts';
import type { DialRequest } from './dial-request.ts';
import type { LegControl, LegInvite } from './leg-control.ts';
import { SipReferral } from './leg-referrals.ts';
import { SipLeg } from './sip-leg.ts';

const AGREED: AgreedMedia = {
  remoteHost: '192.0.2.9',
  remotePort: 4000,
  codec: 'PCMU',
  payloadType: 0,
  telephoneEventPayloadType: 101,
  direction: 'sendrecv',
};

const CONTROL: LegControl<SipLeg> = {
  openMedia: async () => ({ rtp: new SilentMedia(40_000), local: { host: '192.0.2.1', port: 40_000 } }),
  ring: () => {},
  background: () => {},
  followRedirect: async () => {},
  answer: () => {},
  reject: () => {},
  hangUp: () => {},
  abandon: () => {},
  refer: () => {},
  sendKey: () => {},
  answerRefer: () => {},
  reportReferral: () => {},
  invite: () => {},
  forget: () => {},
};

function setup(control: LegControl<SipLeg> = CONTROL) {
  const media = new SilentMedia(40_000);
  const clock = new ManualClock();
  const leg = new SipLeg(
    {
      id: 'leg@test',
      direction: 'inbound',
      from: '',
      to: '',
      clock,
      log: silentLog,
      ringLimitMs: 1000,
      silenceLimitMs: 20_000,
      dtmf: 'auto',
      writeNumber: undefined,
    },
    control,
  );
  const events: LegEvent[] = [];
  leg.onEvent((event) => events.push(event));
  leg.attach(media, { host: '127.0.0.1', port: 40_000 });
  const agree = (change: Partial<AgreedMedia>): void =>
    leg.take({ type: 'media', agreed: { ...AGREED, ...change } }, 1);
  return { leg, media, clock, events, agree };
}

describe('a leg whose call another process goes on with', () => {
  it('sends nothing more, also before the far end has accepted its media', () => {
    const abandoned: number[] = [];
    const { leg, events } = setup({ ...CONTROL, abandon: (call) => void abandoned.push(call) });
    leg.begin(1, { signallingHost: '192.0.2.1', isSecure: false });
    leg.abandon();
    expect(abandoned).toEqual([1]);
    expect(events).toEqual([]);
  });

  it('ends at once before its re-INVITE', () => {
    const { leg, events } = setup();
    leg.abandon();
    expect(leg.hasEnded).toBe(true);
    expect(events).toMatchObject([{ type: 'ended', end: { cause: 'line-lost' } }]);
  });
});

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
  const answered = leg.answer({ writeNumber: (number) => number.slice(1) });
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

describe('a leg that is referred to another party', () => {
  const NEXT = { signallingHost: '192.0.2.9', isSecure: false };
  const DIALOG = { callId: 'new' } as unknown as StoredDialog;
  const REQUEST = { ringTimeoutMs: 10_000 } as DialRequest;
  const target = {
    user: '1',
    host: 'h',
    ownHost: null,
    hasReplaces: false,
    headers: [{ name: 'Referred-By', value: '<sip:a@h>' }],
  };

  function referred() {
    const sent: string[] = [];
    const invites: LegInvite[] = [];
    const about = setup({
      ...CONTROL,
      hangUp: (call) => sent.push(`hang up ${call}`),
      answerRefer: (call, status) => sent.push(`${status} for ${call}`),
      reportReferral: (call, status) => sent.push(`report ${status} to ${call}`),
      invite: (_leg, invite) => {
        invites.push(invite);
        invite.onCall(2, '192.0.2.7');
      },
    });
    about.leg.begin(1, NEXT);
    about.agree({});
    about.leg.take({ type: 'answered', dialog: DIALOG }, 1);
    about.events.length = 0;
    const refer = (call = 1): LegReferral | undefined => {
      about.leg.take({ type: 'refer-received', target }, call);
      return about.events.flatMap((event) => (event.type === 'referral' ? [event.referral] : [])).at(-1);
    };
    const follow = async () => {
      const referral = refer();
      if (!(referral instanceof SipReferral)) throw new Error('There is no referral');
      return referral.follow(REQUEST);
    };
    return { ...about, sent, invites, refer, follow };
  }

  it('calls the party with what the REFER says about headers, and transfers nobody meanwhile', async () => {
    const { leg, sent, invites, follow } = referred();
    expect(follow()).toBeInstanceOf(Promise);
    expect(await leg.transfer('+12025550101', 1000)).toEqual({ result: 'failed', sipStatus: 491 });
    expect(sent).toEqual(['202 for 1']);
    expect(invites[0]?.request.headers).toEqual(target.headers);
  });

  it('gives the party as long as the call to it may ring', async () => {
    const { sent, clock, leg, follow, events } = referred();
    const outcome = follow();
    clock.advance(10_000);
    expect(sent).toEqual(['202 for 1', 'hang up 2']);
    leg.take({ type: 'ended', end: { by: 'cancel' } }, 2);
    expect(await outcome).toEqual({ isConnected: false, sipStatus: 408 });
    expect(sent.at(-1)).toBe('report 408 to 1');
    expect(events.map(({ type }) => type)).toEqual(['referral']);
  });

  it('hangs up a far end that stays after the success', async () => {
    const { sent, clock, leg, follow } = referred();
    const outcome = follow();
    leg.take({ type: 'answered', dialog: DIALOG }, 2);
    expect(await outcome).toEqual({ isConnected: true, sipStatus: 200 });
    expect(sent).toEqual(['202 for 1', 'report 200 to 1']);
    clock.advance(3000);
    expect(sent.at(-1)).toBe('hang up 1');
  });

  it('hangs up that far end with the leg', async () => {
    const { sent, leg, follow } = referred();
    const outcome = follow();
    leg.take({ type: 'answered', dialog: DIALOG }, 2);
    await outcome;
    leg.end({ cause: 'remote-hang-up', detail: '' });
    expect(sent.at(-1)).toBe('hang up 1');
  });

  it('does not follow a redirect of the party', async () => {
    const { sent, leg, follow } = referred();
    const outcome = follow();
    leg.take({ type: 'redirected', targets: [] }, 2);
    expect(sent.at(-1)).toBe('hang up 2');
    leg.take({ type: 'ended', end: { by: 'redirect-refused', status: 302, why: 'loop' } }, 2);
    expect(await outcome).toEqual({ isConnected: false, sipStatus: 503 });
  });

  it('ends with the call to the party when we hang up', async () => {
    const { sent, leg, follow, events } = referred();
    const outcome = follow();
    const hangUp = leg.hangUp();
    expect(sent).toEqual(['202 for 1', 'hang up 2', 'hang up 1']);
    leg.take({ type: 'ended', end: { by: 'local-bye' } }, 1);
    leg.take({ type: 'ended', end: { by: 'cancel' } }, 2);
    await hangUp;
    expect(await outcome).toEqual({ isConnected: false, sipStatus: 487 });
    expect(events.at(-1)).toMatchObject({ type: 'ended', end: { cause: 'local-hang-up' } });
  });

  it('declines the sixth REFER of a call, and one during another transfer', () => {
    const { sent, leg, refer, follow } = referred();
    for (let count = 0; count < 4; count += 1) refer()?.refuse(403);
    expect(follow()).toBeInstanceOf(Promise);
    leg.take({ type: 'ended', end: { by: 'cancel' } }, 2);
    sent.length = 0;
    refer();
    expect(sent).toEqual(['603 for 1']);
    const other = referred();
    expect(other.leg.transfer('+12025550101', 1000)).toBeInstanceOf(Promise);
    other.refer();
    expect(other.sent).toEqual(['603 for 1']);
  });
});
