/** The endpoints that P16 measures: the hot ones, and administrative ones that read and write through the ORM. */
import type { Testbed } from './api-testbed.ts';
import type { LoadRequest } from './http-load.ts';

/** One endpoint and the requests that measure it. */
export interface MeasuredEndpoint {
  name: string;
  /** `group.name` of the contract. */
  id: string;
  /** Hot: sent thousands of times in a campaign. Otherwise administrative. */
  isHot: boolean;
  next: () => LoadRequest;
  /** The table of the row that it creates, and the row's id in an answer; absent: it creates none. */
  creates?: { table: string; idOf: (answer: string) => number };
}

/** In the order in which they are measured. */
export function measuredEndpoints(testbed: Testbed): MeasuredEndpoint[] {
  return [...hotEndpoints(testbed), ...administrativeEndpoints(testbed)];
}

function hotEndpoints({ assistantId, campaignId }: Testbed): MeasuredEndpoint[] {
  const phoneNumber = phoneNumbers();
  const variables = { customer_name: 'Ada' };
  return [
    {
      name: 'calls list, first page',
      id: 'calls.list',
      isHot: true,
      next: () => ({ method: 'GET', path: '/api/user/calls?per_page=15' }),
    },
    {
      name: 'make_call',
      id: 'calls.make',
      isHot: true,
      creates: {
        table: 'calls',
        idOf: (answer) => (JSON.parse(answer) as { call_id: number }).call_id,
      },
      next: () => ({
        method: 'POST',
        path: '/api/user/make_call',
        body: { phone_number: phoneNumber(), assistant_id: assistantId, variables },
      }),
    },
    {
      name: 'lead create',
      id: 'leads.create',
      isHot: true,
      creates: {
        table: 'leads',
        idOf: (answer) => (JSON.parse(answer) as { data: { id: number } }).data.id,
      },
      next: () => ({
        method: 'POST',
        path: '/api/user/lead',
        body: { phone_number: phoneNumber(), campaign_id: campaignId, variables },
      }),
    },
  ];
}

function administrativeEndpoints({ assistantId, campaignId }: Testbed): MeasuredEndpoint[] {
  const name = names();
  const get = (what: string, id: string, path: string): MeasuredEndpoint => ({
    name: what,
    id,
    isHot: false,
    next: () => ({ method: 'GET', path }),
  });
  return [
    get('me', 'users.me', '/api/user/me'),
    get('assistant get', 'assistants.get', `/api/user/assistant/${assistantId}`),
    {
      name: 'assistant update',
      id: 'assistants.update',
      isHot: false,
      next: () => ({
        method: 'PUT',
        path: `/api/user/assistant/${assistantId}`,
        body: { assistant_name: name() },
      }),
    },
    get('campaign get', 'campaigns.get', `/api/user/campaigns/${campaignId}`),
    {
      name: 'campaign update',
      id: 'campaigns.update',
      isHot: false,
      next: () => ({ method: 'PUT', path: `/api/user/campaigns/${campaignId}`, body: { name: name() } }),
    },
    get('phone numbers', 'phoneNumbers.list', '/api/user/phone-numbers'),
  ];
}

/** 80,000 different fictional numbers. */
function phoneNumbers(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `+1${200 + (Math.floor(count / 100) % 800)}55501${String(count % 100).padStart(2, '0')}`;
  };
}

/** An update to the present name would write nothing. */
function names(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `Benchmark ${count}`;
  };
}
