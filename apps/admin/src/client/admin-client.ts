/**
 * The only access to the server: a typed tRPC client (HTTP batch for questions, one WebSocket for live
 * rows) and the query cache behind it. Built once by `main.tsx`; nothing here runs on import.
 */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import {
  createTRPCClient,
  createWSClient,
  httpBatchLink,
  httpLink,
  splitLink,
  type TRPCClient,
  wsLink,
} from '@trpc/client';
import { createTRPCContext, createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AppRouter } from '@parley/api/router';
import { isWorthRetrying, readRequestError } from './request-error.ts';

/** The client for pages and routes. */
export interface AdminClient {
  trpcClient: TRPCClient<AppRouter>;
  queryClient: QueryClient;
  trpc: TRPCOptionsProxy<AppRouter>;
  /** Leads to the sign-in page. */
  onSignedOut: () => void;
}

/** Inside components: `useTRPC` gives typed options for queries and mutations, `useTRPCClient` plain calls. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** Option of a query that is not in a batch with others: one of a batch waits for the answers of all. */
export const ALONE = { trpc: { context: { isAlone: true } } } as const;

/** How long the live connection stays open after its last use, in ms. */
const IDLE_SOCKET_MS = 1_000;

/** The address of a WebSocket at the origin of the page, with the matching scheme. */
export function socketAddress(path: string): string {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${location.host}${path}`;
}

function createTrpcClient(): TRPCClient<AppRouter> {
  const socket = createWSClient({
    url: () => socketAddress('/trpc'),
    // Lazy, so that the socket is opened after signing in and carries the session's cookie.
    lazy: { enabled: true, closeMs: IDLE_SOCKET_MS },
    keepAlive: { enabled: true, intervalMs: 15_000, pongTimeoutMs: 5_000 },
    retryDelayMs: (attempt) => (attempt === 0 ? 0 : Math.min(500 * 2 ** attempt, 10_000)),
  });
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: wsLink({ client: socket }),
        false: splitLink({
          condition: (operation) => operation.context['isAlone'] === true,
          true: httpLink({ url: '/trpc' }),
          false: httpBatchLink({ url: '/trpc', maxItems: 20 }),
        }),
      }),
    ],
  });
}

/**
 * Builds the client.
 *
 * @param onSignedOut - called when a response reports the end of the session
 */
export function createAdminClient(onSignedOut: () => void): AdminClient {
  const onError = (error: Error): void => {
    if (readRequestError(error).kind === 'unauthenticated') onSignedOut();
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: isWorthRetrying, staleTime: 5_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  const trpcClient = createTrpcClient();
  return {
    trpcClient,
    queryClient,
    trpc: createTRPCOptionsProxy<AppRouter>({ client: trpcClient, queryClient }),
    onSignedOut,
  };
}
