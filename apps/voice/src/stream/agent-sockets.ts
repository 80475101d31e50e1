/**
 * WebSocket connections to the agents of users. Like every request to an address that a user chose, they lead to allowed
 * addresses only, checked when the connection is made, with verified certificates and without redirects.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { forbiddenAddresses, type PrivateAddresses } from '@parley/runtime';
import { createCheckedConnector, describeConnectionFailure } from '@parley/runtime/guarded-http';
import { WebSocket } from 'ws';

/** A connection that is wanted. */
interface AgentSocketRequest {
  url: string;
  headers: Record<string, string>;
  /** True for what a member configured: private addresses are for operators. */
  isPublicOnly: boolean;
}

/** Opens connections to agents. */
export interface AgentSockets {
  /** Never rejects. The socket is paused, so that no message is lost before it has a listener. */
  open(request: AgentSocketRequest): Promise<WebSocket | { error: string }>;
}

/** From the first step of the connection to the end of the handshake, milliseconds: the caller hears nothing meanwhile. */
const CONNECT_LIMIT_MS = 5_000;
/** The largest message taken, bytes: a minute and a half of sound. */
const MESSAGE_LIMIT_BYTES = 1_048_576;
/** How long a socket waits for the reply to its close frame, milliseconds. */
const CLOSE_LIMIT_MS = 2_000;

type Connector = ReturnType<typeof createCheckedConnector>;

/** @param allowPrivate - the setting WEBHOOK_ALLOW_PRIVATE */
export function createAgentSockets(allowPrivate: PrivateAddresses): AgentSockets {
  const connector = (allowed: PrivateAddresses): Connector =>
    createCheckedConnector({ blockList: forbiddenAddresses(allowed), timeoutMs: CONNECT_LIMIT_MS });
  const [allowed, publicOnly] = [connector(allowPrivate), connector('none')];
  return {
    async open({ url, headers, isPublicOnly }) {
      const socket = new WebSocket(url, {
        headers,
        handshakeTimeout: CONNECT_LIMIT_MS,
        maxPayload: MESSAGE_LIMIT_BYTES,
        closeTimeout: CLOSE_LIMIT_MS,
        perMessageDeflate: false,
        createConnection: checkedConnection(new URL(url), isPublicOnly ? publicOnly : allowed),
      } satisfies Options as WebSocket.ClientOptions);
      return outcomeOf(socket);
    },
  };
}

/** The type declarations of `ws` lack an option. */
type Options = WebSocket.ClientOptions & { closeTimeout: number };
type CreateConnection = NonNullable<WebSocket.ClientOptions['createConnection']>;

/** Node's http client takes the connection from the callback, where the function returns none. */
function checkedConnection(url: URL, connect: Connector): CreateConnection {
  const isSecure = url.protocol === 'wss:';
  const target = {
    protocol: isSecure ? 'https:' : 'http:',
    hostname: url.hostname,
    host: url.host,
    port: url.port || (isSecure ? '443' : '80'),
  };
  const create = (_options: unknown, done: (error: Error | null, socket?: Duplex) => void): undefined => {
    connect(target, (error, socket) => (socket ? done(null, socket) : done(error)));
  };
  return create as unknown as CreateConnection;
}

async function outcomeOf(socket: WebSocket): Promise<WebSocket | { error: string }> {
  const { promise, resolve } = Promise.withResolvers<WebSocket | { error: string }>();
  socket.on('open', () => {
    socket.pause();
    resolve(socket);
  });
  socket.on('unexpected-response', (request, response: IncomingMessage) => {
    request.destroy();
    resolve({ error: `The agent answered the handshake with status ${response.statusCode ?? 0}` });
  });
  socket.on('error', (error) => resolve({ error: explain(error) }));
  return promise;
}

function explain(error: Error): string {
  if (error.message === 'Opening handshake has timed out') return 'No answer came in time';
  return 'code' in error
    ? describeConnectionFailure(error)
    : 'The agent did not answer as a WebSocket server';
}
