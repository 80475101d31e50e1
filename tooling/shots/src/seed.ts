/**
 * Fills an installation with realistic data, over the REST API as an integrator does: assistants, calls with the built-in
 * test phones, campaigns with leads, and what the pages of administration list. All numbers are fictional.
 */
import type { PageRows } from '@parley/e2e/admin';
import { placeCall, waitForCall, type Installation } from '@parley/e2e';
import type { WebhookReceiver } from '@parley/testkit';
import { seedAdministration } from './seed-administration.ts';
import { seedAssistants, type SeededAssistants } from './seed-assistants.ts';
import { seedCampaigns } from './seed-campaigns.ts';

/** How long all calls may take: the slowest rings for 45 s and the longest conversation takes a minute. */
const CALLS_LIMIT_MS = 240_000;
/** One of each behaviour of the test phones; the first books an appointment. */
const CALLED_NUMBERS = [
  '+12125550147',
  '+13125550148',
  '+14155550149',
  '+16175550112',
  '+12125550123',
  '+13125550150',
  '+14155550160',
  '+16175550172',
  '+12125550181',
  '+13125550186',
  '+14155550191',
  '+16175550195',
];

export interface Seeding {
  installation: Installation;
  receiver: WebhookReceiver;
  signal: AbortSignal;
  say: (line: string) => void;
}

/** @returns one row of each kind, for its page. @throws Error where the installation refuses something */
export async function seed(seeding: Seeding): Promise<PageRows> {
  const { installation, say } = seeding;
  say('Creating assistants.');
  const assistants = await seedAssistants(seeding);
  say(`Calling ${CALLED_NUMBERS.length} test phones.`);
  const calls = await placeCalls(seeding, assistants);
  say('Creating campaigns with leads.');
  const campaigns = await seedCampaigns(seeding, assistants);
  await waitForCalls(seeding, calls);
  // Trunks come last, so that no call takes one of them.
  say('Creating trunks, numbers, tokens and lists.');
  await seedAdministration(installation);
  const deliveries = (await installation.request('GET', '/api/user/webhook-deliveries')) as {
    data: { id: string }[];
  };
  return {
    assistant: assistants.reminder,
    call: calls[0] ?? 0,
    ...campaigns,
    delivery: deliveries.data.at(-1)?.id ?? '',
  };
}

async function placeCalls(
  { installation }: Seeding,
  { reminder, invoices }: SeededAssistants,
): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, phoneNumber] of CALLED_NUMBERS.entries())
    ids.push(
      await placeCall(installation, { assistantId: index % 4 === 3 ? invoices : reminder, phoneNumber }),
    );
  return ids;
}

async function waitForCalls({ installation, signal, say }: Seeding, ids: readonly number[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    signal.throwIfAborted();
    const { status } = await waitForCall(installation, id, isOver, CALLS_LIMIT_MS);
    say(`Call ${index + 1} of ${ids.length}: ${status}.`);
  }
}

function isOver({ ended_reason: reason }: { ended_reason: string | null }): boolean {
  return reason !== null;
}
