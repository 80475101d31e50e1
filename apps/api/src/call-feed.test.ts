import { createAssistantBody } from '@parley/contracts';
import {
  bootstrapFirstUser,
  createAssistant,
  createCoreContext,
  diskStorage,
  findCallKey,
  placeCall,
  readCallEvents,
  recordCallEvent,
  type Identity,
} from '@parley/core';
import { ManualClock, silentLog } from '@parley/runtime';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { CallFeed } from './call-feed.ts';

const database = useTestDatabase();
let lastNumber = 110;

/** A feed on a manual clock, and a call to watch. */
async function setup() {
  const clock = new ManualClock(Date.UTC(2030, 0, 1));
  const core = createCoreContext({
    db: database.db,
    log: silentLog,
    clock,
    secretKey: 'a key of at least thirty-two characters',
    recordings: diskStorage('/nowhere'),
  });
  const { user } = await bootstrapFirstUser(core, {});
  const identity: Identity = {
    userId: user.id,
    role: 'operator',
    scopes: 'all',
    tokenId: null,
    timezone: 'UTC',
  };
  const assistant = await createAssistant(core, identity, createAssistantBody.parse(newAssistant()));
  const feed = new CallFeed(core);
  const reader = { userId: user.id, timezone: 'UTC', publicUrl: null };
  const place = async (): Promise<number> => {
    const phoneNumber = `+12025550${lastNumber++}`;
    return (await placeCall(core, identity, { phoneNumber, assistantId: assistant.id })).callId;
  };
  return { clock, core, identity, feed, reader, place };
}

test('what changes between opening and reading is not missed', async () => {
  const { clock, feed, reader, place } = await setup();
  const changes = await feed.open(reader, new AbortController().signal);
  const callId = await place();
  expect(await step(changes, clock)).toMatchObject({ id: callId, status: 'initiated' });
  await feed.stop();
});

test('two pages of one user each receive every change', async () => {
  const { clock, core, feed, reader, place } = await setup();
  const signal = new AbortController().signal;
  const pages = [await feed.open(reader, signal), await feed.open(reader, signal)];
  const callId = await place();
  const first = await Promise.all(pages.map((page) => step(page, clock)));
  await recordCallEvent(core, { callId, event: 'ringing', at: new Date(clock.now()) });
  const second = await Promise.all(pages.map((page) => step(page, clock)));
  expect(first.map((row) => row.status)).toEqual(['initiated', 'initiated']);
  expect(second.map((row) => row.status)).toEqual(['ringing', 'ringing']);
  await feed.stop();
});

/** Advances the clock until the next row arrives. */
async function step(
  page: AsyncGenerator<{ status: string }, void>,
  clock: ManualClock,
): Promise<{ status: string }> {
  const next = page.next().then(({ value }) => value ?? { status: 'the feed ended' });
  for (;;) {
    const row = await Promise.race([next, new Promise<null>((resolve) => setImmediate(() => resolve(null)))]);
    if (row) return row;
    clock.advance(250);
  }
}

test('a reader of one call is woken by the first poll after an event, also if it was not waiting', async () => {
  const { clock, core, identity, feed, place } = await setup();
  const call = await findCallKey(core, identity, await place());
  const watch = feed.watch(call, 0, new AbortController().signal);
  // Without a limit, only the poll can wake it.
  await advancing(watch.untilUnread(Infinity), clock);
  const page = await readCallEvents(core, call, 0);
  expect(page).toMatchObject({ events: [{ record: { type: 'initiated' } }], hasMore: false, end: null });
  watch.last = page?.last ?? 0;
  await recordCallEvent(core, { callId: call.id, event: 'ringing', at: new Date(clock.now()) });
  for (let polls = 0; polls < 3; polls++) await clock.advanceAsync(250, 250);
  await advancing(watch.untilUnread(Infinity), clock);
  expect(await readCallEvents(core, call, watch.last)).toMatchObject({
    events: [{ record: { type: 'ringing' } }],
  });
  await feed.stop();
});

test('a reader of one call whose signal is aborted is woken, and the polling ends', async () => {
  const { clock, core, identity, feed, place } = await setup();
  const call = await findCallKey(core, identity, await place());
  const gone = new AbortController();
  const watch = feed.watch(call, 0, gone.signal);
  const waiting = watch.untilUnread(Infinity);
  gone.abort();
  await waiting;
  expect(watch.ended.aborted).toBe(true);
  await feed.stop();
  expect(clock.pendingTimers()).toBe(0);
});

test('after the last page has disconnected, the database is not polled', async () => {
  const { clock, feed, reader } = await setup();
  const page = new AbortController();
  const changes = await feed.open(reader, page.signal);
  const read = changes.next();
  page.abort();
  expect((await read).done).toBe(true);
  await feed.stop();
  expect(clock.pendingTimers()).toBe(0);
});

test('a stop ends every page', async () => {
  const { clock, feed, reader } = await setup();
  const changes = await feed.open(reader, new AbortController().signal);
  const read = changes.next();
  await feed.stop();
  expect((await read).done).toBe(true);
  expect(clock.pendingTimers()).toBe(0);
});

/** Advances the clock until the promise is resolved. */
async function advancing(promise: Promise<void>, clock: ManualClock): Promise<void> {
  const done = promise.then(() => true);
  const turn = () => new Promise<false>((resolve) => setImmediate(() => resolve(false)));
  while (!(await Promise.race([done, turn()]))) clock.advance(250);
}
