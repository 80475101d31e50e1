/** Imports of leads from files, and the rows of those files that were refused. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { Campaign } from './campaign.ts';
import { document, generatedId, instant, optionalInstant, owner } from './columns.ts';

export const LeadImport = defineEntity({
  name: 'LeadImport',
  tableName: 'lead_imports',
  indexes: [{ name: 'lead_imports_campaign_id_id_index', properties: ['campaignId', 'id'] }],
  uniques: [
    {
      name: 'lead_imports_campaign_id_key_unique',
      properties: ['campaignId', 'key'],
      where: 'key is not null',
    },
  ],
  properties: {
    id: generatedId(),
    userId: owner,
    campaignId: () => p.manyToOne(Campaign).mapToPk().joinColumn('campaign_id').deleteRule('cascade'),
    /** The client's `Idempotency-Key`: sent again with it, the upload goes on. An undone import lets go of it. */
    key: p.text().strictNullable(),
    /** Digest of the options and the header, which must be identical when the import continues. */
    begunAs: p.text(),
    state: p.enum(['running', 'interrupted', 'finished', 'undoing', 'undone']),
    /** The number of uploads so far; only the latest one may write. */
    run: p.integer(),
    fileName: p.text().strictNullable(),
    /** Processed records of the file, including the header and empty records. */
    position: p.integer().default(0),
    /** Digest of those records, which detects another file under the same key. */
    contentHash: p.text(),
    rowsRead: p.integer().default(0),
    rowsImported: p.integer().default(0),
    /** The number of rows without a lead, by reason code. */
    refusals: document<Record<string, number>>().default('{}'),
    errorsStored: p.integer().default(0),
    /** The bytes that the last upload has read. */
    bytesRead: p.bigint('number'),
    bytesTotal: p.bigint('number').strictNullable(),
    leadsRemoved: p.integer().default(0),
    createdAt: instant(),
    /** Also shows that an upload is still running. */
    updatedAt: instant(),
    finishedAt: optionalInstant(),
  },
});

/** A row of a file that made no lead. `value` is personal data, and goes with the import. */
export const LeadImportError = defineEntity({
  name: 'LeadImportError',
  tableName: 'lead_import_errors',
  properties: {
    importId: () => p.manyToOne(LeadImport).mapToPk().joinColumn('import_id').deleteRule('cascade').primary(),
    /** Row numbers as in a spreadsheet: the header is row 1. */
    rowNumber: p.integer().primary(),
    columnName: p.text().strictNullable(),
    code: p.text(),
    value: p.text(),
  },
});

/** An import as stored. */
export type LeadImportRow = InferEntity<typeof LeadImport>;
/** A refused row as stored. */
export type LeadImportErrorRow = InferEntity<typeof LeadImportError>;
