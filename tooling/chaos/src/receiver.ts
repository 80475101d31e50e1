/**
 * A webhook receiver that is never killed. It records the id and the call of each delivery, to show afterwards that every
 * finished call was reported under exactly one id.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { PatientSql } from './patient-sql.ts';

/** One received POST. */
export interface ReceivedHook {
  messageId: string;
  callId: number;
}

/** The response to a POST; by default 200 immediately. */
type Answer = (hook: ReceivedHook, response: ServerResponse) => void;

/** The running receiver. */
export interface Receiver {
  url: string;
  received: ReceivedHook[];
  answerWith(answer: Answer): void;
  /** @returns one sentence for each call that was not reported, or reported under two ids */
  compareWith(sql: PatientSql, campaignIds: readonly number[]): Promise<string[]>;
  close(): Promise<void>;
}

const FINISHED = `
  select id from calls where campaign_id = any($1) and status in ('completed', 'busy', 'no-answer', 'failed')`;

/** Listens on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedHook[] = [];
  let answer: Answer = (_hook, response) => void response.writeHead(200).end('{}');
  const server = createServer((request, response) => {
    const take = async (): Promise<void> => {
      const body = JSON.parse(await text(request)) as { id: number };
      const hook = { messageId: String(request.headers['webhook-id']), callId: body.id };
      received.push(hook);
      answer(hook, response);
    };
    // A sender that is killed aborts its request.
    take().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answerWith: (next) => void (answer = next),
    async compareWith(sql, campaignIds) {
      const finished = await sql.query<{ id: number }>(FINISHED, [campaignIds]);
      return faultsOf(
        received,
        finished.map(({ id }) => id),
      );
    },
    async close() {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, 'close');
    },
  };
}

/** Pure, so that a negative control can inject a fault. */
export function faultsOf(received: readonly ReceivedHook[], callIds: readonly number[]): string[] {
  const messages = new Map<number, Set<string>>();
  for (const { callId, messageId } of received) {
    const known = messages.get(callId) ?? new Set();
    messages.set(callId, known.add(messageId));
  }
  const untold = callIds.filter((id) => !messages.has(id));
  const doubled = [...messages].filter(([, ids]) => ids.size > 1);
  return [
    ...untold.map((id) => `the end of call ${id} was never reported`),
    ...doubled.map(([id, ids]) => `the end of call ${id} was reported under ${ids.size} ids`),
  ];
}
