/**
 * Stores a message of a customer, and gives its request the lease to answer it. The message is stored before the model is
 * asked. While another request has the lease, a message is refused and not stored. A lease ends with the reply, or by its
 * time limit when the process was killed: then the next request answers. Docs: docs/decisions/written-conversations.md.
 */
import { randomUUID } from 'node:crypto';
import { errorText, fieldFault, wording } from '@parley/contracts';
import {
  WrittenMessage,
  type Transaction,
  type WrittenConversationRow,
  type WrittenMessageRow,
} from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { conversationOfCustomer, type Customer } from './begin-conversation.ts';
import {
  MAX_STORED_MESSAGES,
  messagesForModel,
  redactedDialogue,
  type DialogueMessage,
} from './dialogue.rules.ts';
import {
  findSettings,
  inactiveAfter,
  lockConversation,
  messagesOf,
  requireOpenBelowMaximum,
  type WrittenSettings,
} from './own-conversation.ts';

/** A request for a reply takes 30 s at most. */
const LEASE_MS = 45_000;
const RETRY_AFTER_SECONDS = 2;
/** As `variables` of a request. */
const MAX_VARIABLES_BYTES = 65_536;

/** A message of a customer. */
export interface CustomerMessage {
  /** The conversation, or the customer who may begin one. */
  to: { uuid: string } | Customer;
  content: string;
  /** Added to those of the conversation. */
  variables?: Record<string, unknown> | undefined;
  /** The digest of the token and the `Idempotency-Key`, by which a repeated request is recognised; null without one. */
  requestDigest: string | null;
}

/** The right to store a reply. */
export interface ReplyLease {
  userId: number;
  uuid: string;
  lease: string;
  /** The message that the reply answers. */
  messageId: number;
}

/** What becomes of a message. */
export type TakenMessage = { uuid: string } & (
  | { kind: 'switched-off' }
  /** The request was repeated, and the message has an answer. */
  | { kind: 'answered'; text: string; isEnded: boolean }
  | {
      kind: 'to-answer';
      lease: ReplyLease;
      question: { assistantId: number; messages: DialogueMessage[]; variables: Record<string, unknown> };
    }
);

/**
 * @throws DomainError `not-found` for the conversation or the assistant; `conflict` while another message is being answered,
 *   with too many open conversations, and when the assistant was deleted; `invalid` for too many variables
 */
export async function takeMessage(
  ctx: CoreContext,
  identity: Identity,
  message: CustomerMessage,
): Promise<TakenMessage> {
  return ctx.db.transaction(async (tx) => {
    const { to } = message;
    const uuid = 'uuid' in to ? to.uuid : await conversationOfCustomer(ctx, tx, identity, to);
    const row = await lockConversation(tx, identity, uuid);
    const settings = await findSettings(tx, row);
    if (!settings)
      throw new DomainError('conflict', 'The assistant of this conversation was deleted. Begin another one.');
    const stored = await messagesOf(tx, row.id);
    const known = stored.find(
      ({ requestDigest }) => requestDigest !== null && requestDigest === message.requestDigest,
    );
    const answer = known && stored.find(({ id, role }) => role === 'assistant' && id > known.id);
    if (answer) return { uuid, kind: 'answered', text: answer.content, isEnded: row.endedAt !== null };
    const at = now(ctx);
    if (row.isAiEnabled) refuseWhileReplying(row, at);
    await reopen(tx, identity, row);
    addVariables(row, message.variables);
    Object.assign(row, { lastMessageAt: at, inactiveAt: inactiveAfter(at, settings), updatedAt: at });
    const asked = known ?? (await storeMessage(tx, { row, settings, stored, message, at }));
    if (!row.isAiEnabled) return { uuid, kind: 'switched-off' };
    const lease = randomUUID();
    Object.assign(row, { replyLease: lease, replyLeaseUntil: new Date(at.getTime() + LEASE_MS) });
    return {
      uuid,
      kind: 'to-answer',
      lease: { userId: row.userId, uuid, lease, messageId: asked.id },
      question: {
        assistantId: row.assistantId,
        messages: dialogueUntil(stored, asked, message.content),
        variables: row.variables,
      },
    };
  });
}

function refuseWhileReplying({ replyLeaseUntil }: WrittenConversationRow, at: Date): void {
  if (replyLeaseUntil === null || replyLeaseUntil <= at) return;
  throw new DomainError('conflict', 'The assistant is still replying to the message before.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    code: 'reply_in_progress',
  });
}

/** A message to a conversation that has ended opens it again. */
async function reopen(tx: Transaction, identity: Identity, row: WrittenConversationRow): Promise<void> {
  if (row.endedAt === null) return;
  await requireOpenBelowMaximum(tx, identity);
  Object.assign(row, { endedAt: null, endedReason: null });
}

function addVariables(row: WrittenConversationRow, given: Record<string, unknown> = {}): void {
  const variables = { ...row.variables, ...given };
  if (Buffer.byteLength(JSON.stringify(variables)) > MAX_VARIABLES_BYTES) {
    const fields = fieldFault('variables', wording.atMostKilobytes(MAX_VARIABLES_BYTES / 1024));
    throw new DomainError('invalid', errorText.invalidData, { fields });
  }
  if (Object.keys(given).length > 0) row.variables = variables;
}

interface Storing {
  row: WrittenConversationRow;
  settings: WrittenSettings;
  /** Oldest first; the new message is added. */
  stored: WrittenMessageRow[];
  message: CustomerMessage;
  at: Date;
}

/**
 * Stores the message without what the assistant wants redacted. A repetition of the last message, without a key, that has no
 * answer yet is the same message: its request has failed, or its process was killed.
 */
async function storeMessage(
  tx: Transaction,
  { row, settings, stored, message, at }: Storing,
): Promise<WrittenMessageRow> {
  const { content, requestDigest } = message;
  const texts = redactedDialogue([...stored, { role: 'user', content }], settings.redact);
  const redacted = texts.pop() ?? '';
  const last = stored.at(-1);
  if (row.isAiEnabled && requestDigest === null && last?.role === 'user' && last.content === redacted)
    return last;
  // A card number may end with this message.
  for (const [index, old] of stored.entries())
    if (old.content !== texts[index]) old.content = texts[index] ?? '';
  const created = tx.em.create(WrittenMessage, {
    conversationId: row.id,
    role: 'user',
    content: redacted,
    answeredId: null,
    requestDigest,
    createdAt: at,
  });
  await tx.em.flush();
  stored.push(created);
  await removeOldest(tx, row, stored);
  return created;
}

/** @param stored - with the new message, oldest first */
export async function removeOldest(
  tx: Transaction,
  { id: conversationId }: Pick<WrittenConversationRow, 'id'>,
  stored: readonly WrittenMessageRow[],
): Promise<void> {
  const newestRemoved = stored.at(-1 - MAX_STORED_MESSAGES);
  if (newestRemoved)
    await tx.em.nativeDelete(WrittenMessage, { conversationId, id: { $lte: newestRemoved.id } });
}

/** The model reads the message to answer as it was sent; what is stored may be redacted. */
function dialogueUntil(
  stored: readonly WrittenMessageRow[],
  asked: WrittenMessageRow,
  content: string,
): DialogueMessage[] {
  return messagesForModel(
    stored.map((one) => ({ role: one.role, content: one.id === asked.id ? content : one.content })),
  );
}
