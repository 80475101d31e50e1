/**
 * R27: one request is sent fifty times concurrently with one `Idempotency-Key`, while the api is killed between write and
 * response. It must cause one call and have one response. The senders retry, as clients do.
 */
import { createAssistant, type Installation } from '@parley/e2e';
import { pause, systemClock } from '@parley/runtime';
import type { Check, CheckOptions, CheckResult } from './check.ts';
import { withTestbed, type Testbed } from './testbed.ts';
import { NumberBook } from './numbers.ts';
import { insist } from './patient-sql.ts';

const SENDERS = 50;
/** Delays of the kill after the first request: before, during and after the write, milliseconds. */
const KILL_AFTER_MS = 60;

/** R27. */
export const sameKey: Check = {
  id: 'R27',
  what: 'one Idempotency-Key, fifty times at once, with kills',
  run,
};

async function run(options: CheckOptions): Promise<CheckResult> {
  const rounds = options.isFull ? 30 : 2;
  return withTestbed({ workers: 1, voices: 1 }, async (testbed) => {
    const { installation } = testbed.fleet;
    const assistantId = await createAssistant(installation, { webhookUrl: testbed.receiver.url });
    const numbers = new NumberBook().take('busy', rounds + 1);
    const faults: string[] = [];
    for (const [round, number] of numbers.slice(0, rounds).entries()) {
      const body = { assistant_id: assistantId, phone_number: number, variables: {} };
      const answers = await sendAll(testbed, body, `round-${round}`, (round * KILL_AFTER_MS) / rounds);
      faults.push(...(await compare(testbed, number, answers)));
      options.say(`${round + 1} of ${rounds}`);
    }
    const control = await withoutKey(testbed, assistantId, numbers[rounds] ?? '');
    return {
      counts: { rounds, requests: rounds * SENDERS, faults: faults.length },
      faults: faults.slice(0, 5),
      controls: { 'without a key': control },
    };
  });
}

async function sendAll(
  { fleet }: Testbed,
  body: object,
  key: string,
  killAfterMs: number,
): Promise<string[]> {
  const senders = Array.from({ length: SENDERS }, () =>
    insist(() => makeCall(fleet.installation, body, key)),
  );
  await pause(systemClock, killAfterMs);
  await fleet.kill('api');
  return Promise.all(senders);
}

/** @throws Error for every status but 200, so that the sender retries */
async function makeCall(installation: Installation, body: object, key: string | null): Promise<string> {
  const response = await fetch(`${installation.baseUrl}/api/user/make_call`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${installation.token}`,
      'content-type': 'application/json',
      ...(key === null ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return text;
}

async function compare({ fleet, witness }: Testbed, number: string, answers: string[]): Promise<string[]> {
  const different = new Set(answers).size;
  const stored = await countStored({ fleet }, number);
  const invites = (await witness.calls()).filter((call) => call.number === number).length;
  return [
    ...(different === 1 ? [] : [`${number}: ${different} different answers`]),
    ...(stored === 1 ? [] : [`${number}: ${stored} calls`]),
    ...(invites <= 1 ? [] : [`${number}: ${invites} INVITEs`]),
  ];
}

async function countStored({ fleet }: Pick<Testbed, 'fleet'>, number: string): Promise<number> {
  const [row] = await fleet.sql.query<{ calls: number }>(
    'select count(*)::int as calls from calls where client_phone_number = $1',
    [number],
  );
  return row?.calls ?? 0;
}

/** Negative control: without a key, a sender that retries causes more than one call. */
async function withoutKey(testbed: Testbed, assistantId: number, number: string): Promise<boolean> {
  const body = { assistant_id: assistantId, phone_number: number, variables: {} };
  for (let count = 0; count < 2; count++)
    await insist(() => makeCall(testbed.fleet.installation, body, null));
  return (await compare(testbed, number, ['a'])).length > 0;
}
