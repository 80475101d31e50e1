/** Written conversations in each of their states, in which customers write what the script of the demo assistants expects. */
import type { Installation } from '@parley/e2e';

const BOOKING = ['On Wednesday, please.', 'In the afternoon', 'Sarah', 'Yes, that is right.'];

/** @returns the id of one that ended with an appointment */
export async function seedConversations(installation: Installation, assistant: number): Promise<string> {
  const post = async (path: string, body: object): Promise<{ conversation_id: string }> =>
    (await installation.request('POST', path, body)) as { conversation_id: string };
  const begun = await post('/api/conversations', {
    assistant_id: assistant,
    variables: { practice: 'Northside Dental', page: '/appointments' },
  });
  const booked = begun.conversation_id;
  for (const message of BOOKING) await post(`/api/conversations/${booked}/messages`, { message });
  const ask = (identifier: string, message: string) =>
    post('/api/ai/generate-reply', { assistant_id: assistant, customer_identifier: identifier, message });
  await ask('+12125550147', 'Friday would be good.');
  const taken = await ask(
    'order 4711',
    'I would like to speak with a person about the invoice of my last visit.',
  );
  await post(`/api/automate/conversations/${taken.conversation_id}/disable-ai`, {});
  await ask('order 4711', 'Is somebody there?');
  await post('/api/conversations', { assistant_id: assistant, type: 'test' });
  return booked;
}
