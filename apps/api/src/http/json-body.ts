/**
 * JSON bodies, read by Express's own parser. Around it: other content types are refused (415), a body that is no object
 * becomes an empty one, so that the schema can name the missing fields, and text that Postgres cannot store is refused
 * (422).
 */
import { errorText, fieldFault, findUnstorable, isPlainObject, metadataOf, wording } from '@parley/contracts';
import { DomainError } from '@parley/core';
import express from 'express';
import { refusal } from '../http-errors.ts';
import type { RestMiddleware, RestRequest } from './rest-request.ts';
import { identityOf } from './authenticate.ts';
import type { BodyBudget } from './body-budget.ts';
import { hasBody } from './body-time.ts';
import { countValues } from './json-values.rules.ts';
import { isForm, parseForm } from './form-body.ts';

/** After decompression. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Where the contract says nothing else. */
export const MAX_VALUES = 50_000;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
/** RFC 8259, section 8.1: "JSON text exchanged between systems [...] MUST be encoded using UTF-8". `utf8` is common too. */
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i;

const isUpload = (request: RestRequest): boolean => metadataOf(request.tsRestRoute).upload !== undefined;

const requireJsonType: RestMiddleware = (request, _response, next) => {
  const type = request.get('content-type') ?? '';
  const isJson = JSON_TYPE.test(type) && !OTHER_CHARSET.test(type);
  if (!isJson && hasBody(request) && !isUpload(request) && !isForm(request))
    throw refusal(415, errorText.notJsonType);
  // Express's parser would refuse `charset=utf8`.
  if (isJson) request.headers['content-type'] = 'application/json';
  next();
};

const parserFor = (limit: number) =>
  express.json({
    limit,
    strict: false,
    type: (request) => !isUpload(request as RestRequest),
    verify: (request, _response, body) => {
      const { maxBodyValues: most = MAX_VALUES } = metadataOf((request as RestRequest).tsRestRoute);
      if (countValues(body, most).values > most) throw refusal(413, errorText.tooManyValues(most));
    },
  });

const parseUsual = parserFor(MAX_BODY_BYTES);
const parsers = new Map<number, ReturnType<typeof parserFor>>();

const parseJson: RestMiddleware = (request, response, next) => {
  if (isForm(request)) return void parseForm(request, next);
  const { maxBodyBytes: limit } = metadataOf(request.tsRestRoute);
  if (limit === undefined) return parseUsual(request, response, next);
  const parse = parsers.get(limit) ?? parserFor(limit);
  parsers.set(limit, parse);
  parse(request, response, next);
};

const requireStorable: RestMiddleware = (request, _response, next) => {
  if (!isPlainObject(request.body)) request.body = {};
  refuseUnstorable(request.body);
  refuseUnstorable(knownParameters(request));
  next();
};

/** Unknown query parameters are ignored, whatever they contain. */
function knownParameters({ query, tsRestRoute }: RestRequest): Record<string, unknown> {
  const { shape = {} } = (tsRestRoute.query ?? {}) as { shape?: Record<string, unknown> };
  return Object.fromEntries(Object.entries(query).filter(([name]) => Object.hasOwn(shape, name)));
}

/** Counts a body for the user before it is read. Uploads are read piece by piece and have their own limit. */
export function budgetBodies(bodies: BodyBudget): RestMiddleware {
  return (request, response, next) => {
    const { maxBodyBytes = MAX_BODY_BYTES } = metadataOf(request.tsRestRoute);
    if (!isUpload(request)) bodies.enter(identityOf(response).userId, maxBodyBytes, { request, response });
    next();
  };
}

/** In the order in which they run. */
export const readJsonBody = [requireJsonType, parseJson, requireStorable];

/** @throws DomainError `invalid` for text that cannot be stored, in a body or a query */
export function refuseUnstorable(value: unknown): void {
  const path = findUnstorable(value);
  if (!path) return;
  throw new DomainError('invalid', errorText.invalidData, {
    fields: fieldFault(path.join('.'), wording.format),
  });
}
