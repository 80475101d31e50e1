/**
 * Endpoints of leads: create, list (all of them streamed, or page by page), one by its id, update, delete. Shapes that
 * are read stand in lead-record.ts. See docs/api.md, "Leads".
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { cursorPage, cursorQuery } from './cursor.ts';
import { envelope } from './envelope.ts';
import { bodyErrors, errorText, queryErrors, singleErrors } from './errors.ts';
import {
  boolean,
  calendarDate,
  choice,
  idParameter,
  integer,
  list,
  optionalQuery,
  requiredText,
  shape,
  text,
  variables,
} from './fields.ts';
import { wording } from './field-wording.ts';
import { bulkLeadsBody, bulkResult, MAX_BULK_BYTES, MAX_BULK_VALUES } from './lead-bulk.ts';
import { leadAttempts } from './lead-attempts.ts';
import { leadRecord, leadStatuses } from './lead-record.ts';

const LEAD_NOT_FOUND = 'Lead not found';
const MAX_PHONE_TEXT = 64;
const MAX_SECONDARY_CONTACTS = 1000;

/** The use case validates the number, because that requires the user's country. */
const phoneNumber = () => requiredText();

/** Body of POST /api/user/lead. */
export const newLeadBody = shape({
  phone_number: phoneNumber(),
  campaign_id: integer(),
  variables: variables().optional(),
  /** The same as `variables`, which wins if both are sent: existing clients use either name. */
  variable: variables().optional(),
  /** The specification's spelling; where both are sent it wins. */
  allow_dupplicate: boolean().optional(),
  allow_duplicate: boolean().optional(),
  secondary_contacts: list(shape({ phone_number: phoneNumber(), variables: variables().optional() }), {
    maximum: MAX_SECONDARY_CONTACTS,
  }).optional(),
})
  .transform(({ variable, ...body }) => ({ ...body, variables: body.variables ?? variable }))
  .meta({ id: 'NewLead' });

/** Body of PUT /api/leads/{id}; any other field is rejected. */
export const leadChangesBody = z
  .strictObject({
    campaign_id: integer().optional(),
    phone_number: phoneNumber().optional(),
    status: z.enum(leadStatuses, { error: wording.statusIsAutomatic }).optional(),
    variables: variables().optional(),
  })
  .meta({ id: 'LeadChanges' });

/** Part of a number, as people type it. */
const phoneFilter = text({ maximum: MAX_PHONE_TEXT });

/** Query of GET /api/user/leads. With none of `page`, `per_page` and `cursor` the answer is all of them, as a bare array. */
const leadsQuery = z.object({
  campaign_id: optionalQuery(integer()),
  status: optionalQuery(choice(leadStatuses)),
  phone_number: optionalQuery(phoneFilter),
  date_from: optionalQuery(calendarDate()),
  date_to: optionalQuery(calendarDate()),
  page: optionalQuery(integer({ minimum: 1 })),
  per_page: optionalQuery(integer({ minimum: 1, maximum: 100 })),
  /** The id of a lead; with it, `page` is ignored. */
  cursor: cursorQuery(z.tuple([z.int().nonnegative()]).readonly()),
});

/** The body that creates a lead. */
export type NewLead = z.output<typeof newLeadBody>;
/** What may change about a lead. */
export type LeadChanges = z.output<typeof leadChangesBody>;
/** The query of the leads list. */
export type LeadsQuery = z.output<typeof leadsQuery>;

/** The endpoints of leads. */
export const leads = c.router({
  create: {
    method: 'POST',
    path: '/api/user/lead',
    summary: 'Create a lead, with its secondary contacts',
    body: newLeadBody,
    responses: { 200: written(leadRecord).meta({ id: 'LeadCreated' }), ...bodyErrors },
    metadata: metadata({
      scope: 'write',
      isAudited: false,
      validationMessage: errorText.validationFailed,
    }),
  },
  createMany: {
    method: 'POST',
    path: '/api/user/campaigns/:id/leads',
    pathParams: idParameter,
    summary: 'Create up to 10,000 leads of a campaign, with a result for each',
    body: bulkLeadsBody,
    responses: { 200: written(bulkResult).meta({ id: 'LeadsCreated' }), ...bodyErrors, ...singleErrors },
    metadata: metadata({
      scope: 'write',
      validationMessage: errorText.validationFailed,
      notFoundMessage: 'Campaign not found',
      maxBodyBytes: MAX_BULK_BYTES,
      maxBodyValues: MAX_BULK_VALUES,
    }),
  },
  list: {
    method: 'GET',
    path: '/api/user/leads',
    summary: 'List leads, newest first: all of them, or one page if page, per_page or cursor is given',
    query: leadsQuery,
    responses: {
      200: z.union([
        z.array(leadRecord),
        envelope(leadRecord).meta({ id: 'LeadPage' }),
        cursorPage(leadRecord).meta({ id: 'LeadCursorPage' }),
      ]),
      ...queryErrors,
    },
    metadata: metadata({ scope: 'read' }),
  },
  get: {
    method: 'GET',
    path: '/api/user/leads/:id',
    pathParams: idParameter,
    summary: 'Get one lead',
    responses: { 200: leadRecord, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: LEAD_NOT_FOUND }),
  },
  attempts: {
    method: 'GET',
    path: '/api/user/leads/:id/attempts',
    pathParams: idParameter,
    summary: 'Why a lead was called each time, and why it is or is not being called now',
    responses: { 200: leadAttempts, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: LEAD_NOT_FOUND }),
  },
  update: {
    method: 'PUT',
    path: '/api/leads/:id',
    pathParams: idParameter,
    summary: 'Update a lead: move it, change its number or variables, end or restart dialing',
    body: leadChangesBody,
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({
      scope: 'write',
      validationMessage: errorText.validationFailed,
      notFoundMessage: LEAD_NOT_FOUND,
      aliases: ['/api/user/leads/:id', { method: 'PATCH', path: '/api/user/leads/:id' }],
    }),
  },
  remove: {
    method: 'DELETE',
    path: '/api/user/leads/:id',
    pathParams: idParameter,
    summary: 'Delete a lead with its secondary contacts',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', notFoundMessage: LEAD_NOT_FOUND }),
  },
});
