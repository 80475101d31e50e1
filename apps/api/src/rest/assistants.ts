/** Assistants over REST. Core checks what the contract cannot. */
import { internal, paginate, type api, type AssistantRecord, type AssistantWritten } from '@parley/contracts';
import {
  createAssistant,
  deleteAssistant,
  findAssistant,
  listAllAssistants,
  listAssistants,
  listOutboundAssistants,
  switchConversationWebhook,
  switchInboundWebhook,
  switchWebhook,
  updateAssistant,
} from '@parley/core';
import type { VoiceAsker } from './ask-voice.ts';
import type { RestHandlers } from './handlers.ts';

/** The message of both enable operations. */
const ENABLED = 'Webhook enabled successfully';

type Handlers = RestHandlers<typeof api.assistants>;

const webhookSwitches: Pick<Handlers, Extract<keyof Handlers, `${string}Webhook`>> = {
  async disableWebhook({ core, identity }, { body }) {
    await switchWebhook(core, identity, { assistantId: body.assistant_id, webhookUrl: null });
    return { status: 200, body: { message: 'Webhook disabled successfully', data: [] } };
  },

  async disableInboundWebhook({ core, identity }, { body }) {
    await switchInboundWebhook(core, identity, { assistantId: body.assistant_id, webhookUrl: null });
    return { status: 200, body: { message: 'Inbound webhook disabled successfully', data: [] } };
  },

  async enableWebhook({ core, identity }, { body }) {
    await switchWebhook(core, identity, { assistantId: body.assistant_id, webhookUrl: body.webhook_url });
    return { status: 200, body: { message: ENABLED, data: [] } };
  },

  async enableInboundWebhook({ core, identity }, { body }) {
    await switchInboundWebhook(core, identity, {
      assistantId: body.assistant_id,
      webhookUrl: body.webhook_url,
    });
    return { status: 200, body: { message: ENABLED, data: [] } };
  },

  async disableConversationEndedWebhook({ core, identity }, { body }) {
    await switchConversationWebhook(core, identity, { assistantId: body.assistant_id, webhookUrl: null });
    return {
      status: 200,
      body: { message: 'Conversation ended webhook disabled successfully', data: [] },
    };
  },

  async enableConversationEndedWebhook({ core, identity }, { body }) {
    await switchConversationWebhook(core, identity, {
      assistantId: body.assistant_id,
      webhookUrl: body.webhook_url,
    });
    return {
      status: 200,
      body: { message: 'Conversation ended webhook enabled successfully', data: [] },
    };
  },
};

/** Handlers of `contracts/assistants.ts`. */
export const assistantHandlers = (voice: VoiceAsker): Handlers => ({
  async generateReply(call, { params, body }) {
    const { core, identity } = call;
    voice.requireAllowance(identity);
    await findAssistant(core, identity, params.id);
    const data = await voice.ask(call, {
      route: internal.reply,
      body: { ...body, user_id: identity.userId, assistant_id: params.id },
      tooSlow: 'The assistant did not reply within 30 seconds.',
    });
    return { status: 200, body: { message: 'Reply generated successfully', data } };
  },

  async create({ core, identity }, { body }) {
    const record = await createAssistant(core, identity, body);
    return { status: 201, body: written('Assistant created successfully', record) };
  },

  async list({ core, identity, url }, { query }) {
    const page = { page: query.page, perPage: query.per_page };
    const found = await listAssistants(core, identity, { ...page, type: query.type });
    return { status: 200, body: paginate({ ...found, ...page, url }) };
  },

  async listAll({ core, identity }) {
    return { status: 200, body: await listAllAssistants(core, identity) };
  },

  async listOutbound({ core, identity }) {
    return { status: 200, body: await listOutboundAssistants(core, identity) };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findAssistant(core, identity, params.id) };
  },

  async update({ core, identity }, { params, body }) {
    const record = await updateAssistant(core, identity, { id: params.id, changes: body });
    return { status: 200, body: written('Assistant updated successfully', record) };
  },

  async remove({ core, identity }, { params }) {
    await deleteAssistant(core, identity, params.id);
    return { status: 200, body: { message: 'Assistant deleted successfully' } };
  },

  ...webhookSwitches,
});

/** The answer to a write. */
function written(message: string, { id, name, status, type, mode }: AssistantRecord): AssistantWritten {
  return { message, data: { id, name, status, type, mode } };
}
