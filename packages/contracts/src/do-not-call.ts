/**
 * The do-not-call list of a user: numbers that none of their calls may reach. Core checks it when a call is placed, when a
 * campaign claims a lead, and before the INVITE. See docs/api.md, "Calls".
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { envelope, pageQuery } from './envelope.ts';
import { bodyErrors, queryErrors, singleErrors } from './errors.ts';
import { nullable, optionalQuery, partOfNumber, requiredText, shape, text } from './fields.ts';

/** Page size of the list where the query names none. */
const DEFAULT_PER_PAGE = 15;
const PATH = '/api/user/do-not-call';

/** An entry of the list. */
export const doNotCallRecord = z
  .strictObject({
    /** E.164. */
    phone_number: z.string(),
    /** The user's reason; may be empty. */
    reason: z.string(),
    created_at: isoMicrosecondsField,
    /** The call in which the person asked for it; null for an entry that a user made. */
    call_id: z.int().nullable(),
  })
  .meta({ id: 'DoNotCallEntry' });

/** An entry of the list. */
export type DoNotCallRecord = z.output<typeof doNotCallRecord>;

/** What became of the rows of a file; an answer of the admin app. */
export interface DoNotCallImport {
  /** Rows with content, without the header. */
  rows: number;
  added: number;
  already_listed: number;
  refused: number;
  /** The first refused rows; `row` counts as in a spreadsheet. */
  examples: { row: number; value: string; message: string }[];
}

const number = requiredText({ maximum: 64 });
/** Query of GET /api/user/do-not-call.csv. */
export const doNotCallFileQuery = z.object({
  /** A part of the number. */
  phone_number: optionalQuery(partOfNumber()),
});

/** The endpoints of the do-not-call list. */
export const doNotCall = c.router({
  list: {
    method: 'GET',
    path: PATH,
    summary: 'List the numbers that are not called, newest first',
    query: z.object({
      /** A part of the number. */
      phone_number: optionalQuery(partOfNumber()),
      ...pageQuery(DEFAULT_PER_PAGE),
    }),
    responses: { 200: envelope(doNotCallRecord).meta({ id: 'DoNotCallPage' }), ...queryErrors },
    metadata: metadata({ scope: 'read' }),
  },
  file: {
    method: 'GET',
    path: `${PATH}.csv`,
    summary: 'Download the do-not-call list as CSV, in the order of the numbers',
    query: doNotCallFileQuery,
    responses: {
      200: c.otherResponse({ contentType: 'text/csv; charset=utf-8', body: z.string() }),
      ...queryErrors,
    },
    metadata: metadata({ scope: 'read' }),
  },
  add: {
    method: 'POST',
    path: PATH,
    summary: 'Put a number on the do-not-call list; one that is there gets the new reason',
    body: shape({ phone_number: number, reason: nullable(text({ maximum: 255 })).optional() }),
    responses: { 201: written(doNotCallRecord).meta({ id: 'DoNotCallAdded' }), ...bodyErrors },
    metadata: metadata({ scope: 'write' }),
  },
  remove: {
    method: 'DELETE',
    path: PATH,
    summary: 'Take a number off the do-not-call list; leads that waited for it are called again',
    body: shape({ phone_number: number }),
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write' }),
  },
});
