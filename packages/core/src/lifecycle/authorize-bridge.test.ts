import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeBridge, permitted, REAL_NUMBER } from '../../test/arrange-bridge.ts';
import {
  arrange,
  endOf,
  freshNumber,
  killVoiceProcess,
  makeAnsweredCall,
  makeCall,
  makeTestLine,
  makeVoiceProcess,
} from '../../test/arrange.ts';
import { slowToHear } from '../../test/slow-to-hear.ts';
import { setAccountLimit, setTrunkLimits, setTrunkPause } from '../../test/arrange-limits.ts';
import { addToDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { authorizeBridge } from './authorize-bridge.ts';
import { closeLostCall } from './close-lost-call.ts';
import { finishCall } from './finish-call.ts';
import { requestHangUp } from './request-hang-up.ts';

const database = useTestDatabase();
const setup = (numbers?: string[]) => arrangeBridge(database.db, numbers);
type Setup = Awaited<ReturnType<typeof setup>>;

const refused = (reason: string) => ({ isAllowed: false, reason });
const events = statement<{ type: string; detail: unknown }>(
  '',
  'select type, detail from call_events where call_id = $1 order by id desc limit 1',
);

/** Before all other trunks in their order. */
const pauseFirst = statement(
  '',
  "update trunks set id = -id, paused_until = now() + '100 years', pause_seconds = 60 where id = $1",
);

describe('the second leg of a bridge', () => {
  it('has its Call-ID and its process before anything is sent', async () => {
    const { ask, legs, listed, callId, fence, ctx } = await setup();
    const { bridgeId, sipCallId } = permitted(await ask());
    expect(await legs()).toMatchObject([
      {
        callId: bridgeId,
        sipCallId,
        clientPhoneNumber: listed,
        voiceProcessId: fence.processId,
        inviteSentAt: new Date(ctx.clock.now()),
        answeredAt: null,
        dialog: null,
      },
    ]);
    expect(await ctx.db.query(events, [callId])).toMatchObject([{ type: 'call_bridge' }]);
  });

  const obstacles: [what: string, reason: string, arrange: (about: Setup) => Promise<unknown>][] = [
    [
      'is on the do-not-call list',
      'do_not_call',
      ({ ctx, identity, listed: phoneNumber }) =>
        addToDoNotCallList(ctx, identity, { phoneNumber, reason: '' }),
    ],
    ['is in a call', 'in_call', (about) => makeCall(about, about.listed)],
    [
      'belongs to a call that is to end',
      'over',
      ({ ctx, identity, callId }) => requestHangUp(ctx, identity, callId),
    ],
    ['belongs to a call that is over', 'over', (about) => finishCall(about.ctx, endOf(about, about.callId))],
  ];
  it.each(obstacles)('is not dialed to a number that %s', async (_what, reason, arrangeObstacle) => {
    const about = await setup();
    await arrangeObstacle(about);
    expect(await about.ask()).toEqual(refused(reason));
    expect(await about.legs()).toEqual([]);
  });

  it('is dialed only to listed destinations, and never to a real number on a trunk for fictional ones', async () => {
    const { ask } = await setup();
    expect(await ask(freshNumber())).toEqual(refused('not_listed'));
    expect(await ask(REAL_NUMBER)).toEqual(refused('no_line'));
  });

  it('is dialed to the destinations of a warm transfer too, and to no others', async () => {
    const phoneNumber = freshNumber();
    const data = { destinations: [{ name: 'Ann', phone_number: phoneNumber }], announcement: 'Press 1.' };
    const about = await arrange(database.db, { tools: [{ type: 'warm_call_transfer', ...data }] });
    const call = { callId: await makeAnsweredCall(about), fence: about.fence };
    expect(await authorizeBridge(about.ctx, { ...call, phoneNumber: freshNumber() })).toEqual(
      refused('not_listed'),
    );
    permitted(await authorizeBridge(about.ctx, { ...call, phoneNumber }));
  });

  it('is dialed only by the process that owns the call', async () => {
    const { ctx, callId, listed: phoneNumber } = await setup();
    const fence = await makeVoiceProcess(ctx);
    await expect(authorizeBridge(ctx, { callId, phoneNumber, fence })).rejects.toThrow(/fenced|another/i);
  });
});

describe('a process that was frozen before it heard the answer', () => {
  it('is not dialed, and its slot is free', async () => {
    const { ctx, callId, listed: phoneNumber, fence, legs, ask } = await setup();
    const late = await authorizeBridge(slowToHear(ctx), { callId, phoneNumber, fence });
    expect(late).toEqual(refused('too_late'));
    expect(await legs()).toEqual([]);
    permitted(await ask());
  });

  it('is not dialed for a call that has ended meanwhile', async () => {
    const { ctx, callId, listed: phoneNumber, fence, legs } = await setup();
    const meanwhile = async (): Promise<void> => {
      await killVoiceProcess(ctx, fence);
      await closeLostCall(ctx, callId);
    };
    const late = await authorizeBridge(slowToHear(ctx, meanwhile), { callId, phoneNumber, fence });
    expect(late).toEqual(refused('too_late'));
    expect(await legs()).toEqual([]);
  });
});

describe('the slot of a second leg', () => {
  const limits: [what: string, reason: string, set: (about: Setup, calls: number) => Promise<void>][] = [
    ['the account', 'account_calls', (about, calls) => setAccountLimit(about, calls)],
    ['the trunk', 'trunk_calls', (about, maxCalls) => setTrunkLimits(about, { maxCalls })],
  ];
  it.each(limits)('counts for %s', async (_what, reason, set) => {
    const about = await setup();
    await set(about, 1);
    expect(await about.ask()).toEqual(refused(reason));
    expect(await about.legs()).toEqual([]);
    expect(await about.ctx.db.query(events, [about.callId])).toEqual([
      { type: 'call_transfer_refused', detail: { reason } },
    ]);
    await set(about, 2);
    permitted(await about.ask());
    await expect(makeCall(about)).rejects.toMatchObject({ kind: 'invalid' });
    await set(about, 3);
    await expect(makeCall(about)).resolves.toBeGreaterThan(0);
  });

  it.each(limits)(
    'is given once where %s has one left and four ask at the same time',
    async (_what, _reason, set) => {
      const numbers = [freshNumber(), freshNumber(), freshNumber(), freshNumber()];
      const about = await setup(numbers);
      const callIds = [about.callId];
      for (const _number of numbers.slice(1)) callIds.push(await makeAnsweredCall(about));
      await set(about, 5);
      const answers = await Promise.all(numbers.map((number, index) => about.ask(number, callIds[index])));
      expect(answers.filter(({ isAllowed }) => isAllowed)).toHaveLength(1);
    },
  );

  it('counts for the trunk of the call, not for another one of the same account', async () => {
    const about = await setup();
    const paused = await makeTestLine(about.ctx, about.identity.userId);
    await about.ctx.db.query(pauseFirst, [paused]);
    permitted(await about.ask());
  });

  it('is not given on a trunk that is paused', async () => {
    const about = await setup();
    await setTrunkPause(about, { until: new Date(about.clock.now() + 60_000), seconds: 60 });
    expect(await about.ask()).toEqual(refused('trunk_paused'));
  });

  it('waits for the turn of a trunk that begins so many calls a second, and holds nothing meanwhile', async () => {
    const numbers = [freshNumber(), freshNumber()];
    const about = await setup(numbers);
    await setTrunkLimits(about, { maxCps: 1 });
    permitted(await about.ask(numbers[0]));
    expect(await about.ask(numbers[1])).toEqual({
      ...refused('wait'),
      waitMs: expect.any(Number) as number,
    });
    expect(await about.legs()).toHaveLength(1);
  });
});

describe('a number that a caller is put through to', () => {
  it('is in a call, so no other call dials it', async () => {
    const about = await setup();
    permitted(await about.ask());
    expect(await about.ask()).toEqual(refused('in_call'));
    await expect(makeCall(about, about.listed)).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('is dialed once when a call to it is placed at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const about = await setup();
      const [bridge, call] = await Promise.allSettled([about.ask(), makeCall(about, about.listed)]);
      const isBridged = bridge.status === 'fulfilled' && bridge.value.isAllowed;
      expect([isBridged, call.status === 'fulfilled'].filter(Boolean)).toHaveLength(1);
    }
  });
});
