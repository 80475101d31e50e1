/** How long a connection may be held that sends its request slowly, or does not read the answer. */
import type { Server } from 'node:http';

/** A head that takes longer is answered with 408, milliseconds. Node looks every 30 s. */
const HEAD_LIMIT_MS = 30_000;
/**
 * A connection on which no byte was sent or read for this long is closed, milliseconds. The longest wait of a request for us is
 * 50 s (`wait_for_call` of the MCP server); event streams have a heartbeat every 15 s.
 */
const SILENCE_LIMIT_MS = 120_000;

/** Applies to all connections of `server` until they become a WebSocket; those have limits of their own. */
export function limitConnections(server: Server, silenceMs = SILENCE_LIMIT_MS): void {
  server.headersTimeout = HEAD_LIMIT_MS;
  // Uploads may take long; body-time.ts limits all other bodies.
  server.requestTimeout = 0;
  // While an answer waits for a client that reads nothing, no byte is sent. Node then closes the connection.
  server.timeout = silenceMs;
}
