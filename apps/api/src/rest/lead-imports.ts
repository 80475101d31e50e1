/** Imports of leads over REST. The use case reads the file as it arrives. */
import type { api, ImportQuery } from '@parley/contracts';
import {
  findImport,
  importLeads,
  listImports,
  reportImport,
  undoImport,
  type CoreContext,
  type Identity,
  type ImportOptions,
} from '@parley/core';
import { FileStream } from '../http/text-stream.ts';
import { openUpload } from '../http/upload-body.ts';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/lead-imports.ts`. */
export const leadImportHandlers: RestHandlers<typeof api.leadImports> = {
  async create({ core, identity, request }, { params, query }) {
    const data = await importLeads(core, identity, {
      campaignId: params.id,
      options: readImportOptions(query),
      fileName: query.file_name,
      ...openUpload(request, core.clock),
    });
    return { status: 200, body: { message: 'Leads imported successfully', data } };
  },

  async list({ core, identity }, { params }) {
    return { status: 200, body: await listImports(core, identity, params.id) };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findImport(core, identity, params.id) };
  },

  report: ({ core, identity }, { params }) =>
    Promise.resolve({ status: 200, body: reportFile(core, identity, params.id) }),

  async undo({ core, identity }, { params }) {
    const { record, leadsKept } = await undoImport(core, identity, params.id);
    const message = 'Import undone successfully';
    return { status: 200, body: { message, data: record, leads_kept: leadsKept } };
  },
};

/** The report of an import as a file. */
export function reportFile(core: CoreContext, identity: Identity, id: number): FileStream {
  const file = { type: 'text/csv; charset=utf-8', fileName: `import-${id}-report.csv` };
  return new FileStream(reportImport(core, identity, id), file);
}

/** The query in core's names. */
export function readImportOptions(query: ImportQuery): ImportOptions {
  return {
    mapping: query.mapping,
    delimiter: query.delimiter,
    hasHeader: query.has_header,
    isDuplicateAllowed: query.allow_duplicate,
  };
}
