/** The public REST API, for commands that work from anywhere: they need an address and a token. */
import { CommandError, EXIT } from './command-error.ts';
import type { Console } from './console.ts';
import { findInstallation } from './settings.ts';
import { z } from 'zod';

/** What every command that talks to the API can be told. */
export interface ApiOptions {
  url?: string;
  token?: string;
  json?: boolean;
}

/** The API at one address, as one user. */
export interface ApiAccess {
  /** @throws CommandError with the API's own words when it refuses */
  ask<Schema extends z.ZodType>(request: ApiRequest<Schema>): Promise<z.output<Schema>>;
}

interface ApiRequest<Schema extends z.ZodType> {
  method?: 'GET' | 'POST';
  path: string;
  body?: unknown;
  /** Of a good answer. */
  schema: Schema;
}

const refusal = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});

/** @throws CommandError when there is no token; nothing is asked yet */
export function openApi(console: Console, options: ApiOptions): ApiAccess {
  const installation = findInstallation(console.environment);
  const url = (options.url ?? installation.url ?? 'http://127.0.0.1:3000').replace(/\/+$/, '');
  const token = options.token ?? installation.token;
  if (token === null) {
    throw new CommandError('This command needs a token.', {
      exitCode: EXIT.configuration,
      hint: 'Give it with --token or PARLEY_TOKEN. On the server itself one is made with: npm run -s cli -- token create EMAIL',
    });
  }
  return { ask: (request) => ask({ url, token, signal: console.signal }, request) };
}

interface Peer {
  url: string;
  token: string;
  signal: AbortSignal;
}

async function ask<Schema extends z.ZodType>(
  peer: Peer,
  request: ApiRequest<Schema>,
): Promise<z.output<Schema>> {
  const response = await fetch(peer.url + request.path, {
    method: request.method ?? 'GET',
    signal: peer.signal,
    headers: { authorization: `Bearer ${peer.token}`, 'content-type': 'application/json' },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  }).catch((error: unknown) => {
    throw unreachable(peer.url, error);
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw refused(response.status, body);
  return request.schema.parse(body);
}

function unreachable(url: string, cause: unknown): CommandError {
  const hint = 'Is Parley running there? Another address can be given with --url or PARLEY_URL.';
  return new CommandError(`${url} does not answer.`, { hint, cause });
}

function refused(status: number, body: unknown): CommandError {
  const { data } = refusal.safeParse(body);
  if (!data) return new CommandError(`The server answered ${status} without saying why.`);
  const faults = Object.values(data.errors ?? {}).flat();
  const hint = status === 401 ? 'The token is wrong, revoked or too old.' : faults.join('\n');
  return new CommandError(data.message, hint === '' ? {} : { hint });
}
