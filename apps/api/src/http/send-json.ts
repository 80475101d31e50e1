/** Writes an answer as JSON: head and body leave in one piece. */
import type { ServerResponse } from 'node:http';

/** To HEAD goes the head alone, which Node sees to. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
