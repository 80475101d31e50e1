import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, killVoiceProcess, makeUser } from '../../test/arrange.ts';
import { setAccountLimit } from '../../test/arrange-limits.ts';
import { overlapping } from '../../test/overlapping.ts';
import { claimWebCall } from './claim-web-call.ts';
import { deleteAssistant } from '../assistants/delete-assistant.ts';
import { findCall } from '../calls/find-call.ts';
import { placeWebCall } from './place-web-call.ts';
import { planDial } from './plan-dial.ts';
import { recordCallEvent } from './record-call-event.ts';
import { sweepCalls } from './sweep-calls.ts';

const database = useTestDatabase();

async function setup() {
  const about = await arrange(database.db);
  const { ctx, identity, assistant, fence } = about;
  const { callId, ticket } = await placeWebCall(ctx, identity, {
    assistantId: assistant.id,
    variables: { name: 'Bo' },
  });
  const claim = (given = ticket) => claimWebCall(ctx, { ticket: given, voiceProcess: fence });
  return { ...about, callId, ticket, claim, detail: () => findCall(ctx, identity, callId) };
}

describe('a call from the browser', () => {
  it('is written as one, without numbers', async () => {
    const { ctx, callId, detail } = await setup();
    expect(await detail()).toMatchObject({
      type: 'web',
      status: 'initiated',
      assistant_phone_number: '',
      client_phone_number: '',
    });
    expect(await planDial(ctx, callId)).toMatchObject({ do: 'nothing' });
  });

  it('a user may have several at once', async () => {
    const { ctx, identity, assistant } = await setup();
    await expect(placeWebCall(ctx, identity, { assistantId: assistant.id })).resolves.toBeDefined();
  });

  it('takes one of the calls that the account may have at the same time', async () => {
    const about = await setup();
    const { ctx, identity, assistant } = about;
    const place = (core: typeof ctx) => placeWebCall(core, identity, { assistantId: assistant.id });
    await setAccountLimit(about, 2);
    const second = await overlapping(ctx, place, () => place(ctx));
    expect(second).toMatchObject({
      kind: 'too-many',
      message: expect.stringContaining('concurrent call limit'),
    });
    await setAccountLimit(about, 3);
    await expect(place(ctx)).resolves.toBeDefined();
  });

  it('its ticket lets one in, also when several come at once', async () => {
    const { callId, claim } = await setup();
    const claims = await Promise.all(Array.from({ length: 5 }, () => claim()));
    expect(claims.filter((call) => call !== null)).toMatchObject([
      { callId, type: 'web', trunk: null, variables: { name: 'Bo' } },
    ]);
    expect(await claim()).toBeNull();
  });

  it('belongs to the process that was shown the ticket', async () => {
    const { ctx, fence, callId, claim } = await setup();
    await claim();
    const answered = await recordCallEvent(ctx, { callId, event: 'answered', at: new Date(0), fence });
    expect(answered).toEqual({ status: 'in-progress', isApplied: true });
  });

  it('a wrong ticket, a late one, or a fenced process gets nothing', async () => {
    const { ctx, clock, fence, claim } = await setup();
    expect(await claim('wrong')).toBeNull();
    clock.advance(60_000);
    expect(await claim()).toBeNull();
    const other = await setup();
    await killVoiceProcess(ctx, fence);
    await killVoiceProcess(other.ctx, other.fence);
    expect(await other.claim()).toBeNull();
  });

  it('its ticket ends with the assistant', async () => {
    const { ctx, identity, assistant, claim } = await setup();
    await deleteAssistant(ctx, identity, assistant.id);
    expect(await claim()).toBeNull();
  });

  it('that is never joined ends as failed', async () => {
    const { ctx, clock, detail } = await setup();
    await sweepCalls(ctx, { hasBeenReachableForMs: 0, unreachable: [] });
    expect((await detail()).status).toBe('initiated');
    clock.advance(60_001);
    await sweepCalls(ctx, { hasBeenReachableForMs: 0, unreachable: [] });
    expect(await detail()).toMatchObject({ status: 'failed', ended_reason: 'not_connected' });
  });

  it("cannot be made with another user's assistant", async () => {
    const { ctx, assistant } = await setup();
    const attempt = placeWebCall(ctx, await makeUser(ctx), { assistantId: assistant.id });
    await expect(attempt).rejects.toMatchObject({ kind: 'not-found' });
  });
});
