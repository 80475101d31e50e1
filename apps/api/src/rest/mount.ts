/**
 * Answers the endpoints of the contract, as one step of Express: docs/decisions/rest-from-the-contract.md. For each
 * request, in this order: route, token, rate limit, scope and role, body, shape, handler. Handlers get plain typed input
 * and a `RestCall`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { errorText } from '@parley/contracts';
import type { CoreContext, Identity } from '@parley/core';
import { requireRole, requireScope, type Authenticate } from '../http/authenticate.ts';
import { sendFailure } from '../http/error-handler.ts';
import { limitBodyTime } from '../http/body-time.ts';
import { exchangeOf } from '../http/exchange.ts';
import { ListStream, openListStream } from '../http/list-stream.ts';
import { readBody, refuseUnstorable } from '../http/read-body.ts';
import type { OriginReader } from '../http/request-origin.ts';
import type { FoundRoute } from '../http/route-table.ts';
import { sendJson } from '../http/send-json.ts';
import { FileStream, openTextStream } from '../http/text-stream.ts';
import { acceptUpload } from '../http/upload-body.ts';
import { RefusedRequest } from '../http-errors.ts';
import { tableOfEndpoints, type Answer, type Endpoint, type EndpointsOfPath } from './endpoints.ts';
import type { AllHandlers } from './handlers.ts';
import { runHandler } from './run-handler.ts';
import { validateInput } from './validate-input.ts';

/** What the endpoints stand on. */
export interface RestOptions {
  core: CoreContext;
  handlers: AllHandlers;
  authenticate: Authenticate;
  originOf: OriginReader;
  /** Answers are checked against their schemas: in tests and development, because it costs a third of a list. */
  isCheckingAnswers: boolean;
}

/** @returns false for what is none of its paths; then nothing was done */
export type RestListener = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Every endpoint, and a 405 for the methods that their paths do not have. */
export function createRest(options: RestOptions): RestListener {
  const table = tableOfEndpoints(options.handlers);
  return (request, response) => {
    const target = targetOf(request.url ?? '');
    try {
      const found = table.find(target.path);
      if (!found) return false;
      const asking = { request, response, target };
      answer(options, asking, found).catch((error: unknown) =>
        sendFailure(options.core.log, response, error),
      );
    } catch (error) {
      refuseUnread(options.core, { request, response, target }, error);
    }
    return true;
  };
}

/** Before its body was looked at, which may yet be on its way. */
function refuseUnread({ clock, log }: CoreContext, { request, response }: Asking, error: unknown): void {
  limitBodyTime(clock, request, response);
  sendFailure(log, response, error);
}

/** A request and where its answer goes. */
interface Asking {
  request: IncomingMessage;
  response: ServerResponse;
  target: { path: string; search: string };
}

/** The request line of a proxy holds an absolute address. */
function targetOf(url: string): Asking['target'] {
  const local = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  const end = local.indexOf('?');
  return end < 0 ? { path: local, search: '' } : { path: local.slice(0, end), search: local.slice(end + 1) };
}

async function answer(
  options: RestOptions,
  asking: Asking,
  { value: endpoints, params }: FoundRoute<EndpointsOfPath>,
): Promise<void> {
  const { request, response } = asking;
  const endpoint = endpoints.get(request.method ?? '');
  if (!endpoint) return refuseUnread(options.core, asking, wrongMethod(endpoints));
  exchangeOf(response).route = endpoint.path;
  try {
    const { status, body } = await answerOf(options, { ...asking, endpoint, params });
    if (body instanceof ListStream || body instanceof FileStream)
      await sendStream(options, asking, { endpoint, status, content: body });
    else sendJson(response, status, options.isCheckingAnswers ? checked(endpoint, { status, body }) : body);
  } catch (error) {
    sendFailure(options.core.log, response, error, endpoint.facts);
  }
}

async function answerOf(
  { core, authenticate, originOf }: RestOptions,
  { request, response, target, endpoint, params }: Asking & { endpoint: Endpoint; params: unknown },
): Promise<Answer> {
  let identity: Identity;
  try {
    identity = await authenticate(request, response);
  } finally {
    limitBodyTime(core.clock, request, response);
  }
  requireScope(identity, endpoint.facts.scope);
  requireRole(identity, endpoint.facts.role);
  const { upload } = endpoint.facts;
  // Files are read by the handler, at its own pace.
  if (upload !== undefined) acceptUpload({ type: upload, clock: core.clock }, request, response);
  const body = upload === undefined ? await readBody(request) : {};
  const query = parseQuery(target.search);
  refuseUnstorable(body);
  // What cannot be stored cannot stand in an address as it is.
  if (target.search.includes('%')) refuseUnstorable(query);
  const input = validateInput(endpoint.shapes, { params, query, body }, endpoint.facts);
  const origin = originOf(request);
  return runHandler(core, { endpoint, request, identity, origin, target, sentBody: body, input });
}

/** @throws ZodError where a handler answers what the contract does not have */
function checked({ answers }: Endpoint, { status, body }: Answer): unknown {
  return answers[status]?.parse(body);
}

interface StreamToSend {
  endpoint: Endpoint;
  status: number;
  content: ListStream<unknown> | FileStream;
}

async function sendStream(
  { core, isCheckingAnswers }: RestOptions,
  { request, response }: Asking,
  { endpoint, status, content }: StreamToSend,
): Promise<void> {
  const schema = isCheckingAnswers ? endpoint.answers[status] : undefined;
  const means = { request, response, log: core.log };
  const stream =
    content instanceof FileStream
      ? await openTextStream(content.pieces, { ...means, headers: content.headers })
      : await openListStream(content, { ...means, schema });
  response.statusCode = status;
  stream.pipe(response);
}

function wrongMethod(endpoints: EndpointsOfPath): RefusedRequest {
  return new RefusedRequest({
    status: 405,
    body: { message: errorText.methodNotAllowed },
    headers: { Allow: [...endpoints.keys()].join(', ') },
  });
}
