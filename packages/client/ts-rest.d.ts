/**
 * The types of `@ts-rest/core` that the published types of the contract mention. Those of the library itself are written
 * for zod 3 and do not compile beside zod 4 without `skipLibCheck`.
 */

declare const kind: unique symbol;

/** A body that is described by a type only. */
export type ContractPlainType<Type> = { readonly [kind]: 'plain'; readonly type: Type };

/** A response that is not JSON. */
export interface ContractOtherResponse<Body> {
  readonly [kind]: 'other';
  contentType: string;
  body: Body;
}

/** An endpoint. */
export interface AppRoute {
  method: string;
  path: string;
  summary?: string;
  description?: string;
  pathParams?: unknown;
  query?: unknown;
  body?: unknown;
  responses: Record<number, unknown>;
  metadata?: unknown;
}

/** Endpoints by name, also in groups. */
export interface AppRouter {
  [name: string]: AppRouter | AppRoute;
}

/** Makes the builder of contracts, which users of the client do not need. */
export declare function initContract(): unknown;

export declare function isAppRoute(route: AppRoute | AppRouter): route is AppRoute;
