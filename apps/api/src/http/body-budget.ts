/**
 * Limits the bytes of request bodies that one user, or one network address, has in memory at the same time in this process.
 * Without it, a few hundred requests that send their megabytes slowly would take gigabytes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '@parley/core';
import { hasBody } from './body-time.ts';

/** The budget of one user or address, in bytes: sixty-four of the largest usual bodies, four of the largest files. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** One for each process. */
export class BodyBudget {
  readonly #bytes = new Map<number | string, number>();

  /**
   * Counts the body of a request until its answer has ended.
   *
   * @param owner - the id of a user, or a network address
   * @param limit - the most bytes of this body, which count where the head does not tell the size
   * @throws DomainError `too-many`
   */
  enter(owner: number | string, limit: number, { request, response }: Exchange): void {
    const bytes = sizeOf(request, limit);
    const open = this.#bytes.get(owner) ?? 0;
    if (bytes === 0 || response.destroyed) return;
    if (open + bytes > MOST_BODY_BYTES)
      throw new DomainError(
        'too-many',
        `You are sending more than ${MOST_BODY_BYTES / 1024 ** 2} MiB in requests at the same time. Send fewer at once.`,
      );
    this.#bytes.set(owner, open + bytes);
    response.once('close', () => this.#leave(owner, bytes));
  }

  #leave(owner: number | string, bytes: number): void {
    const left = (this.#bytes.get(owner) ?? 0) - bytes;
    if (left <= 0) this.#bytes.delete(owner);
    else this.#bytes.set(owner, left);
  }
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** A compressed body may be larger than it looks. */
function sizeOf(request: IncomingMessage, limit: number): number {
  if (!hasBody(request)) return 0;
  const { 'content-length': length, 'content-encoding': encoding } = request.headers;
  return length === undefined || encoding !== undefined ? limit : Math.min(Number(length), limit);
}
