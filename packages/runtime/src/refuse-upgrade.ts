/** Refuses the upgrade to a WebSocket with a plain HTTP answer. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Does nothing if the socket is closed already. After the answer the socket is closed on both sides: a client that keeps its
 * side open would otherwise hold it for ever, because the limits of the server end with the request for an upgrade.
 */
export function refuseUpgrade(socket: Duplex, status: number): void {
  if (socket.destroyed || !socket.writable) return;
  const text = STATUS_CODES[status] ?? 'Error';
  const body = JSON.stringify({ message: text });
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${status} ${text}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
