/**
 * Reads a JSON body: refuses other types (415), too much (413), what is no JSON (400), and text that Postgres cannot
 * keep (422). What is no object becomes an empty one, so that the schema can say which fields are missing.
 */
import { errorText, fieldFault, findUnstorable, isPlainObject, wording } from '@parley/contracts';
import { DomainError } from '@parley/core';
import express, { type RequestHandler } from 'express';
import { sendError } from './error-handler.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

const refuseOtherTypes: RequestHandler = (request, response, next) => {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody || JSON_TYPE.test(request.headers['content-type'] ?? '')) return next();
  sendError(response, { status: 415, body: { message: errorText.notJsonType }, headers: {} });
};

const keepObjectsOnly: RequestHandler = (request, _response, next) => {
  const body: unknown = request.body;
  request.body = isPlainObject(body) ? body : {};
  next();
};

/** Also looks at the query, whose text goes to Postgres just the same. */
export const refuseUnstorable: RequestHandler = (request, _response, next) => {
  const path = findUnstorable(request.body) ?? findUnstorable(request.query);
  if (!path) return next();
  throw new DomainError('invalid', errorText.invalidData, {
    fields: fieldFault(path.join('.'), wording.format),
  });
};

/** The steps, in order. */
export const readBody: RequestHandler[] = [
  refuseOtherTypes,
  express.json({ limit: MAX_BODY_BYTES, strict: false, type: () => true }),
  keepObjectsOnly,
];
