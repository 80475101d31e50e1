import { authenticateToken, placeCall } from '@parley/core';
import { expect, test } from 'vitest';
import { createTestAssistant, createTestContext, createTestUser } from './factories.ts';
import { useTestDatabase } from './test-database.ts';

const database = useTestDatabase();

test('a test user has a token that works, and can call a fictional number', async () => {
  const core = createTestContext(database.db);
  const { identity, token } = await createTestUser(core);
  expect(await authenticateToken(core, token)).toMatchObject({ userId: identity.userId });
  const assistant = await createTestAssistant(core, identity, { assistant_name: 'Bo' });
  expect(assistant.name).toBe('Bo');
  const { callId } = await placeCall(core, identity, {
    phoneNumber: '+12025550110',
    assistantId: assistant.id,
  });
  expect(callId).toBeGreaterThan(0);
});
