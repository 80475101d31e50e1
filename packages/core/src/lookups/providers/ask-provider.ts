/**
 * Read-only requests to providers: checks of keys, and lists of voices and models. Only operators configure the
 * addresses.
 */
import { createGuardedClient, type GuardedClient } from '@parley/runtime/guarded-http';
import type { CoreContext } from '../../context.ts';
import { PROVIDER_KINDS, type RemoteKind } from './provider-kinds.rules.ts';
import { fixedVoices, readListedPage, type ListedPage } from './provider-lists.ts';

/** An account with its decrypted key. Never logged, never stored. */
export interface ProviderCredentials {
  kind: RemoteKind;
  baseUrl: string;
  /** Null for a provider without keys. */
  apiKey: string | null;
}

/** The result of a check of a key. */
export type KeyVerdict = { state: 'right' } | { state: 'refused' | 'unknown'; reason: string };
/**
 * The complete lists, or the reason why they are not available. A refusal is permanent; other failures may be
 * temporary.
 */
export type ListOutcome = Omit<ListedPage, 'next'> | { reason: string; isRefused: boolean };

/** A page of 100 voices with all their labels. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** An upper bound for lists that never end. */
const MAX_PAGES = 50;

/** Upper bound, because saving a key waits for this. */
const KEY_LIMIT_MS = 5_000;

/** Sends one request. An unreachable provider or an unexpected answer leaves the key unverified. */
export async function checkKey(ctx: CoreContext, credentials: ProviderCredentials): Promise<KeyVerdict> {
  const { keyPath, refusedStatuses } = PROVIDER_KINDS[credentials.kind];
  const client = openClient(ctx, KEY_LIMIT_MS);
  try {
    const outcome = await get(client, credentials, keyPath);
    if ('error' in outcome) return { state: 'unknown', reason: outcome.error };
    if (outcome.status < 300) return { state: 'right' };
    const state = refusedStatuses.includes(outcome.status) ? 'refused' : 'unknown';
    return { state, reason: `It answered with the status ${outcome.status}` };
  } finally {
    await client.close();
  }
}

/** Fetches every page, one after the other. */
export async function listOffers(ctx: CoreContext, credentials: ProviderCredentials): Promise<ListOutcome> {
  const client = openClient(ctx);
  const found: ListedPage = { voices: fixedVoices(credentials.kind), models: [], next: null };
  try {
    let path = PROVIDER_KINDS[credentials.kind].listPath;
    for (let page = 0; path !== null && page < MAX_PAGES; page++) {
      const outcome = await get(client, credentials, path);
      if ('error' in outcome) return { reason: outcome.error, isRefused: false };
      if (outcome.status >= 300) return refusal(credentials.kind, outcome.status);
      const { voices, models, next } = readListedPage(credentials.kind, outcome.body);
      found.voices.push(...voices);
      found.models.push(...models);
      path = next;
    }
    return { voices: found.voices, models: found.models };
  } catch {
    return { reason: 'Its list could not be read', isRefused: false };
  } finally {
    await client.close();
  }
}

function refusal(kind: RemoteKind, status: number): ListOutcome {
  const isRefused = PROVIDER_KINDS[kind].refusedStatuses.includes(status);
  return { reason: `It answered with the status ${status}`, isRefused };
}

/** Many installations use local servers, and only operators configure addresses. */
function openClient(ctx: CoreContext, timeLimitMs = 30_000): GuardedClient {
  return createGuardedClient({
    clock: ctx.clock,
    allowPrivate: 'all',
    timeLimitMs,
    bodyLimitBytes: BODY_LIMIT_BYTES,
  });
}

function get(client: GuardedClient, { kind, baseUrl, apiKey }: ProviderCredentials, path: string) {
  const access = apiKey === null ? {} : PROVIDER_KINDS[kind].headers(apiKey);
  const headers = { accept: 'application/json', ...access };
  return client.send({ method: 'GET', url: `${baseUrl.replace(/^ws/i, 'http')}${path}`, headers });
}
