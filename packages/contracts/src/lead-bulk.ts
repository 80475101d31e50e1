/** Creation of many leads by one request: every row gets its own result. See docs/api.md, "Leads". */
import { z } from 'zod';
import { boolean, jsonObject, list, notImplemented, requiredText, shape, variables } from './fields.ts';

/** Rows in one request. */
export const MAX_BULK_LEADS = 10_000;
/** The body of 10,000 leads, each with 800 bytes. */
export const MAX_BULK_BYTES = 8 * 1024 * 1024;
/** The body of 10,000 leads, each with 50 variables. */
export const MAX_BULK_VALUES = 550_000;

/** One lead. Secondary contacts need the endpoint for single leads. */
export const bulkLead = shape({
  phone_number: requiredText(),
  variables: variables().optional(),
  secondary_contacts: notImplemented(),
}).meta({ id: 'BulkLead' });

/** A lead that a request describes. */
export type BulkLead = z.output<typeof bulkLead>;

/**
 * Body of POST /api/user/campaigns/{id}/leads. A row is any object here, because the use case validates each one
 * separately: an invalid row must not refuse the others.
 */
export const bulkLeadsBody = shape({
  leads: list(jsonObject, { minimum: 1, maximum: MAX_BULK_LEADS }),
  allow_dupplicate: boolean().optional(),
  allow_duplicate: boolean().optional(),
}).meta({ id: 'NewLeads' });

/** The body that creates many leads. */
export type NewLeads = z.output<typeof bulkLeadsBody>;

const bulkRow = z
  .strictObject({
    /** Position in `leads`, from 0. */
    row: z.int(),
    status: z.enum(['created', 'refused']),
    /** Null if the row was refused. */
    id: z.int().nullable(),
    /** E.164; null for an impossible number. */
    phone_number: z.string().nullable(),
    /** Texts by field; empty if the lead was created. */
    errors: z.record(z.string(), z.array(z.string())),
  })
  .meta({ id: 'BulkRow' });

/** The result of one row. */
export type BulkRow = z.output<typeof bulkRow>;

/** What a request created, and the result of each row in the order of the request. */
export const bulkResult = z
  .strictObject({ created: z.int(), refused: z.int(), rows: z.array(bulkRow) })
  .meta({ id: 'BulkResult' });

/** The result of a bulk creation. */
export type BulkResult = z.output<typeof bulkResult>;
