/** Runs `http_request` tools: one exchange within the owner's time limit, to public addresses only. */
import type { ToolAnswer } from '@parley/conversation';
import { planToolRequest, type HttpCallTool } from '@parley/core';
import type { GuardedClient } from '@parley/runtime/guarded-http';

/** Options of a tool request. */
export interface HttpToolContext {
  http: Pick<GuardedClient, 'send'>;
  variables: Readonly<Record<string, unknown>>;
}

/** Returns status and body to the model; a status of 400 or more counts as a failure. Never rejects. */
export async function runHttpTool(
  tool: HttpCallTool,
  { http, variables, given }: HttpToolContext & { given: Readonly<Record<string, unknown>> },
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const request = planToolRequest(tool, { variables, arguments: given });
  if (!request) return { isOk: false, text: 'The address cannot be used with the values of this call.' };
  const outcome = await http.send({ ...request, signal, timeLimitMs: tool.timeoutSeconds * 1000 });
  if ('status' in outcome)
    return { isOk: outcome.status < 400, text: `HTTP ${outcome.status}\n${outcome.body}` };
  return { isOk: false, text: outcome.error };
}
