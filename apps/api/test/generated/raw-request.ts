/**
 * Requests that HTTP clients cannot send: any bytes in any part, on a raw socket. The response is read even if the
 * request was not sent completely.
 */
import { connect, type Socket } from 'node:net';

/** A raw response. */
export interface RawAnswer {
  status: number;
  /** In lower case. */
  headers: Record<string, string>;
  text: string;
}

/** The parts of a request, sent unchanged. */
export interface RawRequest {
  method: string;
  target: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** Sends a whole request and reads the whole answer. */
export async function sendRaw(
  url: string,
  { method, target, headers, body }: RawRequest,
): Promise<RawAnswer> {
  const content = Buffer.from(body ?? '');
  const lines = Object.entries({ host: new URL(url).host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const length =
    body === undefined || headers?.['transfer-encoding'] ? '' : `content-length: ${content.length}\r\n`;
  const socket = openSocket(url);
  const answer = readAnswer(socket);
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}${length}\r\n`);
  if (content.length > 0) socket.write(content);
  return answer;
}

/** A socket that ignores an early close by the server. */
export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  return socket;
}

/** Reads one response, or its part before the server closed the connection; then closes the socket. */
export async function readAnswer(socket: Socket): Promise<RawAnswer> {
  let bytes = Buffer.alloc(0);
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (isWhole(bytes)) resolve();
    });
    socket.once('close', () => resolve());
  });
  socket.destroy();
  return parse(bytes);
}

function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = bytes.subarray(0, end).toString('latin1');
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return bytes.length >= end + 4 + Number(length);
  return (
    /\r\ntransfer-encoding: *chunked/i.test(head) && bytes.subarray(-5).toString('latin1') === '0\r\n\r\n'
  );
}

function parse(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return { status: 0, headers: {}, text: bytes.toString() };
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const rest = bytes.subarray(end + 4);
  const body = headers['transfer-encoding'] === 'chunked' ? unchunked(rest) : rest;
  return { status: Number(first.split(' ')[1]), headers, text: body.toString() };
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (!length) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
  return Buffer.concat(parts);
}
