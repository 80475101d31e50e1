/** A stranger's telephone calls the number of an assistant: it answers, greets, and the call is on record. */
import { rmsDbfs } from '@parley/audio';
import type { Phone } from '@parley/phones';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForCall } from '../src/calls.ts';
import { sharedInstallation } from '../src/shared-installation.ts';
import { startStranger } from '../src/stranger.ts';

/** Number of the inbound demo assistant of a fresh installation. */
const DEMO_NUMBER = '+12025550101';
const CALLER = '+12025550111';

const installation = sharedInstallation();
let phone: Phone;
let other: Phone;

beforeAll(async () => {
  phone = await startStranger();
  other = await startStranger();
});

afterAll(async () => {
  await phone?.stop();
  await other?.stop();
});

it('is answered by the assistant whose number was dialled', async () => {
  const person = phone.call({
    to: DEMO_NUMBER,
    from: CALLER,
    host: '127.0.0.1',
    port: installation.sipPort,
    transport: 'tcp',
    script: [{ do: 'wait', ms: 4_000 }, { do: 'say', line: 'Thank you, good bye.' }, { do: 'hang-up' }],
  });
  await person.answered;
  await person.ended;
  expect(rmsDbfs(person.heard())).toBeGreaterThan(-40);

  const list = (await installation.request('GET', '/api/user/calls?type=inbound')) as {
    data: { id: number; client_phone_number: string }[];
  };
  const calls = list.data.filter((call) => call.client_phone_number === CALLER);
  expect(calls).toHaveLength(1);
  const detail = await waitForCall(installation, calls[0]?.id ?? 0, (call) => call.status === 'completed');
  expect(detail).toMatchObject({
    type: 'inbound',
    assistant_phone_number: DEMO_NUMBER,
    client_phone_number: CALLER,
    ended_by: 'customer',
  });
  expect(detail.transcript).toMatch(/^AI: /);
});

it('is refused at a number that no assistant owns', async () => {
  const person = phone.call({
    to: '+12025550199',
    from: CALLER,
    host: '127.0.0.1',
    port: installation.sipPort,
    script: [],
  });
  const end = await person.ended;
  expect(end.sipStatus).toBe(404);
});

// A PBX may use the Call-ID of one call for another; the From tags differ.
it('answers two calls at the same time that have one Call-ID, and each has its own record', async () => {
  const callers = ['+12025550112', '+12025550113'];
  const ends: string[] = [];
  const people = [phone, other].map((line, at) => {
    const person = line.call({
      to: DEMO_NUMBER,
      from: callers[at] ?? '',
      host: '127.0.0.1',
      port: installation.sipPort,
      sipCallId: 'one-for-both@phones',
      script: [{ do: 'wait', ms: at === 0 ? 6_000 : 600_000 }, { do: 'hang-up' }],
    });
    void person.ended.then(() => ends.push(callers[at] ?? ''));
    return person;
  });
  await Promise.all(people.map(({ answered }) => answered));
  await people[0]?.ended;
  expect(ends).toEqual([callers[0]]);
  const find = async (caller: string | undefined) => {
    const { data } = (await installation.request('GET', '/api/user/calls?type=inbound')) as {
      data: { id: number; client_phone_number: string }[];
    };
    const found = data.filter((call) => call.client_phone_number === caller);
    expect(found).toHaveLength(1);
    return found[0]?.id ?? 0;
  };
  const [first, second] = [await find(callers[0]), await find(callers[1])];
  await waitForCall(installation, first, ({ status }) => status === 'completed');
  await waitForCall(installation, second, ({ status }) => status === 'in-progress');
  await installation.request('POST', `/api/user/calls/${second}/hang-up`);
  await people[1]?.ended;
  await waitForCall(installation, second, ({ status }) => status === 'completed');
  for (const person of people) expect(rmsDbfs(person.heard())).toBeGreaterThan(-40);
});
