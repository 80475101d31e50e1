/** The authenticated user. Every use case that concerns the data of a user takes one. */
import type { UserRole } from '@parley/db';

/** What a token may be narrowed to. */
export const TOKEN_SCOPES = ['read', 'write', 'call'] as const;
/** One of {@link TOKEN_SCOPES}. */
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** The user behind a request, narrowed by the token it came with. */
export interface Identity {
  userId: number;
  role: UserRole;
  scopes: readonly TokenScope[] | 'all';
  /** Null for a signed-in browser. */
  tokenId: number | null;
  /** The numbers that the token may call: E.164, or the beginning of one and `*`. Null or absent: all. */
  allowedNumbers?: readonly string[] | null;
  /** The token acts through MCP only, where each action is confirmed. Absent: false. */
  requiresConfirmation?: boolean;
  /** IANA name; local date-times are written in it. */
  timezone: string;
}

/** A user as they may be shown. */
export interface PublicUser {
  id: number;
  name: string;
  email: string;
  role: UserRole;
  /** IANA name; the zone of local date-times in the API. */
  timezone: string;
}
