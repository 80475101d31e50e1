import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  freshNumber,
  makeAssistant,
  makeCall,
  makeIntendedCall,
  makeVoiceProcess,
} from '../../test/arrange.ts';
import { addToDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { updateAssistant } from '../assistants/update-assistant.ts';
import { authorizeTransfer } from './authorize-transfer.ts';
import { recordCallEvent } from './record-call-event.ts';

const database = useTestDatabase();
const REAL_NUMBER = '+12024561111';

const transferTo = (...numbers: string[]) => ({
  type: 'call_transfer',
  destinations: numbers.map((phone_number) => ({ name: phone_number, phone_number })),
});

/** A call that was answered, whose assistant may transfer to one fictional number and a real one. */
async function setup() {
  const listed = freshNumber();
  const about = await arrange(database.db, { tools: [transferTo(listed, REAL_NUMBER)] });
  const { ctx, fence, identity } = about;
  const callId = await makeIntendedCall(about);
  const happens = async (event: 'answered' | 'customer-hung-up') =>
    recordCallEvent(ctx, { callId, event, at: new Date(ctx.clock.now()), fence });
  await happens('answered');
  const ask = (phoneNumber = listed, asker = fence) =>
    authorizeTransfer(ctx, { callId, phoneNumber, fence: asker });
  return { ...about, identity, callId, listed, ask, happens };
}

const refused = (reason: string) => ({ isAllowed: false, reason });

describe('the last question before a caller is put through', () => {
  it('is granted for a number of the list, and stands in the timeline', async () => {
    const { ask, ctx, callId } = await setup();
    expect(await ask()).toEqual({ isAllowed: true });
    const events = statement<{ type: string }>(
      '',
      `select type from call_events where call_id = $1 order by id`,
    );
    expect((await ctx.db.query(events, [callId])).at(-1)).toEqual({ type: 'call_transfer' });
  });

  it('a number that is not in the list does not ring, nor one that was added after the call began', async () => {
    const { ask, ctx, identity, assistant } = await setup();
    const added = freshNumber();
    const changes = { tools: [{ ...transferTo(added), ring_timeout_seconds: 30 } as never] };
    await updateAssistant(ctx, identity, { id: assistant.id, changes });
    expect(await ask(added)).toEqual(refused('not_listed'));
    expect(await ask()).toEqual({ isAllowed: true });
  });

  it('a number on the do-not-call list does not ring', async () => {
    const { ask, ctx, identity, listed } = await setup();
    await addToDoNotCallList(ctx, identity, { phoneNumber: listed, reason: '' });
    expect(await ask()).toEqual(refused('do_not_call'));
  });

  it('a real number does not ring on a line for fiction', async () => {
    const { ask } = await setup();
    expect(await ask(REAL_NUMBER)).toEqual(refused('no_line'));
  });

  it('a number that is in a call with this user does not ring again', async () => {
    const about = await setup();
    await makeCall(about, about.listed);
    expect(await about.ask()).toEqual(refused('in_call'));
  });

  it('is refused once the call has ended', async () => {
    const ended = await setup();
    await ended.happens('customer-hung-up');
    expect(await ended.ask()).toEqual(refused('over'));
  });

  it('is refused while the callee has not answered', async () => {
    const { ctx, fence, listed: phoneNumber, ...about } = await setup();
    const callId = await makeIntendedCall({ ...about, ctx, fence });
    expect(await authorizeTransfer(ctx, { callId, phoneNumber, fence })).toEqual(refused('over'));
  });

  it('another process may not ask', async () => {
    const { ask, ctx, listed } = await setup();
    await expect(ask(listed, await makeVoiceProcess(ctx))).rejects.toThrow(/fenced|another/i);
  });

  it('the list of an assistant to whom the call may be handed over counts too', async () => {
    const about = await setup();
    const { ctx, identity, fence } = about;
    const number = freshNumber();
    const other = await makeAssistant(ctx, identity, { tools: [transferTo(number)] });
    const hand = { type: 'assistant_transfer', description: 'For sales.', assistant_id: other.id };
    const assistant = await makeAssistant(ctx, identity, { tools: [hand] });
    const callId = await makeIntendedCall({ ...about, assistant });
    await recordCallEvent(ctx, { callId, event: 'answered', at: new Date(ctx.clock.now()), fence });
    expect(await authorizeTransfer(ctx, { callId, phoneNumber: number, fence })).toEqual({ isAllowed: true });
  });
});
