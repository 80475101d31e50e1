import { writtenWidgetSettings } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { deleteAssistant } from '../assistants/delete-assistant.ts';
import { updateAssistant } from '../assistants/update-assistant.ts';
import { findCall } from '../calls/find-call.ts';
import { claimWebCall } from './claim-web-call.ts';
import { recordCallEvent } from './record-call-event.ts';
import { sweepCalls } from './sweep-calls.ts';
import { findWidget, placeWidgetCall } from './widget-calls.ts';

const database = useTestDatabase();
const ORIGIN = 'https://shop.example';
const HOUR_MS = 3_600_000;

const countRows = statement<{ rows: number }>(
  '',
  'select count(*) as rows from widget_calls where user_id = $1',
);

async function setup(settings: Record<string, unknown> = {}) {
  const about = await arrange(database.db);
  const { ctx, identity, assistant, fence } = about;
  const change = (widget: Record<string, unknown>) =>
    updateAssistant(ctx, identity, {
      id: assistant.id,
      changes: { widget_settings: writtenWidgetSettings.parse(widget) },
    });
  await change({ allowed_origins: [ORIGIN], ...settings });
  const place = (visitor = '192.0.2.1', origin = ORIGIN) =>
    placeWidgetCall(ctx, {
      uuid: assistant.uuid,
      origin,
      visitor,
      isAllowed: ({ allowedOrigins }) => allowedOrigins.includes(origin),
    });
  const claim = (ticket: string) => claimWebCall(ctx, { ticket, voiceProcess: fence });
  return { ...about, change, place, claim };
}

const kindOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'placed',
    (error: { kind: string }) => error.kind,
  );

describe('a call of a visitor', () => {
  it('its ticket ends when the assistant is switched off or deleted', async () => {
    for (const isDeleted of [false, true]) {
      const { ctx, identity, assistant, place, claim } = await setup();
      const { ticket } = await place();
      if (isDeleted) await deleteAssistant(ctx, identity, assistant.id);
      else await updateAssistant(ctx, identity, { id: assistant.id, changes: { status: 'inactive' } });
      expect(await claim(ticket)).toBeNull();
    }
  });

  it('is a web call of the owner, with its origin in the timeline, and no longer than the widget allows', async () => {
    const { ctx, identity, place, claim } = await setup({ max_call_duration: 45 });
    const { callId, ticket } = await place();
    expect(await findCall(ctx, identity, callId)).toMatchObject({
      type: 'web',
      status: 'initiated',
      events: [{ type: 'initiated' }, { type: 'widget_used', detail: { origin: ORIGIN } }],
    });
    expect(await claim(ticket)).toMatchObject({
      callId,
      assistant: { maxDurationSeconds: 45 },
    });
    expect(await claim(ticket)).toBeNull();
  });

  it('is refused for another page, without allowed origins, and for an inactive assistant', async () => {
    const { ctx, identity, assistant, place, change } = await setup();
    expect(await kindOf(place('192.0.2.1', 'https://other.example'))).toBe('forbidden');
    await change({});
    expect(await kindOf(place())).toBe('forbidden');
    await updateAssistant(ctx, identity, { id: assistant.id, changes: { status: 'inactive' } });
    expect(await kindOf(place())).toBe('not-found');
    expect(await findWidget(ctx, assistant.uuid)).toBeNull();
  });

  it('requests at the same time cannot exceed the calls at once together', async () => {
    const { place } = await setup({ max_concurrent_calls: 2 });
    const kinds = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((visitor) => kindOf(place(visitor))));
    expect(kinds.toSorted()).toEqual(['placed', 'placed', 'too-many', 'too-many', 'too-many']);
  });

  it('a ticket that nobody used blocks no call after its minute, and an ended call none', async () => {
    const { ctx, clock, fence, place, claim } = await setup({ max_concurrent_calls: 1 });
    await place();
    expect(await kindOf(place('b'))).toBe('too-many');
    clock.advance(60_001);
    const { callId, ticket } = await place('b');
    await claim(ticket);
    expect(await kindOf(place('c'))).toBe('too-many');
    clock.advance(60_001);
    expect(await kindOf(place('c'))).toBe('too-many');
    await recordCallEvent(ctx, { callId, event: 'failed', at: new Date(clock.now()), fence });
    expect(await kindOf(place('c'))).toBe('placed');
  });

  it('one address has at most three calls at once', async () => {
    const { place } = await setup({ max_concurrent_calls: 50 });
    for (let call = 0; call < 3; call += 1) await place();
    expect(await kindOf(place())).toBe('too-many');
    expect(await kindOf(place('192.0.2.2'))).toBe('placed');
  });

  it('calls of the last hour count for the visitor and for the assistant', async () => {
    const { clock, place } = await setup({ max_calls_per_visitor: 1, max_calls_per_hour: 2 });
    await place('a');
    clock.advance(70_000);
    expect(await kindOf(place('a'))).toBe('too-many');
    await place('b');
    clock.advance(70_000);
    expect(await kindOf(place('c'))).toBe('too-many');
    clock.advance(HOUR_MS);
    expect(await kindOf(place('a'))).toBe('placed');
  });

  it('the sweep forgets visitors after an hour', async () => {
    const { ctx, clock, identity, place } = await setup();
    await place();
    const sweep = () => sweepCalls(ctx, { hasBeenReachableForMs: 0, unreachable: [] });
    await sweep();
    expect(await ctx.db.query(countRows, [identity.userId])).toEqual([{ rows: 1 }]);
    clock.advance(HOUR_MS + 1);
    await sweep();
    expect(await ctx.db.query(countRows, [identity.userId])).toEqual([{ rows: 0 }]);
  });
});
