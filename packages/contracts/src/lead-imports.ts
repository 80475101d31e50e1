/**
 * Imports of leads from CSV files: upload, progress, undo, and a report of the refused rows. The upload is streamed; see docs/api.md, "Leads", and docs/decisions/lead-imports.md.
 */
import { z } from 'zod';
import { written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, singleErrors } from './errors.ts';
import { boolean, choice, idParameter, jsonText, optionalQuery, text } from './fields.ts';

const IMPORT_NOT_FOUND = 'Import not found';
const CAMPAIGN_NOT_FOUND = 'Campaign not found';

/** The separators of cells. */
export const csvDelimiters = ['comma', 'semicolon', 'tab', 'pipe'] as const;

/** One of {@link csvDelimiters}. */
export type CsvDelimiter = (typeof csvDelimiters)[number];

/** States of an import. `interrupted`: send the file again with the same `Idempotency-Key` to continue. */
export const importStates = ['running', 'interrupted', 'finished', 'undoing', 'undone'] as const;

/** Why a row was refused. */
export const importErrorCodes = [
  'duplicate',
  'phone_number_missing',
  'phone_number_invalid',
  'too_many_cells',
  'variables_too_large',
  'not_utf8',
  'forbidden_character',
] as const;

/** One of {@link importErrorCodes}. */
export type ImportErrorCode = (typeof importErrorCodes)[number];

/** The types in which a client may pass a CSV file. */
export type CsvUpload =
  | string
  | Uint8Array<ArrayBuffer>
  | Blob
  | ReadableStream<Uint8Array<ArrayBuffer>>
  | AsyncIterable<Uint8Array<ArrayBuffer>>;

/** Query of the upload. */
export const importQuery = z.object({
  /** JSON: column to field, for example `{"Telefon":"phone_number","Notes":null}`. */
  mapping: optionalQuery(jsonText(z.record(z.string(), text({ maximum: 255 }).nullable()))),
  delimiter: optionalQuery(choice(csvDelimiters)),
  /** False: the first row is a lead, and columns are named `1`, `2`, … */
  has_header: optionalQuery(boolean()),
  allow_duplicate: optionalQuery(boolean()),
  file_name: optionalQuery(text({ maximum: 255 })),
});

/** The query of an upload. */
export type ImportQuery = z.output<typeof importQuery>;

/** What would become of a file, for the admin app's step before an import. */
export interface ImportCheck {
  /** Rows with content, without the header. */
  rows: number;
  /** Rows that would become leads. */
  leads: number;
  /** Leads that would not be called, because their number is on the do-not-call list. */
  on_do_not_call_list: number;
  refusals: { code: ImportErrorCode; rows: number }[];
  /** The first refused rows; `row` counts as in a spreadsheet. */
  examples: { row: number; column: string | null; message: string; value: string }[];
  /** False for a file of which only the first part was checked, because it is too long. */
  is_complete: boolean;
}

/** An import and its progress. */
export const importRecord = z
  .strictObject({
    id: z.int(),
    campaign_id: z.int(),
    state: z.enum(importStates),
    file_name: z.string().nullable(),
    rows_read: z.int(),
    rows_imported: z.int(),
    /** Rows whose number was already in the campaign or in an earlier row. */
    rows_duplicate: z.int(),
    rows_refused: z.int(),
    /** Refused rows by reason. */
    refusals: z.array(z.strictObject({ code: z.enum(importErrorCodes), rows: z.int() })),
    bytes_read: z.int(),
    bytes_total: z.int().nullable(),
    leads_removed: z.int(),
    created_at: isoMicrosecondsField,
    updated_at: isoMicrosecondsField,
    finished_at: isoMicrosecondsField.nullable(),
  })
  .meta({ id: 'LeadImport' });

/** An import and its progress. */
export type ImportRecord = z.output<typeof importRecord>;

const importWritten = written(importRecord).meta({ id: 'LeadImportWritten' });
/** Leads that were already called are kept. */
const importUndone = z
  .strictObject({ message: z.string(), data: importRecord, leads_kept: z.int() })
  .meta({ id: 'LeadImportUndone' });

const single = { path: '/api/user/imports/:id', pathParams: idParameter } as const;

/** The endpoints of imports. */
export const leadImports = c.router({
  create: {
    method: 'POST',
    path: '/api/user/campaigns/:id/leads/import',
    pathParams: idParameter,
    summary: 'Import leads from a CSV file, row by row as it arrives',
    query: importQuery,
    body: c.type<CsvUpload>(),
    responses: { 200: importWritten, ...bodyErrors, ...singleErrors },
    metadata: metadata({
      scope: 'write',
      notFoundMessage: CAMPAIGN_NOT_FOUND,
      upload: 'text/csv',
    }),
  },
  list: {
    method: 'GET',
    path: '/api/user/campaigns/:id/imports',
    pathParams: idParameter,
    summary: 'List the newest imports of a campaign, with their progress',
    responses: { 200: z.array(importRecord), ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: CAMPAIGN_NOT_FOUND }),
  },
  get: {
    method: 'GET',
    ...single,
    summary: 'Get one import with its progress',
    responses: { 200: importRecord, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: IMPORT_NOT_FOUND }),
  },
  report: {
    method: 'GET',
    path: '/api/user/imports/:id/report',
    pathParams: idParameter,
    summary: 'Download the rows of an import that were refused, as CSV',
    responses: {
      200: c.otherResponse({ contentType: 'text/csv; charset=utf-8', body: z.string() }),
      ...singleErrors,
    },
    metadata: metadata({ scope: 'read', notFoundMessage: IMPORT_NOT_FOUND }),
  },
  undo: {
    method: 'DELETE',
    ...single,
    summary: 'Undo an import: remove its leads that were never called',
    responses: { 200: importUndone, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', notFoundMessage: IMPORT_NOT_FOUND }),
  },
});
