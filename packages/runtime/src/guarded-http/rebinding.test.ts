/**
 * DNS rebinding: a name whose answer changes between a check and the connection. Here 127.0.0.1 is the address that must
 * not be reached and 127.0.0.2 the public one; the resolver of the test alternates between them or returns both.
 * `PARLEY_REBINDINGS=10000` for the long form, `PARLEY_SEED` for another sequence.
 */
import { lookup as systemLookup } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { BlockList, type AddressInfo, type LookupFunction } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Agent, request, type Dispatcher } from 'undici';
import { createCheckedConnector } from './checked-connection.ts';

const REQUESTS = Number(process.env['PARLEY_REBINDINGS'] ?? 300);
const SEED = Number(process.env['PARLEY_SEED'] ?? 20_261_121);
const FORBIDDEN = '127.0.0.1';
const PUBLIC = '127.0.0.2';
const ANSWERS = [[PUBLIC], [FORBIDDEN], [PUBLIC, FORBIDDEN], [FORBIDDEN, PUBLIC], ['::ffff:127.0.0.1']];

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

/** Numbers from 0 up to 1 that are the same for the same seed (a linear congruential generator). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Answers every query independently. */
function fickleLookup(): LookupFunction {
  const random = seededRandom(SEED);
  return (hostname, options, callback) => {
    if (hostname !== 'receiver.test') return systemLookup(hostname, options, callback as never);
    const addresses = ANSWERS[Math.floor(random() * ANSWERS.length)] ?? [];
    const entries = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const [first] = entries;
    if (options.all) (callback as (error: null, found: typeof entries) => void)(null, entries);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** One port at both addresses; counts the connections to each. */
async function setup() {
  const hits = { [FORBIDDEN]: 0, [PUBLIC]: 0 };
  const server = createServer((asked, response) => {
    const address = asked.socket.localAddress?.replace('::ffff:', '') as keyof typeof hits;
    hits[address] += 1;
    response.end();
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  undo.push(() => server.close());
  const blockList = new BlockList();
  blockList.addAddress(FORBIDDEN);
  const { port } = server.address() as AddressInfo;
  const lookup = fickleLookup();
  /** Each request resolves the name again. */
  async function ask(dispatcher: Dispatcher): Promise<void> {
    const options = { dispatcher, reset: true, headers: { connection: 'close' } };
    const answer = await request(`http://receiver.test:${port}/`, options).catch(() => null);
    await answer?.body.dump();
  }
  const connect = (options: ConstructorParameters<typeof Agent>[0]): Agent => {
    const agent = new Agent(options);
    undo.push(() => agent.destroy());
    return agent;
  };
  return { hits, blockList, lookup, ask, connect };
}

test(`${REQUESTS} look-ups that change never lead to the forbidden address (seed ${SEED})`, async () => {
  const { hits, blockList, lookup, ask, connect } = await setup();
  const agent = connect({ connect: createCheckedConnector({ blockList, timeoutMs: 5_000, lookup }) });
  for (let sent = 0; sent < REQUESTS; sent++) await ask(agent);
  expect(hits[FORBIDDEN]).toBe(0);
  expect(hits[PUBLIC]).toBeGreaterThan(REQUESTS / 5);
}, 300_000);

test('a check before the connection would have been bypassed', async () => {
  const { hits, blockList, lookup, ask, connect } = await setup();
  const agent = connect({ connect: { lookup } });
  for (let sent = 0; sent < 100; sent++) {
    const checked = Promise.withResolvers<string>();
    lookup('receiver.test', { family: 4 }, (_error, address) =>
      checked.resolve(typeof address === 'string' ? address : ''),
    );
    if (!blockList.check((await checked.promise).replace('::ffff:', ''))) await ask(agent);
  }
  expect(hits[FORBIDDEN]).toBeGreaterThan(0);
});
