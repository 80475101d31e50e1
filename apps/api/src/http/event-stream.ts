/**
 * Server-sent events (HTML Living Standard, section 9.2, "Server-sent events"): an answer that lasts, with one JSON value in
 * the `data` line of each event.
 */
import type { Readable } from 'node:stream';
import { fieldFault, wording } from '@parley/contracts';
import { DomainError } from '@parley/core';
import type { Request } from 'express';
import { openTextStream, type TextStreamOptions } from './text-stream.ts';

/** Creates the text of a stream; `gone` is aborted when the answer has ended or the client has disconnected. */
type OpenEvents = (gone: AbortSignal) => AsyncGenerator<string>;

/** What a handler answers with. */
export class EventStream {
  readonly open: OpenEvents;

  constructor(open: OpenEvents) {
    this.open = open;
  }
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Proxies must pass each event on at once; the last header is that of nginx.
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  // A stream is the last answer of its connection, so that a stopping server does not wait for further requests.
  Connection: 'close',
};

/** Rejects when something fails before the first piece. Events are created as fast as the client reads them. */
export function openEventStream(
  stream: EventStream,
  options: Omit<TextStreamOptions, 'headers'>,
): Promise<Readable> {
  const { response } = options;
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  response.once('close', () => gone.abort());
  return openTextStream(stream.open(gone.signal), { ...options, headers: HEADERS });
}

/** A comment, which clients ignore: proxies close connections without traffic. */
export const HEARTBEAT = ': heartbeat\n\n';

/** How long a client waits before it connects again. @param milliseconds - whole */
export function reconnectAfter(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}

/** @param id - what a client sends as `Last-Event-ID` when it connects again; null: that of the event before */
export function eventText(event: string, data: object, id: number | null = null): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * The number of the last event that the client has received.
 *
 * @returns null without the header
 * @throws DomainError `invalid` for anything but a number
 */
export function lastEventIdOf(request: Request): number | null {
  const given = request.get('last-event-id') ?? '';
  if (given === '') return null;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  const fields = fieldFault('Last-Event-ID', wording.integer);
  throw new DomainError('invalid', 'The Last-Event-ID is not the number of an event.', { fields });
}
