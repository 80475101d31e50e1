/**
 * Fills an installation with realistic data, over the REST API as an integrator does: assistants, calls with the built-in
 * test phones, campaigns with leads, and what the pages of administration list. All numbers are fictional.
 */
import { setTimeout } from 'node:timers/promises';
import { tone, wavHeader } from '@parley/audio';
import type { PageRows } from '@parley/e2e/admin';
import { placeCall, waitForCall, type Installation } from '@parley/e2e';
import type { WebhookReceiver } from '@parley/testkit';
import { seedAdministration } from './seed-administration.ts';
import { seedAssistants, type SeededAssistants } from './seed-assistants.ts';
import { seedConversations } from './seed-conversations.ts';
import { seedCampaigns } from './seed-campaigns.ts';

/** How long one call may take: the slowest rings for 45 s, and a conversation takes a minute. */
const CALL_LIMIT_MS = 180_000;
/** Calls at once: with more, speech on two cores comes too late. */
const LANES = 3;
/** One of each behaviour of the test phones; the first books an appointment. */
const CALLED_NUMBERS = [
  '+12125550147',
  '+13125550172',
  '+14155550160',
  '+16175550112',
  '+13125550150',
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
  await callAll(seeding, assistants);
  say('Writing with assistants.');
  const conversation = await seedConversations(installation, assistants.reminder);
  say('Creating campaigns with leads.');
  const campaigns = await seedCampaigns(seeding, assistants);
  // Trunks come last, so that no call takes one of them.
  say('Creating trunks, numbers, tokens and lists.');
  await seedAdministration(installation, assistants.afterHours);
  await seedPhrases(installation, assistants.reminder);
  const deliveries = (await installation.request('GET', '/api/user/webhook-deliveries')) as {
    data: { id: string }[];
  };
  const knowledgebase = await seedKnowledge(installation);
  say('Running a suite.');
  const evaluated = await seedSuite(installation);
  return {
    assistant: assistants.reminder,
    ...campaigns,
    conversation,
    delivery: deliveries.data.at(-1)?.id ?? '',
    knowledgebase,
    ...evaluated,
  };
}

/** One recording of a sentence of the assistant, and one of a sentence that it does not say. */
async function seedPhrases(installation: Installation, assistant: number): Promise<void> {
  const file = toneAsWav().toString('base64');
  for (const text of ['This call is recorded.', 'Our office moved to Main Street.'])
    await installation.request('POST', `/api/user/assistants/${assistant}/recorded-phrases`, { text, file });
}

/** Mono, 8000 Hz, 1.5 s. */
function toneAsWav(): Buffer {
  const sampleRateHz = 8000;
  const samples = tone({ hz: 440, sampleRateHz, samples: 1.5 * sampleRateHz });
  const header = wavHeader({ channelCount: 1, sampleRateHz, dataBytes: samples.byteLength });
  return Buffer.concat([header, new Uint8Array(samples.buffer)]);
}

const SUITE = `assistant: 1
callers:
  - name: books on Wednesday
    runs: 2
    script: [Wednesday, please., "yes", at two]
    expect: { said: [/wednesday/i] }
  - name: asks for the price
    script: [What does it cost?]
    expect: { said: [60 dollars] }
`;

/** @returns the ids of a suite and of its second run */
async function seedSuite(installation: Installation): Promise<Pick<PageRows, 'suite' | 'run'>> {
  const made = (await installation.request('POST', '/api/user/suites', {
    name: 'Before each change',
    definition: SUITE,
  })) as { data: { id: number } };
  const suite = made.data.id;
  let run = 0;
  for (let count = 0; count < 2; count += 1) {
    const started = (await installation.request('POST', `/api/user/suites/${suite}/runs`, {})) as {
      data: { id: number };
    };
    run = started.data.id;
    for (let status = 'running'; status === 'running'; await setTimeout(500)) {
      const read = await installation.request('GET', `/api/user/suite-runs/${run}`);
      ({ status } = read as { status: string });
    }
  }
  return { suite, run };
}

/** @returns the id of a knowledge base with two documents */
async function seedKnowledge(installation: Installation): Promise<number> {
  const body = { name: 'Opening hours and prices', description: 'What callers ask about the practice.' };
  const made = (await installation.request('POST', '/api/user/knowledgebases', body)) as {
    data: { id: number };
  };
  const documents = [
    { name: 'Opening hours', content: 'The practice is open from 8 to 18, on Fridays until 13.' },
    { name: 'Prices', content: 'A check-up costs 60 dollars. A cleaning costs 90 dollars.' },
  ];
  for (const document of documents)
    await installation.request('POST', `/api/user/knowledgebases/${made.data.id}/documents`, {
      ...document,
      type: 'txt',
    });
  return made.data.id;
}

async function callAll(seeding: Seeding, { reminder, invoices }: SeededAssistants): Promise<void> {
  const { installation, signal, say } = seeding;
  const waiting = [...CALLED_NUMBERS.entries()];
  const callOneByOne = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      signal.throwIfAborted();
      const [index, phoneNumber] = next;
      const assistantId = index % 4 === 3 ? invoices : reminder;
      const id = await placeCall(installation, { assistantId, phoneNumber });
      const { status } = await waitForCall(installation, id, isOver, CALL_LIMIT_MS);
      say(`Call ${index + 1} of ${CALLED_NUMBERS.length}: ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, callOneByOne));
}

function isOver({ ended_reason: reason }: { ended_reason: string | null }): boolean {
  return reason !== null;
}
