/** A browser session of the admin app for tests: the real tRPC client, a cookie jar, and the headers of a browser. */
import { createTRPCClient, createWSClient, httpLink, wsLink, type TRPCClient } from '@trpc/client';
import { WebSocket, type ClientOptions } from 'ws';
import type { AppRouter } from '../src/trpc/router.ts';

export interface Browser {
  trpc: TRPCClient<AppRouter>;
  /** The latest session cookie, or null. */
  cookie(): string | null;
  /** Sets a cookie. */
  setCookie(value: string | null): void;
  /** The last `Set-Cookie` header. */
  lastSetCookie(): string | null;
  /** A client over a WebSocket with the current cookie. */
  openSocket(): { trpc: TRPCClient<AppRouter>; close: () => Promise<void> };
}

/** @param origin - of the page; absent: our own */
export function openBrowser(url: string, origin: string = url): Browser {
  const jar: { cookie: string | null; lastSetCookie: string | null } = { cookie: null, lastSetCookie: null };
  const cookieHeader = (): Record<string, string> =>
    jar.cookie === null ? {} : { cookie: `parley_session=${jar.cookie}` };
  const remember = (header: string): void => {
    jar.lastSetCookie = header;
    const value = /^parley_session=([^;]*)/.exec(header)?.[1];
    jar.cookie = value === undefined || value === '' ? null : value;
  };
  const trpc = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/trpc`,
        async fetch(input, init) {
          const headers = new Headers(init?.headers as Record<string, string>);
          for (const [name, value] of Object.entries({ ...cookieHeader(), origin })) headers.set(name, value);
          const response = await fetch(input as URL, { ...(init as RequestInit), headers });
          for (const header of response.headers.getSetCookie()) remember(header);
          return response;
        },
      }),
    ],
  });
  return {
    trpc,
    cookie: () => jar.cookie,
    setCookie: (value) => (jar.cookie = value),
    lastSetCookie: () => jar.lastSetCookie,
    openSocket: () => openSocket(url, { headers: { ...cookieHeader(), origin } }),
  };
}

function openSocket(
  url: string,
  options: ClientOptions,
): { trpc: TRPCClient<AppRouter>; close: () => Promise<void> } {
  class SocketWithHeaders extends WebSocket {
    constructor(address: string | URL) {
      super(address, options);
    }
  }
  const client = createWSClient({
    url: `${url.replace('http', 'ws')}/trpc`,
    WebSocket: SocketWithHeaders as unknown as typeof globalThis.WebSocket,
  });
  return { trpc: createTRPCClient<AppRouter>({ links: [wsLink({ client })] }), close: () => client.close() };
}
