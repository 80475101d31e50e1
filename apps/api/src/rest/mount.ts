/**
 * Serves the contract with `@ts-rest/express`: docs/decisions/rest-from-the-contract.md. The steps of every request, in
 * this order: token, rate limit, scope and role, body, token, scope and role again if the body took long, validation, handler.
 */
import { errorText, fieldErrors, MAX_LISTED_ERRORS, metadataOf } from '@parley/contracts';
import { DomainError } from '@parley/core';
import type { AppRoute } from '@ts-rest/core';
import { createExpressEndpoints, type RequestValidationError } from '@ts-rest/express';
import type { Express, RequestHandler } from 'express';
import { authorize } from '../http/authenticate.ts';
import type { BodyBudget } from '../http/body-budget.ts';
import { budgetBodies, readJsonBody } from '../http/json-body.ts';
import { renewIdentities } from '../http/renew-identity.ts';
import { acceptUploads } from '../http/upload-body.ts';
import { RefusedRequest } from '../http-errors.ts';
import { implementContract, type EndpointOptions, type FlatContract } from './endpoints.ts';

interface RestOptions extends EndpointOptions {
  authenticate: RequestHandler;
  bodies: BodyBudget;
}

/** Mounts every endpoint, and a 405 for the methods that their paths lack. */
export function mountRest(app: Express, options: RestOptions): void {
  const { contract, router } = implementContract(options);
  createExpressEndpoints(contract, router, app, {
    logInitialization: false,
    responseValidation: options.isCheckingAnswers,
    globalMiddleware: [
      options.authenticate,
      authorize,
      acceptUploads(options.core.clock),
      budgetBodies(options.bodies),
      ...readJsonBody,
      renewIdentities(options.core.clock),
      authorize,
    ],
    requestValidationErrorHandler: (error, request, _response, next) =>
      next(toDomainError(error, request.tsRestRoute)),
  });
  refuseOtherMethods(app, contract);
}

/** A path without a matching row is answered with 404, even if other parts are invalid. */
export function toDomainError(
  { pathParams, query, body }: RequestValidationError,
  route: AppRoute,
): DomainError {
  const { notFoundMessage = errorText.notFound } = metadataOf(route);
  if (pathParams) return new DomainError('not-found', notFoundMessage);
  const unknown = (body?.issues ?? []).flatMap(unknownKeys).slice(0, MAX_LISTED_ERRORS);
  if (unknown.length > 0)
    return new DomainError('invalid', `Invalid fields: ${unknown.join(', ')}`, { code: 'unknown_fields' });
  const issues = [...(query?.issues ?? []), ...(body?.issues ?? [])];
  return new DomainError('invalid', errorText.invalidData, { fields: fieldErrors(issues) });
}

/** Only schemas that reject unknown fields report such issues. */
function unknownKeys(issue: object): string[] {
  return 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.map(String) : [];
}

function refuseOtherMethods(app: Express, contract: FlatContract): void {
  for (const [path, atPath] of Map.groupBy(Object.values(contract), (route) => route.path)) {
    const methods = atPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const headers = { Allow: methods.join(', ') };
    app.all(path, () => {
      throw new RefusedRequest({ status: 405, body: { message: errorText.methodNotAllowed }, headers });
    });
  }
}
