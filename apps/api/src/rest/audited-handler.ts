/** Adds an entry to the audit log for every write of the contract. */
import { keyingOf, metadataOf } from '@parley/contracts';
import { auditCommitted } from '@parley/core';
import type { AppRoute } from '@ts-rest/core';
import type { AnyHandler } from './handlers.ts';

/** The parts of an endpoint's input that an entry names. */
interface WriteInput {
  params?: { id?: unknown };
  body?: unknown;
}

/**
 * Runs `handler` and, when it has succeeded, adds an entry. With an `Idempotency-Key`, both are in one transaction where the
 * endpoint's work is; a repeated answer adds none.
 *
 * @param operation - for example `assistants.update`
 */
export function audited(operation: string, route: AppRoute, handler: AnyHandler): AnyHandler {
  if (keyingOf(route) === 'none' || metadataOf(route).isAudited === false) return handler;
  return async (call, input) => {
    const answer = await handler(call, input);
    if (answer.status >= 400) return answer;
    const { userId, tokenId } = call.identity;
    const { params, body } = input as WriteInput;
    await auditCommitted(call.core, {
      channel: 'api',
      operation,
      userId,
      tokenId,
      networkAddress: call.request.ip ?? null,
      objectId: idOf(params) ?? idOf((answer.body as { data?: unknown } | null)?.data),
      fields: metadataOf(route).upload === undefined ? Object.keys(Object(body) as object) : [],
    });
    return answer;
  };
}

function idOf(about: unknown): number | null {
  const { id } = Object(about) as { id?: unknown };
  return Number.isSafeInteger(id) ? (id as number) : null;
}
