/**
 * The contract and its implementation as `createExpressEndpoints` takes them: one entry for each endpoint and path. The
 * adapter around a handler fills in its context, honours `Idempotency-Key`, and opens the streams of long answers.
 */
import { aliasesOf, api, errorCodeHeaders, keyingOf, metadataOf, routesOf } from '@parley/contracts';
import type { CoreContext } from '@parley/core';
import type { AppRoute } from '@ts-rest/core';
import type { createExpressEndpoints } from '@ts-rest/express';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { identityOf } from '../http/authenticate.ts';
import { EventStream, openEventStream } from '../http/event-stream.ts';
import { ListStream, openListStream } from '../http/list-stream.ts';
import type { OriginReader } from '../http/request-origin.ts';
import { FileStream, openTextStream } from '../http/text-stream.ts';
import { errorCodeOf } from '../http-errors.ts';
import { audited } from './audited-handler.ts';
import { answerAndKeep, answerOnce, keyOf } from '../idempotency.ts';
import type { AllHandlers, Answer, AnyHandler, RestCall } from './handlers.ts';

export interface EndpointOptions {
  core: CoreContext;
  handlers: AllHandlers;
  originOf: OriginReader;
  /** Answers are checked against their schemas: in tests and development, because it costs a third of a list. */
  isCheckingAnswers: boolean;
}

/** One level of endpoints by id. */
export type FlatContract = Record<string, AppRoute>;

type Implementation = Parameters<typeof createExpressEndpoints<FlatContract>>[1];

/** Every endpoint under its path and its aliases. */
export function implementContract(options: EndpointOptions): {
  contract: FlatContract;
  router: Implementation;
} {
  const contract: FlatContract = {};
  const router: Record<string, unknown> = {};
  for (const { group, name, route } of routesOf(api)) {
    const handlers = options.handlers[group as keyof AllHandlers] as unknown as Record<string, AnyHandler>;
    for (const { method, path } of [route, ...aliasesOf(route)]) {
      const id = `${group}.${name} at ${method} ${path}`;
      contract[id] = { ...route, method, path } as AppRoute;
      const handler = audited(`${group}.${name}`, route, handlers[name] as AnyHandler);
      router[id] = adapt(handler, route, options);
    }
  }
  return { contract, router: router as Implementation };
}

/** The part of ts-rest's input that an adapter uses itself. */
interface EndpointInput {
  req: Request;
  res: Response;
}

function adapt(handler: AnyHandler, route: AppRoute, { core, originOf, isCheckingAnswers }: EndpointOptions) {
  return async (input: EndpointInput): Promise<Answer> => {
    const { req: request, res: response } = input;
    const origin = originOf(request);
    const call: RestCall = {
      core: { ...core, publicUrl: origin },
      identity: identityOf(response),
      get url() {
        return addressOf(request, origin);
      },
      request,
    };
    const { status, body } = await answerKeyed(call, { route, response }, (own) => handler(own, input));
    if (status >= 400) response.set(errorCodeHeaders(errorCodeOf({ status, body: Object(body) as object })));
    const means = { request, response, log: core.log };
    if (body instanceof EventStream) return { status, body: await openEventStream(body, means) };
    if (body instanceof FileStream)
      return { status, body: await openTextStream(body.pieces, { ...means, headers: body.headers }) };
    if (!(body instanceof ListStream)) return { status, body };
    const schema = isCheckingAnswers ? (route.responses[status] as z.ZodType) : undefined;
    return { status, body: await openListStream(body, { ...means, schema }) };
  };
}

/** With an absolute request target (RFC 9112, section 3.2.2), only its path and its query count. */
function addressOf({ originalUrl }: Request, origin: string): URL {
  const { pathname, search } = new URL(originalUrl, origin);
  return new URL(pathname + search, origin);
}

/** Runs the handler, or repeats its first answer where the request carries an `Idempotency-Key` that was used before. */
async function answerKeyed(
  call: RestCall,
  { route, response }: { route: AppRoute; response: Response },
  run: (call: RestCall) => Promise<Answer>,
): Promise<Answer> {
  const { core, identity, request } = call;
  const { secretFields, upload } = metadataOf(route);
  const keying = keyingOf(route);
  const key = keying === 'none' ? undefined : keyOf(request);
  // An upload is too large to be compared; its use case handles the key.
  if (key === undefined || upload !== undefined || identity.tokenId === null) return run(call);
  const content = JSON.stringify([request.method, request.path, request.body]);
  const answer = keying === 'with-work' ? answerOnce : answerAndKeep;
  const kept = await answer(core, { tokenId: identity.tokenId, key, content }, async (joined) => {
    const { status, body } = await run({ ...call, core: joined });
    return { status, body: JSON.stringify(body), keptBody: withoutSecrets(body, secretFields) };
  });
  if (kept.isReplayed) response.setHeader('Idempotent-Replayed', 'true');
  return { status: kept.status, body: JSON.parse(kept.body) };
}

/** A secret is shown once: it is not stored, so a repeated answer has null in its place. */
function withoutSecrets(body: unknown, secretFields: readonly string[] = []): string {
  return JSON.stringify(body, (name, value: unknown) => (secretFields.includes(name) ? null : value));
}
