/**
 * Codes with which a token that requires confirmation repeats an action: each is valid once, for a short time, for one token,
 * one tool and exactly the same arguments. SQL, because a code is found and removed in one statement.
 */
import { statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { hashSecret, randomSecret } from '../shared/random-secret.ts';

/** An action of a token. */
export interface ActionToConfirm {
  tokenId: number;
  tool: string;
  /** The arguments in a form that is the same for the same arguments. */
  content: string;
}

const VALID_MS = 10 * 60_000;
/** The maximum of open confirmations of one token; the oldest are removed first. */
const MOST_OPEN = 20;

const insertCode = statement(
  'insert_action_confirmation',
  `insert into action_confirmations (token_id, code_hash, tool, content_hash, expires_at) values ($1, $2, $3, $4, $5)`,
);
const removeOld = statement(
  'remove_old_action_confirmations',
  `delete from action_confirmations where token_id = $1 and (expires_at <= $2 or code_hash in (
     select code_hash from action_confirmations where token_id = $1
     order by expires_at desc offset ${MOST_OPEN}))`,
);
const takeCode = statement<{ tool: string; contentHash: Buffer; expiresAt: Date }>(
  'take_action_confirmation',
  `delete from action_confirmations where token_id = $1 and code_hash = $2
   returning tool, content_hash, expires_at`,
);

/** @returns a new code and when it expires */
export async function requestConfirmation(
  ctx: CoreContext,
  { tokenId, tool, content }: ActionToConfirm,
): Promise<{ code: string; expiresAt: Date }> {
  const code = randomSecret();
  const at = now(ctx);
  const expiresAt = new Date(at.getTime() + VALID_MS);
  await ctx.db.transaction(async (tx) => {
    await tx.query(insertCode, [tokenId, hashSecret(code), tool, hashSecret(content), expiresAt]);
    await tx.query(removeOld, [tokenId, at]);
  });
  return { code, expiresAt };
}

/** Uses the code up, also when it was made for another action: arguments cannot be tried out with it. */
export async function takeConfirmation(
  ctx: CoreContext,
  { tokenId, tool, content, code }: ActionToConfirm & { code: string },
): Promise<boolean> {
  const [taken] = await ctx.db.query(takeCode, [tokenId, hashSecret(code)]);
  if (!taken || taken.expiresAt <= now(ctx)) return false;
  return taken.tool === tool && taken.contentHash.equals(hashSecret(content));
}
