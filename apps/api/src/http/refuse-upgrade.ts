/** Says no to a WebSocket in plain HTTP, before it has become one. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Refusing a socket that is gone is fine. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  if (socket.destroyed || !socket.writable) return;
  const text = STATUS_CODES[status] ?? 'Error';
  const body = JSON.stringify({ message: text });
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
