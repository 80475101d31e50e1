/** An HTTP server that limits how long a connection may send its request slowly, or not read the answer. */
import { createServer, type RequestListener, type Server } from 'node:http';

/** Milliseconds; 0 means no limit. */
export interface ConnectionLimits {
  /** A head that takes longer is answered with 408. */
  headMs: number;
  /** A request with its body that takes longer is answered with 408. */
  requestMs: number;
  /**
   * A connection on which no byte was sent or read for this long is closed. The longest wait of a request for us is 50 s
   * (`wait_for_call` of the MCP server); event streams have a heartbeat every 15 s.
   */
  silenceMs: number;
}

const LIMITS: ConnectionLimits = { headMs: 30_000, requestMs: 30_000, silenceMs: 120_000 };

/** Limits all connections until they become a WebSocket; those have limits of their own. */
export function createLimitedServer(handler: RequestListener, given: Partial<ConnectionLimits> = {}): Server {
  const { headMs, requestMs, silenceMs } = { ...LIMITS, ...given };
  const server = createServer(
    { headersTimeout: headMs, requestTimeout: requestMs, connectionsCheckingInterval: headMs },
    handler,
  );
  // While an answer waits for a client that reads nothing, no byte is sent. Node then closes the connection.
  server.timeout = silenceMs;
  return server;
}
