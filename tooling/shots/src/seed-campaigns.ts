/** Three campaigns: one that dials and has dispositions, one that was not started and has an import with refused rows, one that needs consent. */
import { pause, systemClock } from '@parley/runtime';
import { waitForCall, type Installation } from '@parley/e2e';
import type { PageRows } from '@parley/e2e/admin';
import { create } from './create.ts';
import type { SeededAssistants } from './seed-assistants.ts';

/** Leads that have to be called before the pictures are taken, and how long that may take. */
const CALLED_LEADS = 5;
const DIALING_LIMIT_MS = 180_000;
const NAMES = [
  'Ada Moss',
  'Ben Okafor',
  'Carla Nunez',
  'Dmitri Hale',
  'Elena Fox',
  'Femi Adeyemi',
  'Grace Li',
];
const DISPOSITIONS = [
  'Appointment made',
  'Call back in the autumn',
  'Wrong number',
  'Asked not to be called',
];
const CITIES = ['Springfield', 'Riverside', 'Fairview'];
/** The last two digits select the behaviour of the test phone. */
const ENDINGS = [47, 60, 12, 80, 95, 51, 61, 85, 3, 70, 49, 81, 62, 96, 20, 52, 90, 63, 71, 48];
const FILE = [
  'phone_number,name,city,last visit',
  '+12125550130,Hana Sato,Springfield,2025-04-02',
  '+12125550131,Ivo Marsh,Riverside,2025-05-19',
  '+12125550132,Jo Park,Fairview,2025-06-30',
  '+12125550130,Hana Sato,Springfield,2025-04-02',
  'unknown,Kim Dale,Riverside,2025-02-11',
  ',Lea Roth,Fairview,2025-01-23',
  '+12125550134,Max Stone,Springfield,2025-03-08',
].join('\n');

interface Seeding {
  installation: Installation;
  signal: AbortSignal;
  say: (line: string) => void;
}

/** @returns the campaign that dials, one of its leads that was called, its first conversation, and a campaign to start */
export async function seedCampaigns(
  { installation, signal, say }: Seeding,
  { reminder, invoices }: SeededAssistants,
): Promise<Pick<PageRows, 'campaign' | 'draft' | 'lead' | 'call'>> {
  const campaign = await create(installation, 'campaigns', {
    name: 'Yearly check-up',
    assistant_id: reminder,
    max_calls_in_parallel: 3,
    max_retries: 1,
    mark_complete_when_no_leads: false,
    disclosure_message: 'This call is recorded.',
    dispositions: DISPOSITIONS,
  });
  const leads = ENDINGS.map((ending, index) => ({
    phone_number: `+1${['312', '415', '617'][index % 3]}55501${String(ending).padStart(2, '0')}`,
    variables: { name: NAMES[index % NAMES.length], city: CITIES[index % CITIES.length] },
  }));
  await installation.request('POST', `/api/user/campaigns/${campaign}/leads`, { leads });
  await installation.request('POST', '/api/user/campaigns/update-status', {
    campaign_id: campaign,
    action: 'start',
  });
  const draft = await seedWaitingCampaigns(installation, invoices);
  await waitForLeads({ installation, signal, say }, campaign);
  const call = await chooseDisposition(installation, campaign);
  return { campaign, draft, lead: await findCalledLead(installation, campaign), call };
}

/** Waits for the end of the first conversation. @returns its call */
async function chooseDisposition(installation: Installation, campaign: number): Promise<number> {
  const calls = (await installation.request(
    'GET',
    `/api/user/calls?campaign_id=${campaign}&per_page=50`,
  )) as {
    data: { id: number; client_phone_number: string }[];
  };
  const call = calls.data.find(({ client_phone_number: number }) => number.endsWith('47'))?.id ?? 0;
  await waitForCall(installation, call, ({ ended_reason: reason }) => reason !== null, DIALING_LIMIT_MS);
  const body = { disposition: DISPOSITIONS[0] };
  await installation.request('PUT', `/api/user/calls/${call}/disposition`, body);
  return call;
}

/** @returns the one with leads */
async function seedWaitingCampaigns(installation: Installation, assistant: number): Promise<number> {
  const draft = await create(installation, 'campaigns', {
    name: 'Patients without a visit since last autumn, second wave, Springfield and Riverside',
    assistant_id: assistant,
    allowed_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    allowed_hours_start_time: '09:00',
    allowed_hours_end_time: '17:30',
    timezone: 'America/New_York',
    respect_lead_timezone: true,
  });
  await importFile(installation, draft);
  await create(installation, 'campaigns', {
    name: 'Open invoices',
    assistant_id: assistant,
    require_consent: true,
    max_retries: 0,
  });
  return draft;
}

async function importFile({ baseUrl, token }: Installation, campaign: number): Promise<void> {
  const path = `/api/user/campaigns/${campaign}/leads/import?file_name=patients-2025.csv`;
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: FILE,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

async function waitForLeads({ installation, signal, say }: Seeding, campaign: number): Promise<void> {
  const deadlineMs = systemClock.monotonic() + DIALING_LIMIT_MS;
  for (let called = 0; called < CALLED_LEADS;) {
    signal.throwIfAborted();
    const before = called;
    called = (await listLeads(installation, campaign)).filter(({ status }) => status !== 'created').length;
    if (called !== before) say(`The campaign has called ${called} leads.`);
    if (systemClock.monotonic() > deadlineMs)
      throw new Error(`The campaign has called ${called} leads only.`);
    await pause(systemClock, 500);
  }
}

async function findCalledLead(installation: Installation, campaign: number): Promise<number> {
  const leads = await listLeads(installation, campaign);
  return (leads.find(({ phone_number: number }) => number.endsWith('60')) ?? leads[0])?.id ?? 0;
}

async function listLeads(
  installation: Installation,
  campaign: number,
): Promise<{ id: number; status: string; phone_number: string }[]> {
  return (await installation.request('GET', `/api/user/leads?campaign_id=${campaign}`)) as {
    id: number;
    status: string;
    phone_number: string;
  }[];
}
