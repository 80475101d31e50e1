/** Folders and labels of assistants over REST. */
import { paginate, type api } from '@parley/contracts';
import {
  changeAssistantGroup,
  createAssistantGroup,
  deleteAssistantGroup,
  listAssistantGroups,
} from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Both groups of `contracts/assistant-groups.ts` have the same endpoints; only the kind and its name differ. */
function groupHandlers(kind: 'folder' | 'label', noun: string): RestHandlers<typeof api.folders> {
  return {
    async list({ core, identity, url }, { query }) {
      const page = { page: query.page, perPage: query.per_page };
      const { rows, total } = await listAssistantGroups(core, identity, { kind, ...page });
      return { status: 200, body: paginate({ rows, total, ...page, url }) };
    },

    async create({ core, identity }, { body }) {
      const data = await createAssistantGroup(core, identity, { ...body, kind });
      return { status: 201, body: { message: `${noun} created successfully`, data } };
    },

    async update({ core, identity }, { params, body }) {
      const data = await changeAssistantGroup(core, identity, { ...body, kind, id: params.id });
      return { status: 200, body: { message: `${noun} updated successfully`, data } };
    },

    async remove({ core, identity }, { params }) {
      await deleteAssistantGroup(core, identity, { kind, id: params.id });
      return { status: 200, body: { message: `${noun} deleted successfully` } };
    },
  };
}

/** Handlers of folders. */
export const folderHandlers: RestHandlers<typeof api.folders> = groupHandlers('folder', 'Folder');

/** Handlers of labels. */
export const labelHandlers: RestHandlers<typeof api.labels> = groupHandlers('label', 'Label');
