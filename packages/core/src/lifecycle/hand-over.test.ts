/** Assistants that a call may be handed over to: whose they may be, and that they are frozen with the call. */
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, makeAssistant, makeCall, makeUser, type Arrangement } from '../../test/arrange.ts';
import { deleteAssistant } from '../assistants/delete-assistant.ts';
import { updateAssistant } from '../assistants/update-assistant.ts';
import { loadCallForVoice } from '../calls/load-call-for-voice.ts';

const database = useTestDatabase();

const handOver = (assistantId: number, name = 'to_other') => ({
  type: 'assistant_transfer' as const,
  name,
  description: 'For everything else.',
  assistant_id: assistantId,
});

async function setup() {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const make = (tools: unknown[] = [], fields: Record<string, unknown> = {}) =>
    makeAssistant(ctx, identity, { tools, ...fields });
  const load = async (assistant: Arrangement['assistant']) =>
    loadCallForVoice(ctx, await makeCall({ ...about, assistant }));
  const others = async (assistant: Arrangement['assistant']) =>
    (await load(assistant)).others.map((other) => other.assistant.id);
  return { ...about, make, load, others };
}

describe('writing a hand-over', () => {
  it.each(['another user’s', 'a missing', 'a deleted'])('to %s assistant is refused alike', async (whose) => {
    const { ctx, identity, make } = await setup();
    const target = whose === 'another user’s' ? await makeAssistant(ctx, await makeUser(ctx)) : await make();
    if (whose === 'a deleted') await deleteAssistant(ctx, identity, target.id);
    const id = whose === 'a missing' ? 999_999_999 : target.id;
    await expect(make([{ type: 'end_call' }, handOver(id)])).rejects.toMatchObject({
      fields: { 'tools.1.assistant_id': ['The selected tools.1.assistant_id is invalid.'] },
    });
  });

  it('to itself is refused', async () => {
    const { ctx, identity, make } = await setup();
    const { id } = await make();
    const changes = { tools: [handOver(id)] };
    await expect(updateAssistant(ctx, identity, { id, changes })).rejects.toMatchObject({
      fields: { 'tools.0.assistant_id': expect.anything() as unknown },
    });
  });
});

describe('a call', () => {
  it('lists every assistant that it can be handed over to, each once, also in a cycle', async () => {
    const { ctx, identity, make, others } = await setup();
    const third = await make();
    const second = await make([handOver(third.id)]);
    const first = await make([handOver(second.id), handOver(third.id, 'to_third')]);
    await updateAssistant(ctx, identity, { id: third.id, changes: { tools: [handOver(first.id)] } });
    expect(await others(first)).toEqual([second.id, third.id]);
  });

  it('keeps them as they were when it began', async () => {
    const { ctx, identity, make, load } = await setup();
    const second = await make([], { system_prompt: 'As it was.' });
    const first = await make([handOver(second.id)]);
    const call = await load(first);
    await updateAssistant(ctx, identity, { id: second.id, changes: { system_prompt: 'As it is now.' } });
    const again = await loadCallForVoice(ctx, call.callId);
    expect(again.others.map(({ assistant }) => assistant.systemPrompt)).toEqual(['As it was.']);
    expect(again.others[0]?.variables).toEqual({ ...call.others[0]?.variables, name: 'Bo' });
  });

  it('does without those who are inactive or deleted by then', async () => {
    const { ctx, identity, make, others } = await setup();
    const inactive = await make();
    const deleted = await make();
    const first = await make([handOver(inactive.id), handOver(deleted.id, 'to_deleted')]);
    await updateAssistant(ctx, identity, { id: inactive.id, changes: { status: 'inactive' } });
    await deleteAssistant(ctx, identity, deleted.id);
    expect(await others(first)).toEqual([]);
  });

  it('follows no more than ten', async () => {
    const { make, others } = await setup();
    let next = await make();
    for (let more = 0; more < 12; more++) next = await make([handOver(next.id)]);
    expect(await others(next)).toHaveLength(9);
  });
});
