/** Written conversations over REST: core keeps them, and a voice process asks the model. */
import { createHash } from 'node:crypto';
import { cursorAnswer, internal, type api, type TextReplyRecord } from '@parley/contracts';
import {
  beginConversation,
  DomainError,
  findConversation,
  findWrittenAssistant,
  listConversations,
  releaseReply,
  storeReply,
  switchAi,
  takeMessage,
  type CustomerMessage,
  type TakenMessage,
} from '@parley/core';
import { checkKey, keyOf } from '../idempotency.ts';
import type { VoiceAsker } from './ask-voice.ts';
import type { RestCall, RestHandlers } from './handlers.ts';

const TOO_SLOW = 'The assistant did not reply within 30 seconds.';

/** Handlers of `contracts/written-conversations.ts`. */
export function writtenConversationHandlers(
  voice: VoiceAsker,
): RestHandlers<typeof api.writtenConversations> {
  return {
    async generateReply(call, { body }) {
      const { assistant_id: assistantId, customer_identifier: customerIdentifier, message, variables } = body;
      const to = { assistantId, customerIdentifier };
      const { uuid, text, ...reply } = await answerMessage(voice, call, { to, content: message, variables });
      const conversation = { conversation_id: uuid, customer_identifier: customerIdentifier };
      return { status: 200, body: { success: true, ...conversation, reply: text, ...reply } };
    },

    async create(call, { body }) {
      const { core, identity } = call;
      voice.requireAllowance(identity);
      const { type, variables = {} } = body;
      const assistantId = await findWrittenAssistant(core, identity, body.assistant_id);
      const first = await ask(voice, call, { assistantId, messages: [], variables });
      const opening = { text: first.reply, collected: first.variables, cost: first };
      const { uuid, history } = await beginConversation(core, identity, {
        assistantId,
        type,
        variables,
        opening,
      });
      return { status: 200, body: { status: true, conversation_id: uuid, history } };
    },

    async get({ core, identity }, { params }) {
      const { status: state, ...found } = await findConversation(core, identity, params.uuid);
      return { status: 200, body: { ...found, state, status: true } };
    },

    async write(call, { params, body }) {
      const to = { uuid: params.uuid };
      const { uuid: _uuid, text, ...reply } = await answerMessage(voice, call, { to, content: body.message });
      return { status: 200, body: { status: true, message: text, ...reply } };
    },

    async list({ core, identity }, { query }) {
      const found = await listConversations(core, identity, {
        type: query.type,
        assistantId: query.assistant_id,
        customerPhone: query.customer_phone,
        externalIdentifier: query.external_identifier,
        perPage: query.per_page,
        after: query.cursor?.after ?? null,
      });
      const rows = found.rows.map(({ status: state, ...row }) => ({ ...row, state }));
      return { status: 200, body: cursorAnswer({ ...found, rows }, query.per_page) };
    },

    async enableAi({ core, identity }, { params }) {
      await switchAi(core, identity, { uuid: params.uuid, isEnabled: true });
      return { status: 200, body: { status: true, ai_enabled: true } };
    },

    async disableAi({ core, identity }, { params }) {
      await switchAi(core, identity, { uuid: params.uuid, isEnabled: false });
      return { status: 200, body: { status: true, ai_enabled: false } };
    },
  };
}

type WithLease = Extract<TakenMessage, { kind: 'to-answer' }>;

interface AnsweredMessage {
  uuid: string;
  text: string;
  function_calls: TextReplyRecord['tool_calls'];
  ai_disabled: boolean;
  is_ended: boolean;
}

async function answerMessage(
  voice: VoiceAsker,
  call: RestCall,
  message: Omit<CustomerMessage, 'requestDigest'>,
): Promise<AnsweredMessage> {
  voice.requireAllowance(call.identity);
  const taken = await takeMessage(call.core, call.identity, { ...message, requestDigest: digestOf(call) });
  const { uuid } = taken;
  const without = { uuid, text: '', function_calls: [], ai_disabled: false, is_ended: false };
  if (taken.kind === 'switched-off') return { ...without, ai_disabled: true };
  if (taken.kind === 'answered') return { ...without, text: taken.text, is_ended: taken.isEnded };
  const reply = await askForReply(voice, call, taken);
  const outcome = await storeReply(call.core, taken.lease, reply);
  if (outcome === 'switched-off') return { ...without, ai_disabled: true };
  if (outcome === 'empty') throw new DomainError('unavailable', 'The model gave no reply.');
  if (outcome === 'lost')
    throw new DomainError('conflict', 'The reply came too late: another request answers this conversation.');
  return {
    ...without,
    text: reply.reply.trim(),
    function_calls: reply.tool_calls,
    is_ended: reply.is_ended,
  };
}

/** The next request may answer at once when the model has failed. */
async function askForReply(
  voice: VoiceAsker,
  call: RestCall,
  { lease, question }: WithLease,
): Promise<TextReplyRecord> {
  try {
    return await ask(voice, call, question);
  } catch (error) {
    await releaseReply(call.core, lease);
    throw error;
  }
}

function ask(voice: VoiceAsker, call: RestCall, question: WithLease['question']): Promise<TextReplyRecord> {
  const { assistantId, messages, variables } = question;
  return voice.ask(call, {
    route: internal.reply,
    body: {
      user_id: call.identity.userId,
      assistant_id: assistantId,
      messages,
      variables,
      run_tools: true,
    },
    tooSlow: TOO_SLOW,
  });
}

/** Recognises the message of a request that is repeated after a crash; null without a key. */
function digestOf({ identity: { tokenId }, request }: RestCall): string | null {
  const key = keyOf(request);
  if (key === undefined || tokenId === null) return null;
  checkKey(key);
  return createHash('sha256').update(`${tokenId}:${key}`).digest('base64');
}
