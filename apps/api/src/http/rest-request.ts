/** The types of middleware that acts on the endpoint of a request. */
import type { AppRoute } from '@ts-rest/core';
import type { TsRestRequest, TsRestRequestHandler } from '@ts-rest/express';

/** A request to an endpoint of the contract, which is its `tsRestRoute`. */
export type RestRequest = TsRestRequest<AppRoute>;

/** Runs before the handler of every endpoint. */
export type RestMiddleware = TsRestRequestHandler<AppRoute>;
