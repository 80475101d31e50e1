/** Writes an answer as JSON: head and body leave in one piece. */
import type { ServerResponse } from 'node:http';
import { exchangeOf } from './exchange.ts';

/** To HEAD goes the head alone, which Node sees to. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  const { headers } = exchangeOf(response);
  headers.push('Content-Type', 'application/json; charset=utf-8');
  headers.push('Content-Length', String(Buffer.byteLength(text)));
  response.writeHead(status, headers).end(text);
}
