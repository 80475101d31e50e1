/**
 * Sends the request of an HTTP tool with example values, so that its author sees what a call would send and receive. It is
 * sent once, from here, and nothing is stored.
 */
import { errorText, fieldFault, wording, type ToolTrialResult, type WrittenTool } from '@parley/contracts';
import { Assistant, Tool, type AssistantTool } from '@parley/db';
import { createGuardedClient } from '@parley/runtime/guarded-http';
import { isDisarmed } from '../capacity/disarmed.ts';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { openTools, sealTools } from '../tools/assistant-tools.ts';
import { planToolRequest, type HttpCallTool } from '../tools/tool-request.ts';
import type { Identity } from '../users/identity.ts';
import { storedAnswer } from '../shared/stored-answer.ts';
import { refuseFaults } from './invalid-assistant.ts';
import { assistantNotFound, ownAssistants } from './own-assistant.ts';

/** Example values: variables of the call, and arguments as a language model would give them. */
export interface ToolTrial {
  variables: Readonly<Record<string, unknown>>;
  arguments: Readonly<Record<string, unknown>>;
}

/**
 * A tool of an assistant as it is being edited. A header without a value takes the stored one.
 *
 * @throws DomainError `not-found`; `invalid` for another kind of tool, when a header has no value, or when the address
 *   cannot be used with the values; `conflict` in a disarmed installation
 */
export async function tryTool(
  ctx: CoreContext,
  identity: Identity,
  { assistantId, tool }: { assistantId: number; tool: WrittenTool },
  trial: ToolTrial,
): Promise<ToolTrialResult> {
  const assistant = await ctx.db.em.findOne(Assistant, { id: assistantId, ...ownAssistants(identity) });
  if (!assistant) throw assistantNotFound();
  const { tools, faults } = sealTools(ctx.secretBox, [tool], assistant.tools);
  refuseFaults(faults);
  return send(ctx, identity, tools, trial);
}

/**
 * A tool of the account, as it is stored.
 *
 * @throws DomainError like {@link tryTool}
 */
export async function tryAccountTool(
  ctx: CoreContext,
  { userId, ...identity }: Identity,
  id: number,
  trial: ToolTrial,
): Promise<ToolTrialResult> {
  const row = await ctx.db.em.findOne(Tool, { id, userId });
  if (!row) throw new DomainError('not-found', 'Tool not found');
  return send(ctx, { userId, ...identity }, [row.tool], trial);
}

async function send(
  ctx: CoreContext,
  identity: Identity,
  stored: readonly AssistantTool[],
  trial: ToolTrial,
): Promise<ToolTrialResult> {
  const [tool] = openTools(ctx.secretBox, stored);
  if (tool?.type !== 'http_request') throw invalid('type', wording.selected);
  const request = planToolRequest(tool, trial);
  if (!request) throw invalid('url', 'The :attribute cannot be used with these values.');
  if (await isDisarmed(ctx.db))
    throw new DomainError(
      'conflict',
      'This installation is a restored copy that sends no requests. Arm it first.',
    );
  const startedMs = ctx.clock.monotonic();
  const isPublicOnly = identity.role !== 'operator';
  const answer = await exchange(ctx, tool, { ...request, isPublicOnly });
  return {
    method: request.method,
    url: request.url,
    header_names: Object.keys(request.headers),
    body: request.body,
    status: answer.httpStatus,
    response_body: answer.httpStatus === null ? null : answer.body,
    error: answer.error,
    duration_ms: Math.round(ctx.clock.monotonic() - startedMs),
  };
}

async function exchange(
  { clock, allowPrivateWebhooks }: CoreContext,
  { timeoutSeconds }: HttpCallTool,
  request: NonNullable<ReturnType<typeof planToolRequest>> & { isPublicOnly: boolean },
) {
  const client = createGuardedClient({ clock, allowPrivate: allowPrivateWebhooks });
  try {
    return storedAnswer(await client.send({ ...request, timeLimitMs: timeoutSeconds * 1000 }));
  } finally {
    await client.close();
  }
}

function invalid(field: string, message: string): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: fieldFault(field, message) });
}
