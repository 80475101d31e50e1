/**
 * Hangs the contract's endpoints into Express: the only file of the api that knows ts-rest. For each endpoint, in this
 * order: route, token, rate limit, scope and role, body, shape, handler. Handlers get plain typed input and a {@link RestCall}.
 */
import {
  api,
  errorText,
  fieldErrors,
  metadataOf,
  routesOf,
  type NamedRoute,
  type RouteMetadata,
} from '@parley/contracts';
import { DomainError, type CoreContext, type Identity } from '@parley/core';
import type { AppRoute, ServerInferRequest, ServerInferResponses } from '@ts-rest/core';
import { createExpressEndpoints, type RequestValidationError } from '@ts-rest/express';
import type { Express, Request, RequestHandler, Response } from 'express';
import { identityOf, requireRole, requireScope } from '../http/authenticate.ts';
import { limitBodyTime } from '../http/body-time.ts';
import { ListStream, openListStream } from '../http/list-stream.ts';
import { readBody, refuseUnstorable } from '../http/read-body.ts';
import { originOf, urlOf } from '../http/request-origin.ts';
import { answerOnce } from '../idempotency.ts';
import type { z } from 'zod';

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
) => Promise<ServerInferResponses<Route> | StreamedAnswer>;

/** Where the contract allows a list, a handler may write it bit by bit. */
interface StreamedAnswer {
  status: 200;
  body: ListStream<unknown>;
}

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
  const steps: RequestHandler[] = [
    options.authentication,
    checkScopeAndRole,
    limitBodyTime(options.core.clock),
    ...readBody,
    refuseUnstorable,
  ];
  const mounted = mountedRoutes();
  createExpressEndpoints(
    byGroup(mounted, ({ route }) => route),
    adapt(options, mounted) as never,
    app,
    {
      logInitialization: false,
      responseValidation: options.isCheckingAnswers,
      globalMiddleware: steps as never,
      requestValidationErrorHandler: (error, request, _response, next) =>
        next(toDomainError(error, routeOf(request))),
    },
  );
  for (const [path, methods] of methodsByPath(mounted)) app.all(path, refuseMethod(methods));
}

/** What the endpoint says of itself; nothing outside the contract. */
export function wordingOf(request: Request): RouteMetadata {
  const route = routeOf(request);
  return route ? metadataOf(route) : { scope: null };
}

function routeOf(request: unknown): AppRoute | undefined {
  return (request as { tsRestRoute?: AppRoute }).tsRestRoute;
}

const checkScopeAndRole: RequestHandler = (request, response, next) => {
  const { scope, role } = wordingOf(request);
  requireScope(identityOf(response), scope);
  requireRole(identityOf(response), role);
  next();
};

/** An endpoint at one of its paths. */
interface MountedRoute extends NamedRoute {
  /** Unique in its group. */
  key: string;
}

/** Every endpoint of the contract, once for each path that it answers on. */
function mountedRoutes(): MountedRoute[] {
  return routesOf(api).flatMap((named) => {
    const paths = [named.route.path, ...(metadataOf(named.route).aliases ?? [])];
    return paths.map((path, place) => ({
      ...named,
      key: `${named.name}${place === 0 ? '' : place}`,
      route: { ...named.route, path },
    }));
  });
}

function byGroup<Value>(
  routes: readonly MountedRoute[],
  valueOf: (route: MountedRoute) => Value,
): Record<string, Record<string, Value>> {
  const groups: Record<string, Record<string, Value>> = {};
  for (const mounted of routes) (groups[mounted.group] ??= {})[mounted.key] = valueOf(mounted);
  return groups;
}

/** Wraps our handlers into ts-rest's form. Types end here: they were checked on {@link AllHandlers}. */
function adapt(options: RestOptions, routes: readonly MountedRoute[]) {
  type Untyped = (call: RestCall, input: unknown) => Promise<Answer>;
  const handlers = options.handlers as Record<string, Record<string, Untyped>>;
  return byGroup(routes, ({ group, name, route }) => {
    const handler = handlers[group]?.[name];
    if (!handler) throw new Error(`The endpoint ${group}.${name} has no handler`);
    return async (input: { req: Request; res: Response }): Promise<Answer> => {
      const answer = await run(options.core, input, (call) => handler(call, input));
      if (!(answer.body instanceof ListStream)) return answer;
      const schema = options.isCheckingAnswers ? (route.responses[answer.status] as z.ZodType) : undefined;
      const { req: request, res: response } = input;
      const stream = { request, response, log: options.core.log, schema };
      return { status: answer.status, body: await openListStream(answer.body, stream) };
    };
  });
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
  const { isIdempotent, secretFields } = wordingOf(req);
  const key = isIdempotent ? req.get('idempotency-key') : undefined;
  const callWith = (context: CoreContext): RestCall => ({
    core: { ...context, publicUrl: origin },
    identity,
    get url() {
      return urlOf(req, origin);
    },
  });
  if (!key || identity.tokenId === null) return work(callWith(core));
  const content = JSON.stringify([req.method, req.path, req.body]);
  const kept = await answerOnce(core, { tokenId: identity.tokenId, key, content }, async (context) => {
    const { status, body } = await work(callWith(context));
    return { status, body: JSON.stringify(body), keptBody: withoutSecrets(body, secretFields) };
  });
  return { status: kept.status, body: JSON.parse(kept.body) };
}

/** What is shown once is not kept, so a repeated request cannot be answered with it. */
function withoutSecrets(body: unknown, secretFields: readonly string[] = []): string {
  return JSON.stringify(body, (name, value: unknown) => (secretFields.includes(name) ? null : value));
}

/** A path that names nothing is 404, whatever else is wrong. */
function toDomainError(error: RequestValidationError, route: AppRoute | undefined): DomainError {
  const { notFoundMessage = errorText.notFound } = route ? metadataOf(route) : {};
  if (error.pathParams) return new DomainError('not-found', notFoundMessage);
  const unknown = (error.body?.issues ?? []).flatMap(unknownKeys);
  if (unknown.length > 0) return new DomainError('invalid', `Invalid fields: ${unknown.join(', ')}`);
  const issues = [...(error.query?.issues ?? []), ...(error.body?.issues ?? [])];
  return new DomainError('invalid', errorText.invalidData, { fields: fieldErrors(issues) });
}

/** Only shapes that reject unknown fields have such issues. */
function unknownKeys(issue: object): string[] {
  return 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.map(String) : [];
}

function methodsByPath(routes: readonly MountedRoute[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { route } of routes) {
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
