/**
 * Hangs the contract's endpoints into Express: the only file of the api that knows ts-rest. For each endpoint, in this
 * order: route, token, rate limit, scope, body, shape, handler. Handlers get plain typed input and a {@link RestCall}.
 */
import { api, errorText, fieldErrors, metadataOf, routesOf, type RouteMetadata } from '@parley/contracts';
import { DomainError, type CoreContext, type Identity } from '@parley/core';
import type { AppRoute, ServerInferRequest, ServerInferResponses } from '@ts-rest/core';
import { createExpressEndpoints, type RequestValidationError } from '@ts-rest/express';
import type { Express, Request, RequestHandler, Response } from 'express';
import { identityOf, requireScope } from '../http/authenticate.ts';
import { readBody, refuseUnstorable } from '../http/read-body.ts';
import { originOf, urlOf } from '../http/request-origin.ts';
import { answerOnce } from '../idempotency.ts';

/** What a handler knows of the request beside its input. */
interface RestCall {
  /** With the public address filled in from the request where none is configured. */
  core: CoreContext;
  identity: Identity;
  /** The absolute address that was asked for. */
  url: URL;
}

type RestHandler<Route extends AppRoute> = (
  call: RestCall,
  input: ServerInferRequest<Route>,
) => Promise<ServerInferResponses<Route>>;

/** One handler for each endpoint of a group of the contract. */
export type RestHandlers<Group> = {
  [Name in keyof Group]: Group[Name] extends AppRoute ? RestHandler<Group[Name]> : never;
};

type AllHandlers = { [Group in keyof typeof api]: RestHandlers<(typeof api)[Group]> };

/** What the endpoints stand on. */
export interface RestOptions {
  core: CoreContext;
  handlers: AllHandlers;
  authentication: RequestHandler;
  /** Answers are checked against their schemas: in tests and development, because it costs a third of a list. */
  isCheckingAnswers: boolean;
}

/** Mounts every endpoint, and a 405 for the methods that their paths do not have. */
export function mountRest(app: Express, options: RestOptions): void {
  const steps: RequestHandler[] = [options.authentication, checkScope, ...readBody, refuseUnstorable];
  createExpressEndpoints(api, adapt(options) as never, app, {
    logInitialization: false,
    responseValidation: options.isCheckingAnswers,
    globalMiddleware: steps as never,
    requestValidationErrorHandler: (error, request, _response, next) =>
      next(toDomainError(error, routeOf(request))),
  });
  for (const [path, methods] of methodsByPath()) app.all(path, refuseMethod(methods));
}

/** What the endpoint says of itself; nothing outside the contract. */
export function wordingOf(request: Request): RouteMetadata {
  const route = routeOf(request);
  return route ? metadataOf(route) : { scope: null };
}

function routeOf(request: unknown): AppRoute | undefined {
  return (request as { tsRestRoute?: AppRoute }).tsRestRoute;
}

const checkScope: RequestHandler = (request, response, next) => {
  requireScope(identityOf(response), wordingOf(request).scope);
  next();
};

/** Wraps our handlers into ts-rest's form. Types end here: they were checked on {@link AllHandlers}. */
function adapt(options: RestOptions): Record<string, Record<string, unknown>> {
  type Untyped = (call: RestCall, input: unknown) => Promise<Answer>;
  const groups = Object.entries(options.handlers).map(([group, handlers]) => {
    const adapted = Object.entries(handlers as Record<string, Untyped>).map(([name, handler]) => [
      name,
      (input: { req: Request; res: Response }) => run(options.core, input, (call) => handler(call, input)),
    ]);
    return [group, Object.fromEntries(adapted)] as const;
  });
  return Object.fromEntries(groups) as Record<string, Record<string, unknown>>;
}

interface Answer {
  status: number;
  body: unknown;
}

type Work = (call: RestCall) => Promise<Answer>;

async function run(
  core: CoreContext,
  { req, res }: { req: Request; res: Response },
  work: Work,
): Promise<Answer> {
  const identity = identityOf(res);
  const origin = originOf(req, core.publicUrl);
  const url = urlOf(req, origin);
  const key = wordingOf(req).isIdempotent ? req.get('idempotency-key') : undefined;
  const callWith = (context: CoreContext): RestCall => ({
    core: { ...context, publicUrl: origin },
    identity,
    url,
  });
  if (!key || identity.tokenId === null) return work(callWith(core));
  const content = JSON.stringify([req.method, req.path, req.body]);
  const kept = await answerOnce(core, { tokenId: identity.tokenId, key, content }, async (context) => {
    const { status, body } = await work(callWith(context));
    return { status, body: JSON.stringify(body) };
  });
  return { status: kept.status, body: JSON.parse(kept.body) };
}

/** A path that names nothing is 404, whatever else is wrong. */
function toDomainError(error: RequestValidationError, route: AppRoute | undefined): DomainError {
  const { notFoundMessage = errorText.notFound } = route ? metadataOf(route) : {};
  if (error.pathParams) return new DomainError('not-found', notFoundMessage);
  const issues = [...(error.query?.issues ?? []), ...(error.body?.issues ?? [])];
  return new DomainError('invalid', errorText.invalidData, { fields: fieldErrors(issues) });
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { route } of routesOf(api)) {
    const known = methods.get(route.path) ?? [];
    methods.set(route.path, [...known, route.method, ...(route.method === 'GET' ? ['HEAD'] : [])]);
  }
  return methods;
}

function refuseMethod(methods: readonly string[]): RequestHandler {
  return (_request, response) => {
    response.status(405).set('Allow', methods.join(', ')).json({ message: errorText.methodNotAllowed });
  };
}
