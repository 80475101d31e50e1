/** Leads and campaigns over a live api, for tests. */
import { newAssistant } from '@parley/testkit';
import type { LiveApi, TestRequest } from './live-api.ts';

/** One row of each kind, and one that may be deleted. */
export interface Outreach {
  assistantId: number;
  campaignId: number;
  doomedCampaignId: number;
  leadId: number;
  doomedLeadId: number;
  importId: number;
  doomedImportId: number;
}

type Asking = Pick<LiveApi, 'ask'>;

/** @returns the `id` in an answer's `data` */
async function make(live: Asking, path: string, request: TestRequest): Promise<number> {
  const answer = await live.ask(path, { method: 'POST', ...request });
  const { data } = answer.body as { data?: { id?: number } };
  if (data?.id === undefined) throw new Error(`${path} answered ${answer.text}`);
  return data.id;
}

/** A draft of the outbound assistant. */
export function makeCampaign(live: Asking, body: Record<string, unknown>, token?: string): Promise<number> {
  return make(live, '/api/user/campaigns', { body: { name: 'Spring', ...body }, ...(token && { token }) });
}

export function makeLead(live: Asking, body: Record<string, unknown>, token?: string): Promise<number> {
  return make(live, '/api/user/lead', { body, ...(token && { token }) });
}

/** Uploads a file with one valid row and one invalid row. */
function makeImport(live: Asking, campaignId: number, token?: string): Promise<number> {
  const csv = { body: 'phone\n+12025550175\nx\n', headers: CSV };
  return make(live, `/api/user/campaigns/${campaignId}/leads/import`, { ...csv, ...(token && { token }) });
}

const CSV = { 'content-type': 'text/csv' };

export async function makeOutreach(live: Asking, token?: string): Promise<Outreach> {
  const assistantId = await make(live, '/api/user/assistant', {
    body: newAssistant(),
    ...(token && { token }),
  });
  const campaignId = await makeCampaign(live, { assistant_id: assistantId }, token);
  const doomedCampaignId = await makeCampaign(live, { assistant_id: assistantId }, token);
  const lead = { campaign_id: campaignId, variables: { customer_name: 'Ada' } };
  const secondary_contacts = [{ phone_number: '+12025550172' }];
  const leadId = await makeLead(live, { ...lead, phone_number: '+12025550170', secondary_contacts }, token);
  const doomedLeadId = await makeLead(live, { ...lead, phone_number: '+12025550171' }, token);
  const importId = await makeImport(live, campaignId, token);
  const doomedImportId = await makeImport(live, campaignId, token);
  return { assistantId, campaignId, doomedCampaignId, leadId, doomedLeadId, importId, doomedImportId };
}

/** One good request for every endpoint of leads and campaigns, by its name. */
export function outreachRequests(
  things: () => Outreach,
): Record<string, () => { path: string; request?: TestRequest; status?: number }> {
  const campaign = (id: number) => `/api/user/campaigns/${id}`;
  return {
    'leads.createMany': () => ({
      path: `${campaign(things().campaignId)}/leads`,
      request: { method: 'POST', body: { leads: [{ phone_number: '+12025550175' }, { phone_number: 'x' }] } },
    }),
    'leads.create': () => ({
      path: '/api/user/lead',
      request: {
        method: 'POST',
        body: {
          campaign_id: String(things().campaignId),
          phone_number: '+1 202-555-0173',
          variables: [{ customer_name: 'Bo' }],
          secondary_contacts: [{ phone_number: '+12025550174', variables: {} }],
        },
      },
    }),
    'leads.list': () => ({ path: '/api/user/leads' }),
    'leads.get': () => ({ path: `/api/user/leads/${things().leadId}` }),
    'leads.attempts': () => ({ path: `/api/user/leads/${things().leadId}/attempts` }),
    'leads.update': () => ({
      path: `/api/leads/${things().leadId}`,
      request: { method: 'PUT', body: { variables: { email: 'ada@example.org' } } },
    }),
    'leads.remove': () => ({
      path: `/api/user/leads/${things().doomedLeadId}`,
      request: { method: 'DELETE' },
    }),
    'leadImports.create': () => ({
      path: `${campaign(things().campaignId)}/leads/import?file_name=spring.csv`,
      request: { method: 'POST', body: 'phone,name\n+12025550176,Ada\n', headers: CSV },
    }),
    'leadImports.list': () => ({ path: `${campaign(things().campaignId)}/imports` }),
    'leadImports.get': () => ({ path: `/api/user/imports/${things().importId}` }),
    'leadImports.report': () => ({ path: `/api/user/imports/${things().importId}/report` }),
    'leadImports.undo': () => ({
      path: `/api/user/imports/${things().doomedImportId}`,
      request: { method: 'DELETE' },
    }),
    'campaigns.forecast': () => ({
      path: `${campaign(things().campaignId)}/forecast`,
      request: { method: 'POST', body: { answer_rate: '0.4', average_duration_seconds: 90 } },
    }),
    'campaigns.create': () => ({
      path: '/api/user/campaigns',
      request: { method: 'POST', body: { name: 'Summer', assistant_id: things().assistantId } },
      status: 201,
    }),
    'campaigns.list': () => ({ path: '/api/user/campaigns' }),
    'campaigns.get': () => ({ path: campaign(things().campaignId) }),
    'campaigns.update': () => ({
      path: campaign(things().campaignId),
      request: { method: 'PUT', body: { allowed_days: ['friday', 'monday'] } },
    }),
    'campaigns.remove': () => ({
      path: campaign(things().doomedCampaignId),
      request: { method: 'DELETE' },
    }),
    'campaigns.updateStatus': () => ({
      path: '/api/user/campaigns/update-status',
      request: { method: 'POST', body: { campaign_id: things().campaignId, action: 'start' } },
    }),
  };
}
