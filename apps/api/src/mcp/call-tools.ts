/** The tools of the MCP server that have no endpoint: previewing a call, and waiting for its result. */
import { errorText, integer, makeCallBody, shape } from '@parley/contracts';
import {
  DomainError,
  findCall,
  isTokenActive,
  previewCall,
  type CoreContext,
  type Identity,
} from '@parley/core';
import { pause } from '@parley/runtime';
import type { z } from 'zod';
import { requireAccess } from '../http/authenticate.ts';
import { OpenStreams } from '../http/open-streams.ts';
import { callInputOf } from '../rest/call-input.ts';
import type { Answer, RestCall } from '../rest/handlers.ts';

const POLL_MS = 1000;
/** Below the usual limit of clients and proxies. */
const LONGEST_WAIT_SECONDS = 50;
/** Concurrent waits of one token in one api process. */
const MOST_WAITS = 5;
/** Concurrent waits of all tokens of a user in one api process: a user can make any number of tokens. */
const MOST_WAITS_OF_USER = 25;
/** Statuses after which the evaluation and the recording are settled. */
const OVER: readonly string[] = ['completed', 'busy', 'no-answer', 'failed'];

const waitInput = shape({
  call_id: integer(),
  seconds: integer({ minimum: 1, maximum: LONGEST_WAIT_SECONDS }).default(LONGEST_WAIT_SECONDS),
});

/** A tool with its own code. */
export interface OwnTool {
  description: string;
  /** A schema, or the operation whose input it shares. */
  input: z.ZodType | string;
  run: (input: unknown, call: RestCall, signal: AbortSignal) => Promise<Answer>;
}

/** One set for each api process, because it counts who waits. */
export function createCallTools(): Readonly<Record<string, OwnTool>> {
  const waits: Waits = {
    ofToken: new OpenStreams(MOST_WAITS, 'waits for calls with this token'),
    ofUser: new OpenStreams(MOST_WAITS_OF_USER, 'waits for calls'),
  };
  return {
    preview_call: {
      description:
        'Checks a call without placing it: from which number it would go out, or why it would be refused.',
      input: 'calls.make',
      run: preview,
    },
    wait_for_call: {
      description: `Waits until a call is over, at most ${LONGEST_WAIT_SECONDS} seconds, and returns its result: the evaluation by the post_call_schema of its assistant, variables and transcript. If is_over is false, call this tool again.`,
      input: waitInput,
      run: (input, call, signal) => limited(waits, call, () => wait(input, call, signal)),
    },
  };
}

async function preview(input: unknown, { core, identity }: RestCall): Promise<Answer> {
  requireAccess({ scope: 'call' }, identity);
  const { from, to, assistantName } = await previewCall(
    core,
    identity,
    callInputOf(makeCallBody.parse(input)),
  );
  return { status: 200, body: { would_call: true, from, to, assistant_name: assistantName } };
}

interface Waits {
  ofToken: OpenStreams;
  ofUser: OpenStreams;
}

/** A wait occupies a connection and asks the database every second, so a token and a user have a few at a time. */
async function limited(
  { ofToken, ofUser }: Waits,
  { identity }: RestCall,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const leaveUser = ofUser.enter(identity.userId);
  try {
    const leaveToken = ofToken.enter(identity.tokenId ?? 0);
    try {
      return await work();
    } finally {
      leaveToken();
    }
  } finally {
    leaveUser();
  }
}

async function wait(input: unknown, { core, identity }: RestCall, signal: AbortSignal): Promise<Answer> {
  requireAccess({ scope: 'read' }, identity);
  const { call_id: callId, seconds } = waitInput.parse(input);
  const until = core.clock.monotonic() + seconds * 1000;
  for (;;) {
    const call = await findCall(core, identity, callId);
    const isOver = OVER.includes(call.status);
    if (isOver || signal.aborted || core.clock.monotonic() >= until) {
      await requireActiveToken(core, identity);
      const { status, outcome, answered_by, ended_reason, evaluation, variables, transcript } = call;
      return {
        status: 200,
        body: {
          is_over: isOver,
          call_id: callId,
          status,
          outcome,
          answered_by,
          ended_reason,
          evaluation,
          variables,
          transcript,
        },
      };
    }
    await pause(core.clock, POLL_MS, signal).catch(() => undefined);
  }
}

/** A token that was revoked during the wait must not get the transcript. @throws DomainError `unauthenticated` */
async function requireActiveToken(core: CoreContext, { tokenId }: Identity): Promise<void> {
  if (tokenId === null || !(await isTokenActive(core, tokenId)))
    throw new DomainError('unauthenticated', errorText.unauthenticated);
}
