/**
 * Endpoints of assistants: create, three lists, and one by its id. Shapes stand in assistant-input.ts and
 * assistant-record.ts. See API-SPEC.md, "Endpoints: Assistants".
 */
import { z } from 'zod';
import { createAssistantBody } from './assistant-input.ts';
import { assistantRecord, assistantWritten, outboundAssistantRecord } from './assistant-record.ts';
import { c, metadata } from './contract.ts';
import { envelope, pageQuery } from './envelope.ts';
import { bodyErrors, errorText, queryErrors, singleErrors } from './errors.ts';
import { idParameter } from './fields.ts';

/** Page size of the assistants list where the query names none. */
const DEFAULT_PER_PAGE = 10;

const read = metadata({ scope: 'read' });

/** The endpoints of assistants. */
export const assistants = c.router({
  create: {
    method: 'POST',
    path: '/api/user/assistant',
    summary: 'Create an assistant',
    body: createAssistantBody,
    responses: { 201: assistantWritten, ...bodyErrors },
    metadata: metadata({
      scope: 'write',
      validationMessage: errorText.validationFailed,
      failureMessage: 'Assistant creation failed',
      isIdempotent: true,
    }),
  },
  list: {
    method: 'GET',
    path: '/api/user/assistants/get',
    summary: 'List assistants, paginated',
    query: z.object(pageQuery(DEFAULT_PER_PAGE)),
    responses: { 200: envelope(assistantRecord).meta({ id: 'AssistantPage' }), ...queryErrors },
    metadata: read,
  },
  listAll: {
    method: 'GET',
    path: '/api/user/assistants',
    summary: 'List all assistants',
    responses: { 200: z.array(assistantRecord) },
    metadata: read,
  },
  listOutbound: {
    method: 'GET',
    path: '/api/user/assistants/outbound',
    summary: 'List outbound assistants',
    responses: { 200: z.array(outboundAssistantRecord) },
    metadata: read,
  },
  get: {
    method: 'GET',
    path: '/api/user/assistant/:id',
    pathParams: idParameter,
    summary: 'Get one assistant',
    responses: { 200: assistantRecord, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: 'Assistant not found' }),
  },
});
