/**
 * `Idempotency-Key`: a request is executed once, and its answer is repeated for 24 hours. The answer is committed in the
 * transaction of the work itself, so a crash leaves both or neither. A failed request is not stored: it changed nothing,
 * and the same key may be used again.
 *
 * An advisory lock of the transaction, and not the row, serialises concurrent requests, because a second one must get 409
 * at once instead of waiting for the first.
 */
import { createHash } from 'node:crypto';
import { wording, fieldFault } from '@parley/contracts';
import { DomainError, type CoreContext } from '@parley/core';
import { json, statement, type Db, type Transaction } from '@parley/db';
import type { Request } from 'express';

/** An answer as it is stored and repeated. */
export interface KeptAnswer {
  status: number;
  /** JSON text, so that a replay is identical byte for byte. */
  body: string;
  /** The body of a replay, where `body` must not be stored as it is. */
  keptBody?: string;
  /** True where the request was executed before. */
  isReplayed?: boolean;
}

/** The identity of a request. */
export interface IdempotentRequest {
  tokenId: number;
  key: string;
  /** What must not change when the key is used again: method, path, body. */
  content: string;
}

const KEPT_MS = 24 * 3600 * 1000;
const MAX_KEY_LENGTH = 255;
/** Requests take less than a second. */
const STILL_RUNNING_RETRY_SECONDS = 1;

const tryLock = statement<{ isLocked: boolean }>(
  'idempotency_try_lock',
  `select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as is_locked`,
);

const findAnswer = statement<{ bodyHash: Buffer; status: number; body: string }>(
  'idempotency_find',
  `select body_hash, status, body from idempotency_keys where token_id = $1 and key = $2 and created_at > $3`,
);

const keepAnswer = statement(
  'idempotency_keep',
  `insert into idempotency_keys (token_id, key, body_hash, status, body, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (token_id, key) do update
   set body_hash = excluded.body_hash, status = excluded.status, body = excluded.body, created_at = excluded.created_at`,
);

/** Each request removes a few, and skips those that another one is removing. */
const removeOld = statement(
  'idempotency_remove_old',
  `delete from idempotency_keys where (token_id, key) in
     (select token_id, key from idempotency_keys where created_at <= $1 limit 20 for update skip locked)`,
);

/**
 * Runs `work` unless its answer is stored.
 *
 * @param work - gets a context whose transactions are part of this one; must have no effect outside the database
 * @throws DomainError `conflict` while the first request is running, `invalid` when the key was used with other content
 */
export async function answerOnce(
  core: CoreContext,
  request: IdempotentRequest,
  work: (core: CoreContext) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  checkKey(request.key);
  const hash = createHash('sha256').update(request.content).digest();
  const oldest = new Date(core.clock.now() - KEPT_MS);
  return core.db.transaction(async (tx) => {
    const [lock] = await tx.query(tryLock, [`${request.tokenId}:${request.key}`]);
    if (!lock?.isLocked)
      throw new DomainError('conflict', 'A request with this Idempotency-Key is still running.', {
        retryAfterSeconds: STILL_RUNNING_RETRY_SECONDS,
        code: 'idempotency_key_in_use',
      });
    const [known] = await tx.query(findAnswer, [request.tokenId, request.key, oldest]);
    if (known) return replay(known, hash);
    const answer = await work({ ...core, db: joined(core.db, tx) });
    await keep(core, tx, { ...request, hash, answer });
    return answer;
  });
}

/**
 * The same for work that takes several transactions and does no harm when it is done twice: the answer is stored after it.
 * No transaction is open while the work runs, because one that waits for a second connection could exhaust the pool.
 *
 * @throws DomainError `invalid` when the key was used with other content
 */
export async function answerAndKeep(
  core: CoreContext,
  request: IdempotentRequest,
  work: (core: CoreContext) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  checkKey(request.key);
  const hash = createHash('sha256').update(request.content).digest();
  const oldest = new Date(core.clock.now() - KEPT_MS);
  const [known] = await core.db.query(findAnswer, [request.tokenId, request.key, oldest]);
  if (known) return replay(known, hash);
  const answer = await work(core);
  if (answer.status < 400) await core.db.transaction((tx) => keep(core, tx, { ...request, hash, answer }));
  return answer;
}

async function keep(
  core: CoreContext,
  tx: Transaction,
  { tokenId, key, hash, answer }: IdempotentRequest & { hash: Buffer; answer: KeptAnswer },
): Promise<void> {
  const now = core.clock.now();
  const body = json(answer.keptBody ?? answer.body);
  await tx.query(keepAnswer, [tokenId, key, hash, answer.status, body, new Date(now)]);
  await tx.query(removeOld, [new Date(now - KEPT_MS)]);
}

/** The header `Idempotency-Key`; an empty one counts as absent. */
export function keyOf(request: Request): string | undefined {
  return request.get('idempotency-key') || undefined;
}

/** @throws DomainError `invalid` for a key that is too long to be stored */
export function checkKey(key: string): void {
  if (key.length <= MAX_KEY_LENGTH) return;
  const fields = fieldFault('Idempotency-Key', wording.atMostCharacters(MAX_KEY_LENGTH));
  throw new DomainError('invalid', 'The Idempotency-Key is too long.', { fields });
}

function replay(known: { bodyHash: Buffer; status: number; body: string }, hash: Buffer): KeptAnswer {
  if (known.bodyHash.equals(hash)) return { status: known.status, body: known.body, isReplayed: true };
  throw new DomainError('invalid', 'This Idempotency-Key was used for a different request.', {
    code: 'idempotency_key_reused',
  });
}

/** A database whose transactions all join the open one. */
function joined(db: Db, tx: Transaction): Db {
  return {
    directUrl: db.directUrl,
    query: (sql, values) => tx.query(sql, values),
    transaction: (work) => tx.join(work),
    em: tx.em,
    ping: () => db.ping(),
    close: () => db.close(),
  };
}
