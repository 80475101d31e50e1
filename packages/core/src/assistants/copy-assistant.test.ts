import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeAssistant, makeContext, makeNumber, makeUser } from '../../test/arrange.ts';
import { copyAssistant } from './copy-assistant.ts';
import { findAssistant } from './find-assistant.ts';

const database = useTestDatabase();
async function setup() {
  const { ctx } = makeContext(database.db);
  return { ctx, identity: await makeUser(ctx) };
}

describe('copying an assistant', () => {
  it('keeps every setting but the number, the name and the ids', async () => {
    const { ctx, identity } = await setup();
    const phoneNumberId = await makeNumber({ ctx, identity });
    const source = await makeAssistant(ctx, identity, {
      calls_direction: 'receive',
      phone_number_id: phoneNumberId,
      variables: { company: 'Example' },
      max_call_duration: 77,
    });
    const copy = await copyAssistant(ctx, identity, { id: source.id, name: 'A variant' });
    expect(source.phone_number_id).toBe(phoneNumberId);
    expect(copy.id).not.toBe(source.id);
    const { id, name, uuid, phone_number_id, created_at, updated_at, ...settings } = await findAssistant(
      ctx,
      identity,
      copy.id,
    );
    expect(name).toBe('A variant');
    expect(phone_number_id).toBeNull();
    expect(await findAssistant(ctx, identity, source.id)).toMatchObject(settings);
    expect([id, uuid, created_at, updated_at]).not.toContain(source.id);
  });

  it("is refused for another user's assistant", async () => {
    const { ctx, identity } = await setup();
    const source = await makeAssistant(ctx, identity);
    const stranger = await makeUser(ctx);
    const copying = copyAssistant(ctx, stranger, { id: source.id, name: 'Mine' });
    await expect(copying).rejects.toMatchObject({ kind: 'not-found' });
  });
});
