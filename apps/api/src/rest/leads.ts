/** Leads over REST. Without `page`, `per_page` and `cursor` the whole list is streamed. */
import { cursorAnswer, paginate, type api, type LeadsQuery } from '@parley/contracts';
import {
  createLead,
  createLeads,
  deleteLead,
  explainLead,
  findLead,
  listLeads,
  listLeadsAfter,
  streamLeads,
  updateLead,
  type LeadFilters,
} from '@parley/core';
import { ListStream } from '../http/list-stream.ts';
import type { RestHandlers } from './handlers.ts';

/** Page size when the query has a page or a cursor only. */
const DEFAULT_PER_PAGE = 15;

/** Handlers of `contracts/leads.ts`. */
export const leadHandlers: RestHandlers<typeof api.leads> = {
  async create({ core, identity }, { body }) {
    const data = await createLead(core, identity, body);
    return { status: 200, body: { message: 'Lead created successfully', data } };
  },

  async createMany({ core, identity }, { params, body }) {
    const data = await createLeads(core, identity, { campaignId: params.id, body });
    return { status: 200, body: { message: 'Leads processed', data } };
  },

  async list({ core, identity, url }, { query }) {
    const filters = leadFiltersFrom(query);
    if (query.cursor) {
      const perPage = query.per_page ?? DEFAULT_PER_PAGE;
      const found = await listLeadsAfter(core, identity, { ...filters, ...query.cursor, perPage });
      return { status: 200, body: cursorAnswer(found, perPage) };
    }
    if (query.page === undefined && query.per_page === undefined) {
      return { status: 200, body: new ListStream(streamLeads(core, identity, filters)) };
    }
    const page = { page: query.page ?? 1, perPage: query.per_page ?? DEFAULT_PER_PAGE };
    const found = await listLeads(core, identity, { ...filters, ...page });
    return { status: 200, body: paginate({ ...found, ...page, url }) };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findLead(core, identity, params.id) };
  },

  async attempts({ core, identity }, { params }) {
    return { status: 200, body: await explainLead(core, identity, params.id) };
  },

  async update({ core, identity }, { params, body }) {
    await updateLead(core, identity, { id: params.id, changes: body });
    return { status: 200, body: { message: 'Lead updated successfully' } };
  },

  async remove({ core, identity }, { params }) {
    await deleteLead(core, identity, params.id);
    return { status: 200, body: { message: 'Lead deleted successfully' } };
  },
};

function leadFiltersFrom(query: LeadsQuery): LeadFilters {
  return {
    campaignId: query.campaign_id,
    status: query.status,
    phoneNumber: query.phone_number,
    dateFrom: query.date_from,
    dateTo: query.date_to,
  };
}
