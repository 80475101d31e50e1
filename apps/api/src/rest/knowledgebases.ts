/** Knowledge bases and their documents over REST. */
import type { api } from '@parley/contracts';
import {
  changeDocument,
  changeKnowledgebase,
  createDocument,
  createKnowledgebase,
  deleteDocument,
  deleteKnowledgebase,
  findDocument,
  findKnowledgebase,
  listDocuments,
  listKnowledgebases,
} from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `knowledgebases` in `contracts/knowledgebases.ts`. */
export const knowledgebaseHandlers: RestHandlers<typeof api.knowledgebases> = {
  async list({ core, identity }) {
    return { status: 200, body: { data: await listKnowledgebases(core, identity) } };
  },

  async create({ core, identity }, { body }) {
    const data = await createKnowledgebase(core, identity, body);
    return { status: 201, body: { message: 'Knowledge base created successfully', data } };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: { data: await findKnowledgebase(core, identity, params.id) } };
  },

  async update({ core, identity }, { params, body }) {
    const data = await changeKnowledgebase(core, identity, { id: params.id, changes: body });
    return { status: 200, body: { message: 'Knowledge base updated successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    await deleteKnowledgebase(core, identity, params.id);
    return { status: 200, body: { message: 'Knowledge base deleted successfully' } };
  },
};

/** Handlers of `documents` in `contracts/knowledgebases.ts`. */
export const documentHandlers: RestHandlers<typeof api.documents> = {
  async list({ core, identity }, { params }) {
    return { status: 200, body: { data: await listDocuments(core, identity, params.id) } };
  },

  async create({ core, identity }, { params, body }) {
    const data = await createDocument(core, identity, { knowledgebaseId: params.id, input: body });
    const message = 'Document created successfully. Processing will begin shortly.';
    return { status: 201, body: { message, data } };
  },

  async get({ core, identity }, { params }) {
    const aim = { knowledgebaseId: params.id, id: params.document_id };
    return { status: 200, body: { data: await findDocument(core, identity, aim) } };
  },

  async update({ core, identity }, { params, body }) {
    const aim = { knowledgebaseId: params.id, id: params.document_id };
    const data = await changeDocument(core, identity, { ...aim, changes: body });
    return { status: 200, body: { message: 'Document updated successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    await deleteDocument(core, identity, { knowledgebaseId: params.id, id: params.document_id });
    return { status: 200, body: { message: 'Document deleted successfully' } };
  },
};
