/**
 * The basis of all parts of the contract: ts-rest's builder, and the metadata of routes. Only this file and the files of
 * the resources use ts-rest.
 */
import { initContract, type AppRoute } from '@ts-rest/core';

/** The one instance of ts-rest's builder. Its type is explicit, so that the published client's types can be emitted. */
export const c: ReturnType<typeof initContract> = initContract();

/** Scopes of a token. `call` covers everything that starts or ends a call. */
export const scopes = ['read', 'write', 'call'] as const;

/** One of {@link scopes}. */
export type Scope = (typeof scopes)[number];

/** The owner of shared resources. */
export type NeededRole = 'operator';

/** Another address of an endpoint. */
export interface RouteAlias {
  method: AppRoute['method'];
  path: string;
}

/** Metadata of a route that middleware reads. */
export interface RouteMetadata {
  /** The scope that the token needs; null: none. */
  scope: Scope | null;
  /** The role that the token's user needs; absent: any. */
  role?: NeededRole;
  /** The `message` of a 422; absent: "The given data was invalid." */
  validationMessage?: string;
  /** The `message` of a 404 for a missing resource; absent: "Not Found". */
  notFoundMessage?: string;
  /** The `message` of a 500; absent: "Server Error". */
  failureMessage?: string;
  /** Further paths of the endpoint, with the same parameters; a path alone has the method of the endpoint. */
  aliases?: readonly (string | RouteAlias)[];
  /** True if a repetition of this POST does no harm, like one of every PUT and DELETE; see {@link keyingOf}. */
  isRepeatable?: boolean;
  /** Content type of a body that is streamed; absent: JSON. Its use case handles `Idempotency-Key` itself. */
  upload?: 'text/csv';
  /** The largest JSON body, bytes; absent: 1 MiB. */
  maxBodyBytes?: number;
  /** The most items of lists and fields of objects in a JSON body; absent: 50,000. */
  maxBodyValues?: number;
  /** The body may be `multipart/form-data` too: its fields are those of the JSON body, and its files are in base64. */
  acceptsForm?: true;
  /** True for server-sent events, which last as long as what they report. */
  isEventStream?: true;
  /** False for writes without an entry in the audit log, because what they create has its own record. */
  isAudited?: false;
  /** Fields of the answer that are not stored: they are null in an answer that `Idempotency-Key` repeats. */
  secretFields?: readonly string[];
}

/** Checks a route's metadata and keeps its literal type. */
export function metadata<const Metadata extends RouteMetadata>(facts: Metadata): Metadata {
  return facts;
}

/** A route's metadata; a route without any is open to every token. */
export function metadataOf(route: AppRoute): RouteMetadata {
  return (route.metadata as RouteMetadata | undefined) ?? { scope: null };
}

/** The other addresses of a route. */
export function aliasesOf(route: AppRoute): RouteAlias[] {
  return (metadataOf(route).aliases ?? []).map((alias) =>
    typeof alias === 'string' ? { method: route.method, path: alias } : alias,
  );
}

/**
 * How an endpoint honours `Idempotency-Key`. `with-work`: the answer is stored in the transaction of the work, so that it
 * is done at most once. `after-work`: the answer is stored afterwards, because the work takes several transactions; a crash
 * in between leads to a repetition, which does no harm. `none`: the endpoint writes nothing.
 */
export function keyingOf(route: AppRoute): 'none' | 'with-work' | 'after-work' {
  const { scope, isRepeatable = false } = metadataOf(route);
  if (route.method === 'GET' || scope === 'read') return 'none';
  return isRepeatable || route.method !== 'POST' ? 'after-work' : 'with-work';
}
