import { randomUUID } from 'node:crypto';
import {
  addNumber,
  createAssistant,
  findCall,
  listInboundRefusals,
  listTrunks,
  setInboundRoute,
} from '@parley/core';
import { createAssistantBody, inboundRouteBody } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CallLeg, HeaderNumbers } from '@parley/telephony';
import { FakeLeg, NO_NUMBERS } from '@parley/telephony/fakes';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeVoice, freshNumber, storedEnd, timeline, type VoiceOptions } from '../test/arrange-voice.ts';
import { takeInboundCall } from './inbound-call.ts';

const database = useTestDatabase();
const TRUNK_ADDRESS = '127.0.0.1';

const newestCall = statement<{ id: number }>(
  '',
  'select id from calls where user_id = $1 order by id desc limit 1',
);

const setRtpTimeout = statement(
  '',
  'update trunks set rtp_timeout_seconds = 60 where user_id is null or user_id = $1',
);
const setCallerSource = statement('', 'update trunks set inbound_caller_source = $1');
const resetRtpTimeouts = statement('', 'update trunks set rtp_timeout_seconds = null');

async function setup({ webhook, ...options }: VoiceOptions & { webhook?: string } = {}) {
  const about = await arrangeVoice(database.db, options);
  const { core, identity, voice } = about;
  const to = freshNumber();
  const [trunk] = await listTrunks(core, identity);
  const number = await addNumber(core, identity, {
    phone_number: to,
    sip_trunk_id: trunk?.id ?? 0,
    type_label: 'Normal',
  });
  const { id: assistantId } = await createAssistant(
    core,
    identity,
    createAssistantBody.parse(
      newAssistant({
        calls_direction: 'receive',
        phone_number_id: number.id,
        ...(webhook === undefined ? {} : { inbound_webhook_url: webhook }),
      }),
    ),
  );
  const receive = (changes: { to?: string } = {}) =>
    new FakeLeg({ id: randomUUID(), direction: 'inbound', from: freshNumber(), to, ...changes });
  const callId = async () => (await core.db.query(newestCall, [identity.userId]))[0]?.id;
  const end = async () => storedEnd(core, (await callId()) ?? 0);
  /** Offers a leg; resolves when its call has left this process. */
  const offer = (leg: FakeLeg, sourceAddress = TRUNK_ADDRESS, numbers: Partial<HeaderNumbers> = {}) =>
    takeInboundCall(voice, leg, { ...NO_NUMBERS, sourceAddress, toHeader: leg.to, ...numbers });
  return { ...about, to, number, assistantId, receive, offer, callId, end };
}

type Arranged = Awaited<ReturnType<typeof setup>>;

describe('an inbound call', () => {
  it('rings, is answered, and is held in a slot until its end is stored', async () => {
    const { receive, offer, voice, end, engines, clock } = await setup();
    const leg = receive();
    const held = offer(leg);
    await expect.poll(() => leg.requests, { timeout: 10_000 }).toEqual(['ring', 'answer']);
    expect(voice.calls.size).toBe(1);
    leg.hangUpAtFarEnd();
    await held;
    expect(voice.calls.size).toBe(0);
    expect(await end()).toMatchObject({ endedReason: 'customer_hung_up', isLive: false });
    expect(engines.released).toBe(1);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('has the silence limit of its trunk', async () => {
    const { core, identity, receive, offer } = await setup();
    await core.db.query(setRtpTimeout, [identity.userId]);
    const leg = receive();
    const held = offer(leg);
    await expect
      .poll(() => leg.answerSettings, { timeout: 10_000 })
      .toEqual({
        silenceLimitMs: 60_000,
        dtmf: 'auto',
        writeNumber: expect.any(Function) as unknown,
        encryption: 'none',
      });
    leg.hangUpAtFarEnd();
    await held;
    await core.db.query(resetRtpTimeouts);
  });

  it('is rejected with 503 by a process that is full, and leaves no record', async () => {
    const { receive, offer, voice, callId } = await setup({ capacity: 1 });
    voice.calls.add({ callId: 1, state: () => 'talking', hangUp: () => undefined });
    const leg = receive();
    await offer(leg);
    expect(leg.requests).toEqual(['reject 503']);
    expect(await callId()).toBeUndefined();
  });

  it('is rejected with 503 when others that arrived at the same time have taken the slots', async () => {
    const { receive, offer, voice } = await setup({ capacity: 2 });
    const legs = Array.from({ length: 6 }, () => receive());
    const held = legs.map((leg) => offer(leg));
    const isAnswered = ({ requests }: FakeLeg) => requests.includes('answer');
    await expect.poll(() => legs.filter(isAnswered).length, { timeout: 10_000 }).toBe(2);
    const refused = legs.filter(({ requests }) => requests.includes('reject 503'));
    expect(refused).toHaveLength(4);
    expect(voice.calls.free).toBe(0);
    for (const leg of legs) leg.hangUpAtFarEnd();
    await Promise.all(held);
    expect(voice.calls.free).toBe(2);
  });

  it('for an unknown number counts against a stranger, and not against a trunk', async () => {
    const { receive, offer, endpoint, voice } = await setup();
    await offer(receive({ to: freshNumber() }));
    expect(endpoint.strangers).toEqual([]);
    await offer(receive({ to: freshNumber() }), '192.0.2.1');
    await offer(receive(), '192.0.2.1');
    expect(endpoint.strangers).toEqual(['192.0.2.1', '192.0.2.1']);
    voice.calls.drain();
    await offer(receive(), '192.0.2.1');
    expect(endpoint.strangers).toHaveLength(2);
  });

  it('finds its number in P-Called-Party-ID', async () => {
    const { receive, offer, to } = await setup();
    const leg = receive({ to: 'account-7' });
    const held = offer(leg, TRUNK_ADDRESS, { calledPartyId: to });
    await expect.poll(() => leg.requests, { timeout: 10_000 }).toEqual(['ring', 'answer']);
    leg.hangUpAtFarEnd();
    await held;
  });

  it('shows the identity that its trunk asserts, and who diverted it', async () => {
    const { core, identity, receive, offer, callId } = await setup();
    await core.db.query(setCallerSource, ['p_asserted_identity']);
    const leg = receive();
    const held = offer(leg, TRUNK_ADDRESS, {
      assertedIdentity: '+12025550171',
      isPrivate: true,
      firstDiverting: '12025550172',
    });
    await expect.poll(() => leg.requests, { timeout: 10_000 }).toEqual(['ring', 'answer']);
    leg.hangUpAtFarEnd();
    await held;
    await core.db.query(setCallerSource, ['from']);
    expect(await findCall(core, identity, (await callId()) ?? 0)).toMatchObject({
      client_phone_number: '+12025550171',
      diverted_from: '+12025550172',
    });
  });

  it('that is refused is counted by its reason', async () => {
    const { receive, offer, voice, core } = await setup();
    const counts = async () =>
      new Map((await listInboundRefusals(core)).map((row) => [row.reason, row.count]));
    const before = await counts();
    await offer(receive({ to: freshNumber() }));
    await offer(receive(), '192.0.2.1');
    voice.calls.drain();
    await offer(receive());
    await offer(receive());
    await voice.background.settled();
    const after = await counts();
    const added = [...after].map(([reason, count]) => [reason, count - (before.get(reason) ?? 0)]);
    expect(Object.fromEntries(added)).toMatchObject({ unknown_number: 1, other_trunk: 1, full: 2 });
  });

  it('is rejected with 503 by a process that drains', async () => {
    const { receive, offer, voice } = await setup();
    voice.calls.drain();
    const leg = receive();
    await offer(leg);
    expect(leg.requests).toEqual(['reject 503']);
  });

  it('is rejected with 503 by a process without a lease', async () => {
    const { receive, offer, voice, callId, log } = await setup();
    await voice.lease.stop();
    const leg = receive();
    await offer(leg);
    expect(leg.requests).toEqual(['reject 503']);
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
    expect(await callId()).toBeUndefined();
  });

  it('is rejected as core says: 404 for an unknown number and from a foreign address', async () => {
    const { receive, offer, callId, log } = await setup();
    const unknown = receive({ to: freshNumber() });
    await offer(unknown);
    expect(unknown.requests).toEqual(['reject 404']);
    const refused = { msg: 'An inbound call was refused', sipStatus: 404, reason: 'unknown_number' };
    expect(log).toContainEqual(expect.objectContaining(refused));
    const foreign = receive();
    await offer(foreign, '192.0.2.1');
    expect(foreign.requests).toEqual(['reject 404']);
    expect(await callId()).toBeUndefined();
  });

  it('that the caller cancels before the answer is recorded as not answered', async () => {
    const { receive, offer, end } = await setup();
    const leg = receive();
    leg.hangUpAtFarEnd();
    await offer(leg);
    expect(await end()).toEqual({ status: 'no-answer', endedReason: 'caller_cancelled', isLive: false });
  });

  it('is rejected and recorded as failed when its assistant cannot speak', async () => {
    const { receive, offer, end, engines, voice } = await setup();
    engines.fault = new Error('no such voice');
    const leg = receive();
    await offer(leg);
    expect(leg.requests).toEqual(['ring', 'reject 503']);
    expect(await end()).toEqual({ status: 'failed', endedReason: 'internal_error', isLive: false });
    expect(voice.calls.size).toBe(0);
  });

  it('is rejected with 503 while the database is unavailable', async () => {
    const { receive, offer, core, log } = await setup();
    core.db.query = async () => Promise.reject(new Error('Connection terminated unexpectedly'));
    const leg = receive();
    await offer(leg);
    expect(leg.requests).toEqual(['reject 503']);
    expect(log.map(({ msg }) => msg)).toContain('An inbound call could not be accepted');
  });

  it('ends with BYE and a reason when its answer fails', async () => {
    const { receive, offer, end, voice } = await setup();
    const leg = receive();
    leg.answer = async () => {
      leg.answerAtFarEnd();
      throw new Error('No RTP port is free');
    };
    await offer(leg);
    expect(leg.requests).toEqual(['ring', 'hang-up']);
    expect(await end()).toMatchObject({ endedReason: 'internal_error', isLive: false });
    expect(voice.calls.size).toBe(0);
  });

  it.each([
    ['operator', false],
    ['member', true],
  ] as const)('asks the server of one %s at public addresses only: %s', async (role, isPublicOnly) => {
    const { receive, offer, voice, core, identity } = await setup({ webhook: 'http://127.0.0.1:9/hook' });
    await core.db.query(statement('', 'update users set role = $2 where id = $1'), [identity.userId, role]);
    const asked = Promise.withResolvers<unknown>();
    voice.owners = {
      send: async (request) => {
        asked.resolve(request);
        return { error: 'given up' };
      },
    };
    const leg = receive();
    const held = offer(leg);
    expect(await asked.promise).toMatchObject({ isPublicOnly });
    leg.hangUpAtFarEnd();
    await held;
  });

  it('that was ended while its owner was asked is not answered', async () => {
    const { receive, offer, end, voice, callId } = await setup({ webhook: 'http://127.0.0.1:9/hook' });
    voice.owners = {
      send: async ({ signal }) => {
        voice.calls.find((await callId()) ?? 0)?.hangUp({ by: 'operator', reason: 'hang_up_requested' });
        expect(signal?.aborted).toBe(true);
        return { error: 'given up' };
      },
    };
    const leg = receive();
    await offer(leg);
    expect(leg.requests).toEqual(['ring', 'hang-up']);
    expect(await end()).toEqual({ status: 'failed', endedReason: 'hang_up_requested', isLive: false });
  });
});

describe('a call that a route answers', () => {
  it('hears the message of the owner and is ended', async () => {
    const { offer, receive, number, core, identity, assistantId, end, clock } = await setup();
    const route = { timezone: 'UTC', rules: [], otherwise: { type: 'message', text: 'Closed.' } };
    const otherwise = { ...route.otherwise, assistant_id: assistantId };
    await setInboundRoute(core, identity, number.id, inboundRouteBody.parse({ ...route, otherwise }));
    const leg = receive();
    const held = offer(leg);
    await expect.poll(() => leg.requests, { timeout: 10_000 }).toEqual(['ring', 'answer']);
    await expect
      .poll(
        async () => {
          await clock.advanceAsync(20, 20);
          leg.media.passFrame();
          return leg.requests;
        },
        { timeout: 10_000, interval: 1 },
      )
      .toEqual(['ring', 'answer', 'hang-up']);
    await held;
    expect(Math.max(...leg.media.heard)).toBeGreaterThan(0);
    expect(await end()).toMatchObject({ status: 'completed', endedReason: 'route_message', isLive: false });
  });

  it('is refused without a record where the route refuses it', async () => {
    const { offer, receive, number, core, identity, callId } = await setup();
    const body = inboundRouteBody.parse({ timezone: 'UTC', otherwise: { type: 'reject' } });
    await setInboundRoute(core, identity, number.id, body);
    const before = (await listInboundRefusals(core)).find(({ reason }) => reason === 'route')?.count ?? 0;
    const leg = receive();
    await offer(leg);
    expect(leg.requests).toEqual(['reject 486']);
    expect(await callId()).toBeUndefined();
    await expect
      .poll(async () => (await listInboundRefusals(core)).find(({ reason }) => reason === 'route')?.count)
      .toBe(before + 1);
  });
});

describe('a caller who waits in the queue of a number', () => {
  async function setupQueue(
    queue: Record<string, unknown> = {},
    options: VoiceOptions = {},
    given?: Arranged,
  ) {
    const about = given ?? (await setup(options));
    const { core, identity, number, assistantId, receive, offer } = about;
    const route = {
      timezone: 'UTC',
      otherwise: { type: 'assistant', assistant_id: assistantId },
      queue: { max_calls: 1, text: 'Number {{queue_position}}.', overflow: { type: 'reject' }, ...queue },
    };
    await setInboundRoute(core, identity, number.id, inboundRouteBody.parse(route));
    const arrive = () => {
      const leg = receive();
      return { leg, held: offer(leg) };
    };
    const first = arrive();
    await expect.poll(() => first.leg.requests, { timeout: 10_000 }).toEqual(['ring', 'answer']);
    await expect.poll(() => about.voice.calls.size).toBe(1);
    const waiting = arrive();
    await expect.poll(() => waiting.leg.requests, { timeout: 10_000 }).toEqual(['ring', 'answer']);
    const waitingId = (await about.callId()) ?? 0;
    const types = async () => (await timeline(core, waitingId)).map(({ type }) => type);
    await expect.poll(types, { timeout: 10_000 }).toContain('queue_answered');
    const pass = async (ms: number) => {
      await about.clock.advanceAsync(ms, 100);
      for (let frame = 0; frame < 5; frame += 1) waiting.leg.media.passFrame();
    };
    return { ...about, arrive, first, waiting, waitingId, types, pass };
  }

  it('hears music and the position, and is connected when a conversation ends', async () => {
    const { first, waiting, pass, engines, types, voice, core, waitingId } = await setupQueue();
    await expect
      .poll(
        async () => {
          await pass(100);
          const { ambience, heard } = waiting.leg.media;
          return ambience?.samples === engines.music && heard.some((sample) => Math.abs(sample) > 2);
        },
        { timeout: 10_000 },
      )
      .toBe(true);
    expect(voice.calls.size).toBe(1);
    first.leg.hangUpAtFarEnd();
    await first.held;
    await expect
      .poll(
        async () => {
          await pass(500);
          return types();
        },
        { timeout: 10_000 },
      )
      .toContain('answered');
    expect(waiting.leg.media.ambience).toBeNull();
    const left = (await timeline(core, waitingId)).find(({ type }) => type === 'queue_left');
    expect(left?.detail).toMatchObject({ outcome: 'connected' });
    expect(voice.calls.size).toBe(1);
    waiting.leg.hangUpAtFarEnd();
    await waiting.held;
    expect(await storedEnd(core, waitingId)).toMatchObject({
      endedReason: 'customer_hung_up',
      isLive: false,
    });
    expect(engines.released).toBe(engines.opened);
    expect(voice.calls.free).toBe(10);
  });

  it('leaves by hanging up', async () => {
    const { first, waiting, pass, types, core, waitingId, voice } = await setupQueue();
    await pass(1_000);
    waiting.leg.hangUpAtFarEnd();
    await waiting.held;
    expect(await storedEnd(core, waitingId)).toEqual({
      status: 'no-answer',
      endedReason: 'left_queue',
      isLive: false,
    });
    expect(await types()).toContain('queued');
    first.leg.hangUpAtFarEnd();
    await first.held;
    expect(voice.calls.free).toBe(10);
  });

  it('is refused after the longest wait', async () => {
    const { first, waiting, pass, core, waitingId } = await setupQueue({ max_wait_seconds: 10 });
    await expect
      .poll(
        async () => {
          await pass(1_000);
          return waiting.leg.requests;
        },
        { timeout: 10_000 },
      )
      .toContain('hang-up');
    await waiting.held;
    expect(await storedEnd(core, waitingId)).toMatchObject({ endedReason: 'queue_timeout', isLive: false });
    first.leg.hangUpAtFarEnd();
    await first.held;
  });

  it('goes on waiting, without a slot, while the database is unavailable at the end of the wait', async () => {
    const about = await setup();
    const overflow = { type: 'message', text: 'Please call again.', assistant_id: about.assistantId };
    const { first, waiting, pass, core, voice, log } = await setupQueue(
      { max_wait_seconds: 10, overflow },
      {},
      about,
    );
    const transaction = core.db.transaction.bind(core.db);
    core.db.transaction = async () => Promise.reject(new Error('Connection terminated unexpectedly'));
    const failures = () => log.filter(({ msg }) => msg === 'The turn of a call in a queue could not be read');
    const passUntil = (isReached: () => boolean) =>
      expect.poll(async () => pass(1_000).then(isReached), { timeout: 10_000 }).toBe(true);
    await passUntil(() => failures().length >= 2);
    expect(voice.calls.free).toBe(9);
    expect(waiting.leg.requests).toEqual(['ring', 'answer']);
    core.db.transaction = transaction;
    await passUntil(() => voice.calls.size === 2);
    for (const { leg, held } of [waiting, first]) {
      leg.hangUpAtFarEnd();
      await held;
    }
    expect(voice.calls.free).toBe(10);
  });

  it('waits with the codecs of its trunk', async () => {
    const { first, waiting, receive, offer } = await setupQueue();
    const order: string[] = [];
    const leg: FakeLeg & Pick<CallLeg, 'allowCodecs'> = receive();
    const onTick = leg.media.onTick.bind(leg.media);
    leg.allowCodecs = () => void order.push('codecs');
    leg.media.onTick = (listener) => {
      order.push('ticks');
      onTick(listener);
    };
    const held = offer(leg);
    await expect.poll(() => leg.requests, { timeout: 10_000 }).toContain('answer');
    expect(order.slice(0, 2)).toEqual(['codecs', 'ticks']);
    for (const caller of [leg, waiting.leg, first.leg]) caller.hangUpAtFarEnd();
    await Promise.all([held, waiting.held, first.held]);
  });

  it('is hung up when its assistant cannot speak at the end of the wait', async () => {
    const { first, waiting, pass, core, waitingId, engines, voice } = await setupQueue();
    await pass(1_000);
    engines.fault = new Error('no such voice');
    first.leg.hangUpAtFarEnd();
    await first.held;
    await expect
      .poll(
        async () => {
          await pass(500);
          return waiting.leg.requests;
        },
        { timeout: 10_000 },
      )
      .toContain('hang-up');
    await waiting.held;
    expect(await storedEnd(core, waitingId)).toMatchObject({ endedReason: 'internal_error', isLive: false });
    expect(voice.calls.free).toBe(10);
  });

  it('is hung up by its owner', async () => {
    const { first, waiting, voice, core, waitingId } = await setupQueue();
    const call = voice.calls.find(waitingId);
    expect(call?.state()).toBe('queued');
    call?.hangUp({ by: 'operator', reason: 'hang_up_requested' });
    await waiting.held;
    expect(await storedEnd(core, waitingId)).toMatchObject({
      status: 'failed',
      endedReason: 'hang_up_requested',
    });
    first.leg.hangUpAtFarEnd();
    await first.held;
  });

  it('gets the slot of a full process before a new call', async () => {
    const { first, waiting, pass, types, arrive, voice } = await setupQueue(
      { max_calls: 5 },
      { capacity: 1 },
    );
    await pass(1_000);
    const late = arrive();
    await expect.poll(() => late.leg.requests, { timeout: 10_000 }).toEqual(['ring', 'answer']);
    first.leg.hangUpAtFarEnd();
    await first.held;
    expect(voice.calls.free).toBe(0);
    await expect
      .poll(
        async () => {
          await pass(500);
          return types();
        },
        { timeout: 10_000 },
      )
      .toContain('answered');
    for (const { leg, held } of [waiting, late]) {
      leg.hangUpAtFarEnd();
      await held;
    }
  });
});
