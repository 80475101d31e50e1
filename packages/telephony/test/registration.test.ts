/** A registration against a strict registrar that misbehaves, in virtual time. */
import { afterEach, describe, expect, it } from 'vitest';
import { OUR_CONTACT, VirtualEndpoint, type VirtualOptions } from './registrar/virtual-endpoint.ts';

const HOUR_MS = 3_600_000;
const lines: VirtualEndpoint[] = [];

function setup(options: VirtualOptions = {}): VirtualEndpoint {
  const endpoint = new VirtualEndpoint(options);
  lines.push(endpoint);
  return endpoint;
}

// No test may end with a rule of SIP broken or with an error caught on the way.
afterEach(() => {
  for (const endpoint of lines.splice(0)) {
    expect(endpoint.registrar.problems).toEqual([]);
    expect(endpoint.faults).toEqual([]);
  }
});

const gaps = (times: readonly number[]): number[] =>
  times.slice(1).map((time, index) => time - (times[index] ?? 0));
const statuses = (endpoint: VirtualEndpoint): number[] =>
  endpoint.registrar.exchanges.map(({ status }) => status);

describe('a registration', () => {
  it.each([
    ['MD5', true],
    ['MD5', false],
    ['SHA-256', true],
  ] as const)('answers a challenge with %s, qop: %s', async (algorithm, hasQop) => {
    const endpoint = setup({ algorithm, hasQop });
    const registration = endpoint.register();
    expect(registration.status).toEqual({
      state: 'registering',
      expiresAt: null,
      lastError: null,
      statusCode: null,
    });
    await endpoint.until(registration, 'registered');
    expect(statuses(endpoint)).toEqual([401, 200]);
    expect(endpoint.registrar.exchanges[0]?.expires).toBe(300);
    expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
    expect(registration.status).toMatchObject({ lastError: null, statusCode: 200 });
    const leftMs = (registration.status.expiresAt?.getTime() ?? 0) - endpoint.clock.now();
    expect(leftMs).toBeGreaterThan(299_000);
    expect(leftMs).toBeLessThanOrEqual(300_000);
    expect(endpoint.statuses).toEqual([registration.status]);
  });

  it('refreshes at a random 50 to 90 % of the time granted, and never lapses', async () => {
    const endpoint = setup({ nonceLifeMs: 400_000 });
    endpoint.registrar.maxSeconds = 120;
    const registration = endpoint.register();
    await endpoint.until(registration, 'registered');
    for (let minute = 0; minute < 120; minute += 1) {
      await endpoint.advance(60_000);
      expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
    }
    const waits = gaps(endpoint.attemptTimes());
    expect(waits.length).toBeGreaterThan(65);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(60_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(108_100);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(30_000);
    expect(endpoint.statuses.map(({ state }) => state)).not.toContain('failed');
    // A nonce is used until it is stale, and a stale one costs one more request.
    expect(statuses(endpoint).filter((status) => status === 401).length).toBeLessThan(30);
  });

  it('answers a nonce that is stale at each refresh', async () => {
    const endpoint = setup({ nonceLifeMs: 10_000 });
    await endpoint.until(endpoint.register(), 'registered');
    await endpoint.advance(HOUR_MS);
    expect(new Set(endpoint.statuses.map(({ state }) => state))).toEqual(new Set(['registered']));
    expect(statuses(endpoint).slice(0, 6)).toEqual([401, 200, 401, 200, 401, 200]);
  });

  it('answers a nonce that is stale at once, but not forever', async () => {
    const endpoint = setup();
    endpoint.registrar.digest.falseStales = 1;
    await endpoint.until(endpoint.register(), 'registered');
    expect(statuses(endpoint)).toEqual([401, 401, 200]);
    const other = setup();
    other.registrar.digest.falseStales = 100;
    const registration = other.register();
    await other.until(registration, 'failed');
    expect(statuses(other)).toEqual([401, 401, 401]);
    expect(registration.status).toMatchObject({
      statusCode: 401,
      lastError: expect.stringContaining('stale'),
    });
  });

  it('outlives a restart of the registrar that loses bindings, nonces and realm', async () => {
    const endpoint = setup();
    const registration = endpoint.register();
    for (let restart = 0; restart < 12; restart += 1) {
      endpoint.registrar.restart(`realm-${restart}`);
      await endpoint.advance(300_000);
      expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
      expect(registration.status.state).toBe('registered');
    }
  });

  it('that is abandoned sends nothing more, and leaves its Contact', async () => {
    const endpoint = setup();
    const registration = endpoint.register();
    await endpoint.until(registration, 'registered');
    const sent = endpoint.registrar.exchanges.length;
    registration.abandon();
    await registration.stop();
    expect(registration.status).toMatchObject({ state: 'stopped', lastError: null, statusCode: null });
    await endpoint.advance(200_000);
    expect(endpoint.registrar.exchanges).toHaveLength(sent);
    expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
  });

  it('refuses bad values', () => {
    const endpoint = setup();
    for (const expiresSeconds of [0, -1, 1.5, 86_401, NaN])
      expect(() => endpoint.register({ expiresSeconds })).toThrow(RangeError);
    expect(() => endpoint.register({ username: '' })).toThrow(RangeError);
    expect(() => endpoint.register({ domain: 'a b' })).toThrow('not a URI');
    expect(() => endpoint.register({ domain: 'a>\r\nX: y' })).toThrow();
  });
});

describe('the time that a registration is granted', () => {
  const contact = (uri: string, expires: string) => ({ name: 'Contact', value: `<${uri}>${expires}` });
  const header = (value: string) => ({ name: 'Expires', value });

  it.each([
    ['at our Contact', [contact(OUR_CONTACT, ';expires=90'), header('30')], 90],
    [
      'at our Contact among those of others',
      [contact('sip:alice@10.0.0.2', ';expires=5'), contact(`${OUR_CONTACT};x=y`, ';q=0.5;expires=80')],
      80,
    ],
    ['at a Contact that is written in another way', [contact('SIP:alice@10.0.0.1', ';expires=70')], 70],
    ['at the only Contact, which was rewritten', [contact('sip:alice@192.0.2.1:4711', ';expires=60')], 60],
    ['in Expires', [contact(OUR_CONTACT, ''), header('50')], 50],
    ['in Expires, without a Contact', [header('45')], 45],
    [
      'in Expires, beside Contacts of others',
      [contact('sip:a@10.0.0.2', ';expires=5'), contact('sip:b@10.0.0.3', ';expires=6'), header('55')],
      55,
    ],
    ['nowhere', [contact(OUR_CONTACT, '')], 300],
    ['in a malformed way', [contact(OUR_CONTACT, ';expires=soon'), contact('<>', ';;'), header('-1')], 300],
  ])('is read %s', async (_, headers, seconds) => {
    const endpoint = setup();
    endpoint.registrar.grantHeaders = () => headers;
    const registration = endpoint.register();
    await endpoint.until(registration, 'registered');
    const leftMs = (registration.status.expiresAt?.getTime() ?? 0) - endpoint.clock.now();
    expect(Math.ceil(leftMs / 1000)).toBe(seconds);
  });

  it('may not be zero', async () => {
    const endpoint = setup();
    endpoint.registrar.grantHeaders = () => [contact(OUR_CONTACT, ';expires=0')];
    const registration = endpoint.register();
    await endpoint.until(registration, 'failed');
    expect(registration.status).toMatchObject({ statusCode: 200, expiresAt: null });
  });

  it('may be so short that only one request a second keeps it', async () => {
    const endpoint = setup();
    endpoint.registrar.grantHeaders = () => [contact(OUR_CONTACT, ';expires=1')];
    endpoint.register();
    await endpoint.advance(60_000);
    expect(Math.min(...gaps(endpoint.attemptTimes().slice(1)))).toBeGreaterThanOrEqual(1000);
  });

  it('is asked for as Min-Expires of a 423 demands, from then on', async () => {
    const endpoint = setup();
    endpoint.registrar.minSeconds = 1800;
    const registration = endpoint.register({ expiresSeconds: 60 });
    await endpoint.until(registration, 'registered');
    expect(statuses(endpoint)).toEqual([401, 423, 200]);
    await endpoint.advance(1_800_000);
    expect(endpoint.registrar.exchanges.map(({ expires }) => expires)).toEqual([60, 60, 1800, 1800]);
    expect(endpoint.statuses.map(({ state }) => state)).toEqual(['registered', 'registered']);
  });

  it.each([
    ['no time', []],
    ['less', [{ name: 'Min-Expires', value: '10' }]],
  ])('fails when a 423 demands %s', async (_, headers) => {
    const endpoint = setup();
    endpoint.registrar.script.push({ status: 423, headers });
    const registration = endpoint.register();
    await endpoint.until(registration, 'failed');
    expect(registration.status.statusCode).toBe(423);
    await endpoint.until(registration, 'registered');
  });

  it('fails when the demands of a registrar grow with each request', async () => {
    const endpoint = setup();
    for (let seconds = 301; seconds < 400; seconds += 1)
      endpoint.registrar.script.push({
        status: 423,
        headers: [{ name: 'Min-Expires', value: String(seconds) }],
      });
    const registration = endpoint.register();
    await endpoint.until(registration, 'failed');
    expect(statuses(endpoint)).toEqual([401, 423, 423]);
  });
});

describe('a registration that is refused', () => {
  it('waits five minutes after wrong credentials, which it sends once', async () => {
    const endpoint = setup();
    endpoint.registrar.password = 'another';
    const registration = endpoint.register();
    await endpoint.until(registration, 'failed');
    expect(registration.status).toMatchObject({
      statusCode: 401,
      lastError: 'The registrar does not accept the user name or the password',
    });
    await endpoint.advance(295_000);
    expect(statuses(endpoint)).toEqual([401, 401]);
    endpoint.registrar.password = 'secret';
    await endpoint.until(registration, 'registered');
    expect(gaps(endpoint.registrar.exchanges.map(({ atMs }) => atMs))[1]).toBeGreaterThanOrEqual(300_000);
    expect(registration.status.lastError).toBeNull();
  });

  it.each([
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [603, 'Decline'],
  ])('waits five minutes after %d and names it', async (status, reason) => {
    const endpoint = setup();
    endpoint.registrar.script.push({ status });
    const registration = endpoint.register();
    await endpoint.until(registration, 'failed');
    expect(registration.status).toEqual({
      state: 'failed',
      expiresAt: null,
      statusCode: status,
      lastError: `The registrar refuses the registration: ${status} ${reason}`,
    });
    await endpoint.until(registration, 'registered');
    expect(gaps(endpoint.attemptTimes())[0]).toBeGreaterThanOrEqual(300_000);
  });

  it('names the target of a redirection and does not follow it', async () => {
    const endpoint = setup();
    const target = { name: 'Contact', value: '<sip:other.test:5080>' };
    endpoint.registrar.script.push({ status: 302, headers: [target] });
    const registration = endpoint.register();
    await endpoint.until(registration, 'failed');
    expect(registration.status).toMatchObject({
      statusCode: 302,
      lastError: expect.stringContaining('sip:other.test:5080'),
    });
  });

  it.each([
    ['120', 120_000, 132_100],
    ['40 (in maintenance);duration=60', 40_000, 44_100],
    ['0', 30_000, 60_100],
    ['never', 30_000, 60_100],
    ['1', 5000, 5600],
    ['999999', 3_600_000, 3_960_100],
  ])('honours Retry-After %s of a 503', async (value, shortestMs, longestMs) => {
    const endpoint = setup();
    endpoint.registrar.script.push({ status: 503, headers: [{ name: 'Retry-After', value }] });
    const registration = endpoint.register();
    await endpoint.until(registration, 'failed');
    expect(registration.status.statusCode).toBe(503);
    await endpoint.until(registration, 'registered');
    const [waitMs = 0] = gaps(endpoint.attemptTimes());
    expect(waitMs).toBeGreaterThanOrEqual(shortestMs);
    expect(waitMs).toBeLessThanOrEqual(longestMs);
  });

  it('keeps the time of its last grant when a refresh is refused', async () => {
    const endpoint = setup();
    const registration = endpoint.register();
    await endpoint.until(registration, 'registered');
    const { expiresAt } = registration.status;
    endpoint.registrar.script.push({ status: 500 });
    await endpoint.until(registration, 'failed');
    expect(registration.status.expiresAt?.getTime()).toBeCloseTo(expiresAt?.getTime() ?? 0, -1);
    await endpoint.until(registration, 'registered');
  });
});

describe('a registration without answers', () => {
  it('tries again with the back-off of RFC 5626, and registers when the registrar is back', async () => {
    const endpoint = setup();
    endpoint.registrar.isDown = true;
    const registration = endpoint.register();
    await endpoint.until(registration, 'failed');
    expect(registration.status).toMatchObject({
      statusCode: null,
      lastError: 'The registrar does not answer',
    });
    await endpoint.advance(3 * HOUR_MS);
    // The wait begins when 64*T1 = 32 s have passed without an answer.
    const first = new Map(
      endpoint.sent.map(({ text, atMs }) => [/branch=(\w+)/.exec(text)?.[1], atMs] as const).toReversed(),
    );
    const waits = gaps([...first.values()].toReversed()).map((gap) => gap - 32_000);
    const bounds = [60_000, 120_000, 240_000, 300_000, 300_000];
    for (const [index, bound] of bounds.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(bound / 2);
      expect(waits[index]).toBeLessThanOrEqual(bound + 100);
    }
    endpoint.registrar.isDown = false;
    await endpoint.advance(340_000);
    expect(registration.status.state).toBe('registered');
  });

  it.each([
    [0.3, 2000, 3],
    [0.1, 5000, 7],
  ])('holds over a network with a loss of %d and delays of up to %d ms', async (loss, delayMs, seed) => {
    const endpoint = setup({ loss, delayMs, seed, nonceLifeMs: 100_000 });
    endpoint.register();
    await endpoint.advance(60_000);
    for (let minute = 0; minute < 120; minute += 1) {
      await endpoint.advance(60_000);
      expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
    }
  });

  it('learns nothing from an answer that comes after the request has timed out', async () => {
    const endpoint = setup({ delayMs: 1 });
    const held: string[] = [];
    endpoint.onAnswer = (text) => {
      held.push(text);
      return 'lost';
    };
    const registration = endpoint.register();
    await endpoint.advance(33_000);
    expect(registration.status.state).toBe('failed');
    for (const text of held) endpoint.inject(text.replace('401 Unknown', '200 OK'));
    await endpoint.advance(1000);
    expect(registration.status).toMatchObject({ state: 'failed', expiresAt: null });
    endpoint.onAnswer = (text) => text;
    await endpoint.until(registration, 'registered');
  });

  it.each([
    ['another branch', /branch=z9hG4bK/, 'branch=z9hG4bKx'],
    ['another Call-ID', /Call-ID: /, 'Call-ID: x'],
    ['another CSeq number', /CSeq: /, 'CSeq: 9'],
    ['another From tag', /(From: .*tag=)/, '$1x'],
  ])('learns nothing from an answer with %s', async (_, pattern, replacement) => {
    const endpoint = setup();
    endpoint.onAnswer = (text) => text.replace('401 Unknown', '200 OK').replace(pattern, replacement);
    const registration = endpoint.register();
    await endpoint.advance(35_000);
    expect(registration.status).toMatchObject({ state: 'failed', statusCode: null, expiresAt: null });
    endpoint.onAnswer = (text) => text;
    await endpoint.until(registration, 'registered');
  });

  it('fails when the registrar has no address, and tries again', async () => {
    const endpoint = setup();
    endpoint.lookupFault = new Error('The trunk has an address that is not allowed');
    const registration = endpoint.register();
    await endpoint.until(registration, 'failed');
    expect(registration.status.lastError).toContain('an address that is not allowed');
    expect(endpoint.sent).toEqual([]);
    endpoint.lookupFault = null;
    await endpoint.until(registration, 'registered');
  });

  it('survives an owner that throws', async () => {
    const endpoint = setup();
    const registration = endpoint.register({
      onChange: () => {
        throw new Error('The owner has failed');
      },
    });
    await endpoint.advance(HOUR_MS);
    expect(registration.status.state).toBe('registered');
  });
});

describe('the end of a registration', () => {
  it('removes the Contact and leaves nothing behind', async () => {
    const endpoint = setup();
    const registration = endpoint.register();
    await endpoint.until(registration, 'registered');
    const stopped = registration.stop();
    expect(registration.stop()).toBe(stopped);
    await endpoint.advance(100);
    await stopped;
    expect(endpoint.registrar.contacts()).toEqual([]);
    expect(endpoint.registrar.exchanges.at(-1)).toMatchObject({ expires: 0, status: 200 });
    expect(registration.status).toEqual({
      state: 'stopped',
      expiresAt: null,
      lastError: null,
      statusCode: 200,
    });
    await endpoint.advance(6000);
    expect(endpoint.clock.pendingTimers()).toBe(0);
    expect(endpoint.agent.load()).toMatchObject({ transactions: 0, timers: 0 });
  });

  it('answers a stale nonce on its way out', async () => {
    const endpoint = setup({ nonceLifeMs: 5000 });
    const registration = endpoint.register();
    await endpoint.until(registration, 'registered');
    await endpoint.advance(20_000);
    const stopped = registration.stop();
    await endpoint.advance(100);
    await stopped;
    expect(endpoint.registrar.contacts()).toEqual([]);
  });

  it('takes two seconds without an answer, and sends nothing after them', async () => {
    const endpoint = setup();
    const registration = endpoint.register();
    await endpoint.until(registration, 'registered');
    endpoint.registrar.isDown = true;
    const stopped = registration.stop();
    await endpoint.advance(1950);
    expect(registration.status.state).toBe('registered');
    await endpoint.advance(100);
    await stopped;
    expect(registration.status).toMatchObject({
      state: 'stopped',
      lastError: expect.stringContaining('not confirmed'),
      expiresAt: expect.any(Date),
    });
    const { length } = endpoint.sent;
    await endpoint.advance(HOUR_MS, 1000);
    expect(endpoint.sent).toHaveLength(length);
    expect(endpoint.clock.pendingTimers()).toBe(0);
  });

  it('waits for the answer to a request that is under way, and takes it back', async () => {
    const endpoint = setup({ delayMs: 300 });
    const registration = endpoint.register();
    await endpoint.advance(50);
    const stopped = registration.stop();
    await endpoint.advance(2050);
    await stopped;
    expect(endpoint.registrar.exchanges.map(({ expires, status }) => [expires, status])).toEqual([
      [300, 401],
      [300, 200],
      [0, 200],
    ]);
    expect(endpoint.statuses.map(({ state }) => state)).toEqual(['stopped']);
  });

  it('sends nothing when the registrar holds nothing', async () => {
    const endpoint = setup();
    endpoint.registrar.script.push({ status: 403 });
    const registration = endpoint.register();
    await endpoint.until(registration, 'failed');
    const { length } = endpoint.sent;
    await registration.stop();
    expect(endpoint.sent).toHaveLength(length);
    expect(registration.status.state).toBe('stopped');
    await endpoint.advance(HOUR_MS, 1000);
    expect(endpoint.sent).toHaveLength(length);
  });

  it('removes a Contact of which only the answer was lost', async () => {
    const endpoint = setup();
    endpoint.onAnswer = (text) => (text.includes(' 200 ') ? 'lost' : text);
    const registration = endpoint.register();
    await endpoint.until(registration, 'failed');
    expect(endpoint.registrar.contacts()).toEqual([OUR_CONTACT]);
    endpoint.onAnswer = (text) => text;
    const stopped = registration.stop();
    await endpoint.advance(100);
    await stopped;
    expect(endpoint.registrar.contacts()).toEqual([]);
  });
});
