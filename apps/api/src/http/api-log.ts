/**
 * The API log of this process: collects the requests that API tokens made and stores them once a second, so that no request
 * waits for it. Requests without a valid token are not collected. While Postgres does not answer, the newest are kept.
 * @see docs/decisions/api-log.md
 */
import { aliasesOf, api, routesOf } from '@parley/contracts';
import { storeApiRequests, type CoreContext, type NewApiRequest } from '@parley/core';
import { isUnavailable } from '@parley/db';
import { BackgroundWork, type Timer } from '@parley/runtime';
import type { Request, Response } from 'express';
import { factsOf, type EndedRequest, type RequestObserver } from './request-facts.ts';

/** Between two writes, milliseconds. */
const PAUSE_MS = 1000;
/** Entries in one statement. */
const BATCH = 1000;
/** Entries that wait. The oldest are dropped, a batch at a time. */
const MOST_WAITING = 10_000;
/** Tokens whose rate-limited requests are counted at the same time. */
const MOST_LIMITED = 1000;
const MINUTE_MS = 60_000;

/** Ids of records; longer numbers could be anything. */
const ID = /^\d{1,15}$/;

/** Method and path to the operation of the contract. */
const OPERATIONS: ReadonlyMap<string, string> = new Map(
  routesOf(api).flatMap(({ group, name, route }) =>
    [route, ...aliasesOf(route)].map(({ method, path }): [string, string] => [
      `${method} ${path}`,
      `${group}.${name}`,
    ]),
  ),
);

/** One for each process. */
export class ApiLog {
  readonly #core: CoreContext;
  readonly #work: BackgroundWork;
  /** Oldest first. */
  #waiting: NewApiRequest[] = [];
  /** The rate-limited requests of a token in a minute are one entry, which waits here until the minute is over. */
  readonly #limited = new Map<number, NewApiRequest>();
  #timer: Timer | null = null;
  #isWriting = false;
  #isStopped = false;
  #isFailing = false;
  #dropped = 0;

  constructor(core: CoreContext) {
    this.#core = core;
    this.#work = new BackgroundWork(core.log);
  }

  /** Requests that are in no entry, since the start of the process. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Called at the end of each request. */
  readonly observe: RequestObserver = (ended, { request, response }) => {
    const { userId, tokenId, route } = ended;
    if (userId === undefined || typeof tokenId !== 'number' || route === 'none') return;
    if (this.#isStopped) {
      this.#dropped += 1;
      return;
    }
    const entry = entryOf(ended, { userId, tokenId, request, response, nowMs: this.#core.clock.now() });
    if (entry.code === 'rate_limited' && entry.status === 429) this.#countLimited(entry);
    else this.#add(entry);
    this.#schedule();
  };

  /** Resolves when no write is running. */
  async settled(): Promise<void> {
    await this.#work.settled();
  }

  /** Stores what waits. Later requests are not collected. May be called twice. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.settled();
    this.#takeLimited(Infinity);
    await this.#write();
    const lost = this.#waiting.length;
    if (lost > 0) this.#core.log.warn({ lost }, 'Entries of the API log were lost');
    this.#drop(lost);
  }

  #add(entry: NewApiRequest): void {
    if (this.#waiting.length >= MOST_WAITING) this.#drop(BATCH);
    this.#waiting.push(entry);
  }

  /** Drops the oldest entries. */
  #drop(count: number): void {
    for (const entry of this.#waiting.splice(0, count)) this.#dropped += entry.count;
  }

  #countLimited(entry: NewApiRequest): void {
    const known = this.#limited.get(entry.tokenId);
    if (known && minuteOf(known) === minuteOf(entry)) {
      known.count += 1;
      return;
    }
    if (known) this.#add(known);
    else if (this.#limited.size >= MOST_LIMITED) {
      this.#dropped += 1;
      return;
    }
    this.#limited.set(entry.tokenId, entry);
  }

  /** @param minute - entries of this minute are not complete yet */
  #takeLimited(minute: number): void {
    for (const [tokenId, entry] of this.#limited) {
      if (minuteOf(entry) >= minute) continue;
      this.#limited.delete(tokenId);
      this.#add(entry);
    }
  }

  #schedule(): void {
    if (this.#timer || this.#isWriting || this.#isStopped) return;
    this.#timer = this.#core.clock.after(PAUSE_MS, () => {
      this.#timer = null;
      this.#takeLimited(Math.floor(this.#core.clock.now() / MINUTE_MS));
      this.#work.start('write the API log', () => this.#write());
    });
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    try {
      let isAway = false;
      while (this.#waiting.length > 0 && !isAway)
        isAway = !(await this.#writeBatch(this.#waiting.splice(0, BATCH)));
    } finally {
      this.#isWriting = false;
    }
    if (this.#waiting.length > 0 || this.#limited.size > 0) this.#schedule();
  }

  /** @returns false where the entries are kept, because Postgres does not answer */
  async #writeBatch(batch: NewApiRequest[]): Promise<boolean> {
    try {
      await storeApiRequests(this.#core, batch);
      this.#isFailing = false;
      return true;
    } catch (error) {
      const isAway = isUnavailable(error);
      this.#waiting = [...batch, ...this.#waiting];
      // Entries that Postgres refuses would be refused again.
      this.#drop(isAway ? this.#waiting.length - MOST_WAITING : batch.length);
      if (!this.#isFailing) this.#core.log.warn({ err: error }, 'The API log could not be written');
      this.#isFailing = true;
      return !isAway;
    }
  }
}

interface About {
  userId: number;
  tokenId: number;
  request: Request;
  response: Response;
  nowMs: number;
}

/** Nothing that a client sent gets into an entry but its method, its address, and the id of a record that exists. */
function entryOf(
  { method, route, status, durationMs, isComplete, requestId }: EndedRequest,
  { userId, tokenId, request, response, nowMs }: About,
): NewApiRequest {
  const facts = factsOf(response);
  const { id } = request.params;
  const code = facts.toolErrorCode ?? response.getHeader('X-Error-Code');
  return {
    at: new Date(nowMs - durationMs),
    userId,
    tokenId,
    method,
    path: route,
    operation: facts.toolOperation ?? operationOf(method, route),
    objectId: status < 400 && typeof id === 'string' && ID.test(id) ? Number(id) : null,
    status,
    code: typeof code === 'string' ? code : null,
    durationMs: Math.round(durationMs),
    isComplete,
    requestId,
    networkAddress: request.ip ?? '',
    count: 1,
  };
}

/** The only path of tokens outside the contract is that of the MCP server. */
function operationOf(method: string, route: string): string {
  return OPERATIONS.get(`${method === 'HEAD' ? 'GET' : method} ${route}`) ?? 'mcp';
}

function minuteOf({ at }: NewApiRequest): number {
  return Math.floor(at.getTime() / MINUTE_MS);
}
