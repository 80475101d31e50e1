/** Files that the admin app uploads. They do not use tRPC, whose messages have at most 1 MiB. */
import { errorText, fieldErrors } from '@parley/contracts';
import { auditCommitted, DomainError, type CoreContext, type Identity } from '@parley/core';
import type { Request, RequestHandler } from 'express';
import type { z } from 'zod';
import { identityOf } from './http/authenticate.ts';
import { refuseUnstorable } from './http/json-body.ts';
import { acceptUpload, openUpload, readUploaded } from './http/upload-body.ts';
import { idOf } from './session-only.ts';

/** One kind of file. */
export interface AdminUpload<Schema extends z.ZodType> {
  /** The answer to another content type. */
  otherType: string;
  maxBytes: number;
  /** The message for a path without an id. */
  notFound: string;
  /** Throws before the file is read into memory if the resource that it belongs to is missing or another user's. */
  find: (identity: Identity, ownerId: number) => Promise<unknown>;
  /** The same body as that of the endpoint of the API. */
  schema: Schema;
  /** @param file - in base64 */
  bodyOf: (file: string, query: Request['query']) => unknown;
  create: (identity: Identity, ownerId: number, input: z.output<Schema>) => Promise<{ id: number }>;
  /** The name of the upload in the audit log. */
  operation: string;
}

/** Takes the file of `POST …/<id of what it belongs to>`. Requires the identity of a session. */
export function takeUpload<Schema extends z.ZodType>(
  core: CoreContext,
  upload: AdminUpload<Schema>,
): RequestHandler {
  return async (request, response) => {
    refuseUnstorable(request.query);
    const accepted = { type: 'application/octet-stream', clock: core.clock, otherType: upload.otherType };
    acceptUpload(accepted, request, response);
    const identity = identityOf(response);
    const ownerId = idOf(request.params['id'], upload.notFound);
    await upload.find(identity, ownerId);
    const content = await readUploaded(openUpload(request, core.clock), upload.maxBytes);
    const body = upload.bodyOf(content.toString('base64'), request.query);
    const { data: input, error } = upload.schema.safeParse(body);
    if (error) throw new DomainError('invalid', errorText.invalidData, { fields: fieldErrors(error.issues) });
    const data = await upload.create(identity, ownerId, input);
    await auditCommitted(core, {
      channel: 'app',
      operation: upload.operation,
      userId: identity.userId,
      networkAddress: request.ip ?? null,
      objectId: data.id,
    });
    response.json(data);
  };
}
