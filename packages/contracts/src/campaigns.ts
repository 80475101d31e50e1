/**
 * Endpoints of campaigns: create, list, read, update, delete, forecast, start and stop. Schemas are in
 * campaign-input.ts, campaign-record.ts and campaign-forecast.ts. See docs/api.md, "Campaigns".
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { campaignForecast, forecastBody } from './campaign-forecast.ts';
import { campaignChangesBody, newCampaignBody } from './campaign-input.ts';
import { campaignDetail, campaignRecord, campaignStatuses } from './campaign-record.ts';
import { c, metadata } from './contract.ts';
import { bodyErrors, errorBody, errorText, singleErrors, validationErrorBody } from './errors.ts';
import { boolean, choice, idParameter, integer, shape } from './fields.ts';

const CAMPAIGN_NOT_FOUND = 'Campaign not found';

/** Body of POST /api/user/campaigns/update-status. */
const campaignStatusBody = shape({
  campaign_id: integer(),
  action: choice(['start', 'stop']),
  /** With `stop`: also ends conversations in progress. */
  hang_up: boolean().optional(),
});

const statusUpdated = z
  .strictObject({
    message: z.string(),
    success: z.literal(true),
    data: z.strictObject({ campaign_id: z.int(), status: z.enum(campaignStatuses) }),
  })
  .meta({ id: 'CampaignStatusUpdated' });

/** The campaign cannot start. */
const notStarted = z
  .strictObject({ message: z.string(), success: z.literal(false) })
  .meta({ id: 'CampaignNotStarted' });

const campaignWritten = written(campaignRecord).meta({ id: 'CampaignWritten' });

const writing = { scope: 'write', validationMessage: errorText.validationFailed } as const;
const singlePath = { path: '/api/user/campaigns/:id', pathParams: idParameter } as const;
const single = { notFoundMessage: CAMPAIGN_NOT_FOUND, aliases: ['/api/user/campaign/:id'] } as const;

/** The endpoints of campaigns. */
export const campaigns = c.router({
  create: {
    method: 'POST',
    path: '/api/user/campaigns',
    summary: 'Create a campaign',
    body: newCampaignBody,
    responses: { 201: campaignWritten, ...bodyErrors, 404: errorBody },
    metadata: metadata({ ...writing, aliases: ['/api/user/campaign'] }),
  },
  list: {
    method: 'GET',
    path: '/api/user/campaigns',
    summary: 'List campaigns',
    responses: { 200: z.array(campaignRecord) },
    metadata: metadata({ scope: 'read' }),
  },
  get: {
    method: 'GET',
    ...singlePath,
    summary: 'Get one campaign with its progress',
    responses: { 200: campaignDetail, ...singleErrors },
    metadata: metadata({ scope: 'read', ...single }),
  },
  update: {
    method: 'PUT',
    ...singlePath,
    summary: 'Update a campaign',
    body: campaignChangesBody,
    responses: { 200: campaignWritten, ...bodyErrors, ...singleErrors },
    metadata: metadata({ ...writing, ...single }),
  },
  remove: {
    method: 'DELETE',
    ...singlePath,
    summary: 'Stop a campaign and delete it with its leads; call records are kept',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', ...single }),
  },
  forecast: {
    method: 'POST',
    path: '/api/user/campaigns/:id/forecast',
    pathParams: idParameter,
    summary: 'Simulate the campaign with the rule that dials; nothing is dialed',
    body: forecastBody,
    responses: { 200: campaignForecast, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: CAMPAIGN_NOT_FOUND }),
  },
  updateStatus: {
    method: 'POST',
    path: '/api/user/campaigns/update-status',
    summary: 'Start or stop a campaign',
    body: campaignStatusBody,
    responses: {
      200: statusUpdated,
      ...bodyErrors,
      404: errorBody,
      422: z.union([notStarted, validationErrorBody]),
    },
    metadata: metadata({
      ...writing,
      scope: 'call',
      notFoundMessage: CAMPAIGN_NOT_FOUND,
      isRepeatable: true,
    }),
  },
});
