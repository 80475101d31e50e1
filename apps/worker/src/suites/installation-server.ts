/** The installation that a stored suite tests, from within: replies of voice processes, calls of core. */
import { errorBody, internal, type TextReplyRecord } from '@parley/contracts';
import {
  addToWindows,
  DomainError,
  findCall,
  pickVoiceProcess,
  placeSuiteCall,
  requestHangUp,
  type ClaimedConversation,
  type CoreContext,
  type Identity,
} from '@parley/core';
import { pause } from '@parley/runtime';
import { SuiteError, type SuiteServer } from '@parley/suites';
import { request, type Agent } from 'undici';

/** The limit of one member in all runs together: as many as a token may request through the API. */
const REPLIES_PER_MINUTE = 30;
const MINUTE_MS = 60_000;
/** How long voice processes may be busy, milliseconds. */
const BUSY_LIMIT_MS = 60_000;
const BUSY_PAUSE_MS = 1_000;
const PAUSE_FOR_NUMBER_MS = 2_000;
const NO_PROCESS = 'No voice process answers.';

/** What the server needs. */
export interface InstallationServerOptions {
  core: CoreContext;
  internalSecret: string;
  agent: Agent;
  identity: Identity;
  conversation: ClaimedConversation;
  signal: AbortSignal;
}

/** @throws the reason of the signal, in each method, after the run was stopped */
export function createInstallationServer(options: InstallationServerOptions): SuiteServer {
  const { core, identity, conversation, signal } = options;
  return {
    async reply(question) {
      await waitForAllowance(options);
      const until = core.clock.monotonic() + BUSY_LIMIT_MS;
      for (;;) {
        const answer = await askVoice(options, {
          user_id: identity.userId,
          assistant_id: question.assistantId,
          messages: question.messages,
          variables: question.variables,
          run_tools: question.runTools,
        });
        if ('reply' in answer) return answer.reply;
        if (!answer.isBusy || core.clock.monotonic() > until) throw new SuiteError(answer.message);
        await pause(core.clock, BUSY_PAUSE_MS * (1 + Math.random()), signal);
        signal.throwIfAborted();
      }
    },
    async placeCall({ assistantId, phoneNumbers, variables }) {
      for (;;) {
        for (const phoneNumber of phoneNumbers) {
          const callId = await tryToPlace(options, { conversation, assistantId, phoneNumber, variables });
          if (callId !== null) return callId;
        }
        await pause(core.clock, PAUSE_FOR_NUMBER_MS, signal);
        signal.throwIfAborted();
      }
    },
    findCall: (callId) => findCall(core, identity, callId),
    async hangUp(callId) {
      await requestHangUp(core, identity, callId).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
      });
    },
  };
}

/** @returns null while the number is in another call */
async function tryToPlace(
  { core, identity, signal }: InstallationServerOptions,
  call: Parameters<typeof placeSuiteCall>[2],
): Promise<number | null> {
  try {
    const callId = await placeSuiteCall(core, identity, call);
    if (callId !== null) return callId;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'number_in_call') return null;
    throw error;
  }
  signal.throwIfAborted();
  throw new SuiteError('The conversation was stopped.');
}

async function waitForAllowance({ core, identity, signal }: InstallationServerOptions): Promise<void> {
  if (identity.role === 'operator') return;
  const key = `suite replies of user ${identity.userId}`;
  for (;;) {
    const startedAtMs = core.clock.now();
    const [window] = await addToWindows(core, [{ key, startedAtMs, used: 1 }], MINUTE_MS);
    if (!window || window.used <= REPLIES_PER_MINUTE) return;
    await pause(core.clock, Math.max(1_000, window.startedAtMs + MINUTE_MS - startedAtMs), signal);
    signal.throwIfAborted();
  }
}

type VoiceAnswer = { reply: TextReplyRecord } | { message: string; isBusy: boolean };

async function askVoice(
  { core, internalSecret, agent, signal }: InstallationServerOptions,
  body: object,
): Promise<VoiceAnswer> {
  const process = await pickVoiceProcess(core.db, { canWait: false });
  if (process === null) return { message: NO_PROCESS, isBusy: true };
  let response: Awaited<ReturnType<typeof request>>;
  try {
    response = await request(new URL(internal.reply.path, process.url), {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${internalSecret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
  } catch {
    signal.throwIfAborted();
    return { message: NO_PROCESS, isBusy: true };
  }
  const answer: unknown = await response.body.json();
  if (response.statusCode === 200) return { reply: internal.reply.responses[200].parse(answer) };
  return { message: errorBody.parse(answer).message, isBusy: response.statusCode === 503 };
}
