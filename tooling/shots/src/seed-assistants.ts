/** Assistants of a dental practice, with folders and labels. They follow the script of the demo assistants. */
import type { Installation } from '@parley/e2e';
import type { WebhookReceiver } from '@parley/testkit';
import { create } from './create.ts';

/** Ids of the assistants that are used. */
export interface SeededAssistants {
  reminder: number;
  invoices: number;
  /** Answers calls. */
  afterHours: number;
}

interface Lookup {
  id: number;
  name: string;
}

const QUESTION = 'Which day suits you: Monday, Wednesday or Friday? Say the day, or press 1, 3 or 5.';

/** @throws Error where the installation refuses one */
export async function seedAssistants(seeding: {
  installation: Installation;
  receiver: WebhookReceiver;
}): Promise<SeededAssistants> {
  const { installation, receiver } = seeding;
  const common = await commonSettings(installation);
  const folder = await create(installation, 'folders', { name: 'Northside Dental', color: 'teal' });
  const live = await create(installation, 'labels', { name: 'live', color: 'green' });
  const trial = await create(installation, 'labels', { name: 'trial', color: 'orange' });
  const make = (settings: object): Promise<number> =>
    create(installation, 'assistant', { ...common, folder_id: folder, ...settings });
  const reminder = await make({
    assistant_name: 'Check-up reminder',
    label_ids: [live],
    initial_message: `Hello, this is Northside Dental. Your yearly check-up is due. ${QUESTION}`,
    disclosure_message: 'This call is recorded.',
    opt_out_key: '8',
    variables: { practice: 'Northside Dental', city: 'Springfield' },
    post_call_evaluation: true,
    post_call_schema: [
      { name: 'booked', type: 'string', description: 'Whether an appointment was made' },
      { name: 'day', type: 'string', description: 'The day of the appointment' },
      { name: 'time', type: 'string', description: 'The time of the appointment' },
    ],
    tools: [
      { type: 'end_call', description: 'When the person has said goodbye' },
      {
        type: 'call_transfer',
        description: 'When the person asks for a human',
        destinations: [{ name: 'Reception', phone_number: '+12125550101' }],
        ring_timeout_seconds: 20,
      },
    ],
    is_webhook_active: true,
    webhook_url: receiver.url,
    send_webhook_only_on_completed: false,
  });
  const invoices = await make({
    assistant_name: 'Invoice questions and payment reminders for private patients',
    label_ids: [live, trial],
    initial_message: `Hello, this is the office of Northside Dental, about your last visit. ${QUESTION}`,
    is_webhook_active: true,
    // Nobody listens there.
    webhook_url: 'http://127.0.0.1:9/invoices',
    send_webhook_only_on_completed: false,
  });
  const afterHours = await make({
    assistant_name: 'After-hours line',
    calls_direction: 'receive',
    label_ids: [trial],
    initial_message: `Northside Dental, we are closed now. ${QUESTION}`,
  });
  const former = await make({ assistant_name: 'Survey 2024', initial_message: QUESTION });
  await installation.request('PUT', `/api/user/assistant/${former}`, { status: 'inactive' });
  return { reminder, invoices, afterHours };
}

/** What creating an assistant requires, from the lists and the demo of the installation. */
async function commonSettings(installation: Installation): Promise<object> {
  const list = async (path: string): Promise<Lookup[]> =>
    (await installation.request('GET', `/api/user/assistants${path}`)) as Lookup[];
  const [voices, models, languages, [demo]] = await Promise.all([
    list('/voices?mode=pipeline'),
    list('/models'),
    list('/languages'),
    list('/outbound'),
  ]);
  const details = (await installation.request('GET', `/api/user/assistant/${demo?.id}`)) as {
    system_prompt: string;
  };
  return {
    voice_id: voices[0]?.id,
    llm_model: models[0]?.name,
    language: languages.find(({ name }) => name === 'English')?.name ?? languages[0]?.name,
    engine_type: 'pipeline',
    calls_direction: 'make',
    timezone: 'America/New_York',
    system_prompt: details.system_prompt,
    record_call: true,
    max_silence_duration: 10,
  };
}
