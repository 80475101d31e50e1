/**
 * The worker's client of the private contract with voice processes (contracts, internal.ts). Answers on which a task
 * decides are values, including `unreachable`.
 */
import { internal, type EndReason } from '@parley/contracts';
import { Agent, request } from 'undici';

export interface VoiceClient {
  /** Hands a call over; may be repeated. */
  takeCall(url: string, call: HandOver): Promise<'taken' | 'fenced' | 'full' | 'unreachable'>;
  hangUp(
    url: string,
    callId: number,
    reason: EndReason,
  ): Promise<'accepted' | 'unknown-call' | 'unreachable'>;
  /** Asks any process to evaluate a call that has ended, and to settle it. */
  evaluate(url: string, callId: number): Promise<'accepted' | 'draining' | 'unreachable'>;
  /** Asks any voice process to end a dialog of a process that died. */
  sendBye(url: string, dialog: unknown): Promise<'accepted' | 'unreachable'>;
  /** Asks a process to go on with the calls of one whose lease has run out. */
  takeOver(url: string, lostProcessId: string): Promise<'accepted' | 'draining' | 'unreachable'>;
  /** Whether the process answers at all. */
  isAlive(url: string): Promise<boolean>;
  close(): Promise<void>;
}

interface HandOver {
  callId: number;
  createdAt: Date;
  /** The id that the process must have. */
  processId: string;
}

/** A voice process answers before it does any work on the call, so that a longer time means a fault. Milliseconds. */
const TIME_LIMIT_MS = 3_000;

/** @param secret - the setting INTERNAL_SECRET */
export function createVoiceClient(secret: string): VoiceClient {
  const agent = new Agent({
    connect: { timeout: TIME_LIMIT_MS },
    allowH2: false,
    headersTimeout: TIME_LIMIT_MS,
    bodyTimeout: TIME_LIMIT_MS,
  });

  /** @returns the status, or null when there was no answer */
  async function ask(method: 'GET' | 'PUT' | 'POST', url: URL, body?: unknown): Promise<number | null> {
    try {
      const response = await request(url, {
        method,
        dispatcher: agent,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      await response.body.dump();
      return response.statusCode;
    } catch {
      return null;
    }
  }

  return {
    async takeCall(url, { callId, createdAt, processId }) {
      const target = endpoint(url, internal.takeCall.path, callId);
      const body = { created_at: createdAt.toISOString(), process_id: processId };
      return answerTo(await ask('PUT', target, body), { 202: 'taken', 409: 'fenced', 503: 'full' }, target);
    },
    async hangUp(url, callId, reason) {
      const target = endpoint(url, internal.hangUp.path, callId);
      return answerTo(
        await ask('POST', target, { reason }),
        { 202: 'accepted', 404: 'unknown-call' },
        target,
      );
    },
    async evaluate(url, callId) {
      const target = endpoint(url, internal.evaluate.path, callId);
      return answerTo(await ask('POST', target, {}), { 202: 'accepted', 503: 'draining' }, target);
    },
    async sendBye(url, dialog) {
      const target = endpoint(url, internal.sendBye.path);
      return answerTo(await ask('POST', target, { dialog }), { 202: 'accepted' }, target);
    },
    async takeOver(url, lostProcessId) {
      const target = endpoint(url, internal.takeOver.path);
      return answerTo(
        await ask('POST', target, { process_id: lostProcessId }),
        { 202: 'accepted', 503: 'draining' },
        target,
      );
    },
    isAlive: async (url) => (await ask('GET', endpoint(url, '/livez'))) !== null,
    close: () => agent.destroy(),
  };
}

function endpoint(url: string, path: string, callId?: number): URL {
  return new URL(path.replace(':id', String(callId)), url);
}

/** @throws Error for a status that is not in the contract, which means that one of the two sides is wrong */
function answerTo<Answer>(
  status: number | null,
  meanings: Record<number, Answer>,
  target: URL,
): Answer | 'unreachable' {
  if (status === null) return 'unreachable';
  const answer = meanings[status];
  if (answer === undefined) throw new Error(`A voice process answered ${status} to ${target.pathname}`);
  return answer;
}
