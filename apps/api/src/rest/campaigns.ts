/** Campaigns over REST. Core decides whether a campaign can start and which calls a stop ends. */
import type { api } from '@parley/contracts';
import {
  createCampaign,
  deleteCampaign,
  findCampaign,
  forecastCampaign,
  listCampaigns,
  startCampaign,
  stopCampaign,
  updateCampaign,
} from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/campaigns.ts`. */
export const campaignHandlers: RestHandlers<typeof api.campaigns> = {
  async create({ core, identity }, { body }) {
    const data = await createCampaign(core, identity, body);
    return { status: 201, body: { message: 'Campaign created successfully', data } };
  },

  async list({ core, identity }) {
    return { status: 200, body: await listCampaigns(core, identity) };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findCampaign(core, identity, params.id) };
  },

  async update({ core, identity }, { params, body }) {
    const data = await updateCampaign(core, identity, { id: params.id, changes: body });
    return { status: 200, body: { message: 'Campaign updated successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    await deleteCampaign(core, identity, params.id);
    return { status: 200, body: { message: 'Campaign deleted successfully' } };
  },

  async forecast({ core, identity }, { params, body }) {
    return { status: 200, body: await forecastCampaign(core, identity, { ...body, id: params.id }) };
  },

  async updateStatus({ core, identity }, { body }) {
    const { campaign_id, action, hang_up: isHangingUp = false } = body;
    const result =
      action === 'start'
        ? await startCampaign(core, identity, campaign_id)
        : await stopCampaign(core, identity, { id: campaign_id, isHangingUp });
    if ('message' in result) return { status: 422, body: { message: result.message, success: false } };
    const message = action === 'start' ? 'Campaign started successfully.' : 'Campaign stopped successfully.';
    return { status: 200, body: { message, success: true, data: { campaign_id, status: result.status } } };
  },
};
