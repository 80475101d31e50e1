/** Load over kept-alive connections: a number of requests, some at a time, with how long each took. */
import { Agent, request as requestHttp } from 'node:http';
import { systemClock } from '@parley/runtime';

/** One request of a load. */
export interface LoadRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object;
}

/** A client of one server. */
export interface LoadClient {
  url: string;
  /** Asks `count` times, `connections` at a time. @returns the time each took, milliseconds, sorted */
  run(count: number, connections: number, next: () => LoadRequest): Promise<number[]>;
  /** Asks once. @throws Error for anything but a 2xx */
  once(request: LoadRequest): Promise<string>;
  close(): void;
}

/** @param token - sent with every request */
export function createLoadClient(url: string, token: string): LoadClient {
  const agent = new Agent({ keepAlive: true });
  const once = (request: LoadRequest): Promise<string> => send(url, agent, token, request);
  return {
    url,
    once,
    async run(count, connections, next) {
      const times: number[] = [];
      let left = count;
      const work = async (): Promise<void> => {
        while (left-- > 0) {
          const startedAt = systemClock.monotonic();
          await once(next());
          times.push(systemClock.monotonic() - startedAt);
        }
      };
      await Promise.all(Array.from({ length: connections }, work));
      return times.toSorted((a, b) => a - b);
    },
    close: () => agent.destroy(),
  };
}

function send(
  url: string,
  agent: Agent,
  token: string,
  { method, path, body }: LoadRequest,
): Promise<string> {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(content === undefined ? {} : { 'content-length': Buffer.byteLength(content) }),
  };
  return new Promise((resolve, reject) => {
    const sent = requestHttp(url + path, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if ((response.statusCode ?? 500) < 300) return resolve(text);
        reject(new Error(`${method} ${path} answered ${response.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // Between two rounds the server may have hung up an idle connection: the request never reached it.
      if (error.code !== 'ECONNRESET' || !sent.reusedSocket) return reject(error);
      resolve(send(url, agent, token, { method, path, ...(body && { body }) }));
    });
    sent.end(content);
  });
}

/** @param sorted - ascending */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  return percentile(
    numbers.toSorted((a, b) => a - b),
    0.5,
  );
}
