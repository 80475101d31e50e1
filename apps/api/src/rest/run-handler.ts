/** Runs a handler for a request, once where the request carries an `Idempotency-Key`. */
import type { IncomingMessage } from 'node:http';
import type { CoreContext, Identity } from '@parley/core';
import { urlOf } from '../http/request-origin.ts';
import { readUpload } from '../http/upload-body.ts';
import { answerOnce, checkKey } from '../idempotency.ts';
import type { Answer, Endpoint } from './endpoints.ts';
import type { RestCall } from './handlers.ts';
import type { RequestInput } from './validate-input.ts';

/** One request to an endpoint, up to its handler. */
export interface EndpointRequest {
  endpoint: Endpoint;
  request: IncomingMessage;
  identity: Identity;
  /** Under which answers name themselves. */
  origin: string;
  /** As it was asked for. */
  target: { path: string; search: string };
  /** As it was sent. */
  sentBody: unknown;
  input: RequestInput;
}

export async function runHandler(core: CoreContext, asked: EndpointRequest): Promise<Answer> {
  const { endpoint, request, identity, target, sentBody } = asked;
  const { isIdempotent, secretFields, upload } = endpoint.facts;
  const key = isIdempotent ? keyOf(request) : undefined;
  // A file is not kept to be compared; its use case knows its key.
  if (!key || upload !== undefined || identity.tokenId === null) return callHandler(core, asked);
  const content = JSON.stringify([request.method, target.path, sentBody]);
  const kept = await answerOnce(core, { tokenId: identity.tokenId, key, content }, async (context) => {
    const { status, body } = await callHandler(context, asked);
    return { status, body: JSON.stringify(body), keptBody: withoutSecrets(body, secretFields) };
  });
  return { status: kept.status, body: JSON.parse(kept.body) };
}

function callHandler(core: CoreContext, asked: EndpointRequest): Promise<Answer> {
  const { endpoint, request, identity, origin, target, input } = asked;
  const call = {
    core: contextAt(core, origin),
    identity,
    get url() {
      return urlOf(origin, target);
    },
    get upload() {
      return uploadOf(request, core);
    },
  };
  return endpoint.handler(call, input);
}

/** The last one made of each context: nearly every request comes under the same address. */
const contexts = new WeakMap<CoreContext, CoreContext>();

function contextAt(core: CoreContext, publicUrl: string): CoreContext {
  const known = contexts.get(core);
  if (known?.publicUrl === publicUrl) return known;
  const made = { ...core, publicUrl };
  contexts.set(core, made);
  return made;
}

/** @throws DomainError for a key that is too long */
function uploadOf(request: IncomingMessage, { clock }: CoreContext): RestCall['upload'] {
  const length = request.headers['content-length'];
  const key = keyOf(request);
  if (key) checkKey(key);
  return {
    bytes: readUpload(request, clock),
    bytesTotal: length === undefined ? undefined : Number(length),
    key,
  };
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** What is shown once is not kept, so a repeated request cannot be answered with it. */
function withoutSecrets(body: unknown, secretFields: readonly string[] = []): string {
  return JSON.stringify(body, (name, value: unknown) => (secretFields.includes(name) ? null : value));
}
