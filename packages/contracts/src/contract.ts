/**
 * The pieces every part of the contract is built with: ts-rest's builder, and what each route says about itself beside
 * its shapes. Only this file and the resources' files know ts-rest.
 */
import { initContract } from '@ts-rest/core';

/** Ts-rest's builder; the one there is. Its type is named, so that types of the published client can be written out. */
export const c: ReturnType<typeof initContract> = initContract();

/** What a token may be limited to. `call` covers whatever makes a phone ring or ends a call. */
export const scopes = ['read', 'write', 'call'] as const;

/** One of {@link scopes}. */
export type Scope = (typeof scopes)[number];

/** Whoever owns what is shared. */
export type NeededRole = 'operator';

/** Facts of a route that middleware acts on. */
export interface RouteMetadata {
  /** Needed by the token; null: any token will do. */
  scope: Scope | null;
  /** Needed of the token's user; absent: any user will do. */
  role?: NeededRole;
  /** Top line of a 422; absent: "The given data was invalid." */
  validationMessage?: string;
  /** Text of a 404 for a missing resource; absent: "Not Found". */
  notFoundMessage?: string;
  /** Text of a 500; absent: "Server Error". */
  failureMessage?: string;
  /** Other paths that the same endpoint answers on, with the same parameters. */
  aliases?: readonly string[];
  /** True where the header `Idempotency-Key` is honoured. */
  isIdempotent?: boolean;
  /** Content type of a body that is read as it arrives; absent: JSON. Such an endpoint keeps its own idempotency. */
  upload?: 'text/csv';
  /** Fields of the answer that are never kept: where `Idempotency-Key` gives an answer again, they are null. */
  secretFields?: readonly string[];
}

/** Keeps the literal type of a route's metadata while checking it. */
export function metadata<const Metadata extends RouteMetadata>(facts: Metadata): Metadata {
  return facts;
}
