/** Runs a handler for a request, once where the request carries an `Idempotency-Key`. */
import type { IncomingMessage } from 'node:http';
import type { PageAddress } from '@parley/contracts';
import type { CoreContext, Identity } from '@parley/core';
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
  return asked.endpoint.handler(new AnsweredCall(core, asked), asked.input);
}

/** A class, because an accessor in a literal is made anew for each request. */
class AnsweredCall implements RestCall {
  readonly core: CoreContext;
  readonly identity: Identity;
  readonly url: PageAddress;
  readonly #request: IncomingMessage;

  constructor(core: CoreContext, { request, identity, origin, target }: EndpointRequest) {
    this.core = contextAt(core, origin);
    this.identity = identity;
    this.url = { origin, pathname: target.path, search: target.search };
    this.#request = request;
  }

  get upload(): RestCall['upload'] {
    return uploadOf(this.#request, this.core);
  }
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
