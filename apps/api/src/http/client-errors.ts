/**
 * Requests that Node's HTTP parser rejects: a head that is too large, invalid framing, a timeout. They get a JSON body
 * like every other error.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCodeHeaders, errorText, type ErrorCode } from '@parley/contracts';
import type { Clock } from '@parley/runtime';

/** How long the client may take to read the answer and disconnect, milliseconds. */
const LINGER_MS = 1000;

interface Refusal {
  line: string;
  message: string;
  code: ErrorCode;
}

const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    message: 'The address and headers of a request must not be larger than 16 KiB together.',
    code: 'headers_too_large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    message: errorText.tooSlow,
    code: 'request_timeout',
  },
};

const MALFORMED: Refusal = {
  line: '400 Bad Request',
  message: 'This is not a valid HTTP request.',
  code: 'bad_request',
};

/** Installs the answers on `server`. */
export function answerClientErrors(server: Server, clock: Clock): void {
  const answered = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Further data on a refused socket is discarded.
    if (answered.has(socket)) return;
    answered.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    socket.end(refusal(REFUSALS[error.code ?? ''] ?? MALFORMED));
    // A client that is still sending would lose the answer if the connection were closed at once.
    const timer = clock.after(LINGER_MS, () => socket.destroy());
    socket.once('close', () => timer.cancel());
  });
}

function refusal({ line, message, code }: Refusal): string {
  const body = JSON.stringify({ message });
  const head = [
    `HTTP/1.1 ${line}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    ...Object.entries(errorCodeHeaders(code)).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
