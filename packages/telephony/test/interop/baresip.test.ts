/**
 * Our endpoint against baresip, with audio in both directions: baresip plays a tone of 440 Hz, we play 1000 Hz, and each side
 * must receive the tone of the other and nothing else.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tone, tonePurity } from '@parley/audio';
import { Baresip, isInstalled } from '@parley/testkit';
import type { CallLeg } from '../../src/call-leg.ts';
import type { DatagramTap } from '../../src/sip/agent-driver.ts';
import { TestEndpoint } from './test-endpoint.ts';

const hasBaresip = isInstalled('baresip');
const THEIR_TONE_HZ = 440;
const OUR_TONE_HZ = 1000;
/** Half a second of steady tone, after the start of the call has settled. */
const LISTEN_SAMPLES = 4000;
const SETTLE_SAMPLES = 4000;

const testLines: TestEndpoint[] = [];
afterEach(async () => {
  await Promise.all(testLines.splice(0).map((testEndpoint) => testEndpoint.close()));
});

async function setup(answerWith?: (leg: CallLeg) => void, onDatagram?: DatagramTap) {
  const testEndpoint = await TestEndpoint.open(answerWith, onDatagram);
  testLines.push(testEndpoint);
  const theirTone = tone({ hz: THEIR_TONE_HZ, sampleRateHz: 8000, samples: 160_000 });
  const baresip = await Baresip.start(testEndpoint, theirTone);
  const trunk = { host: '127.0.0.1', port: baresip.port };
  return { testEndpoint, baresip, trunk };
}

/** Plays our tone and collects received audio until there is enough of it. */
async function exchangeTones(leg: CallLeg): Promise<Int16Array> {
  leg.media.play(1, tone({ hz: OUR_TONE_HZ, sampleRateHz: 8000, samples: 40_000 }));
  const heard: number[] = [];
  return new Promise((resolve) => {
    leg.media.onTick((tick) => {
      heard.push(...tick.received);
      if (heard.length < SETTLE_SAMPLES + LISTEN_SAMPLES) return;
      resolve(Int16Array.from(heard.slice(SETTLE_SAMPLES, SETTLE_SAMPLES + LISTEN_SAMPLES)));
    });
  });
}

/** The steady middle of the recording of the other side. */
function middle(samples: Int16Array): Int16Array {
  const from = Math.max(0, Math.floor(samples.length / 2) - LISTEN_SAMPLES / 2);
  return samples.slice(from, from + LISTEN_SAMPLES);
}

async function expectBothTones(leg: CallLeg, baresip: Baresip, hangUp: () => Promise<void>): Promise<void> {
  const heard = await exchangeTones(leg);
  await hangUp();
  expect(tonePurity(heard, THEIR_TONE_HZ, 8000)).toBeGreaterThan(0.95);
  // baresip closes its file some time after the BYE.
  await vi.waitFor(
    async () => expect(tonePurity(middle(await baresip.heard()), OUR_TONE_HZ, 8000)).toBeGreaterThan(0.95),
    { timeout: 30_000, interval: 100 },
  );
}

describe.skipIf(!hasBaresip)('against baresip', () => {
  it.each(['udp', 'tcp'] as const)(
    'calls it over %s, both receive the other, and it hangs up',
    async (transport) => {
      const { testEndpoint, baresip, trunk } = await setup();
      const { leg, events } = testEndpoint.dial({ ...trunk, transport }, { to: 'phone' });
      await events.next('answered');
      await expectBothTones(leg, baresip, async () => {
        baresip.hangUp();
        expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
      });
    },
  );

  it.each(['udp', 'tcp'] as const)(
    'answers it over %s, both receive the other, and we hang up',
    async (transport) => {
      const answered = Promise.withResolvers<CallLeg>();
      const { testEndpoint, baresip } = await setup((leg) => {
        leg.ring();
        leg.answer().then(() => answered.resolve(leg), answered.reject);
      });
      const { host, port } = testEndpoint.endpoint.address();
      baresip.dial(`sip:+12025550101@${host}:${port};transport=${transport}`);
      const leg = await answered.promise;
      expect(leg).toMatchObject({ to: '+12025550101', from: 'phone' });
      await expectBothTones(leg, baresip, async () => {
        await leg.hangUp();
        expect(await testEndpoint.received[0]?.events.end()).toMatchObject({ cause: 'local-hang-up' });
      });
    },
  );
});

describe.skipIf(!hasBaresip)('a transfer by baresip', () => {
  const WAIT = { timeout: 10_000, interval: 20 };

  /** Baresip is in a call with us and transfers us to another endpoint of ours. */
  async function transferred() {
    const party = await TestEndpoint.open();
    testLines.push(party);
    const received: string[] = [];
    const { testEndpoint, baresip, trunk } = await setup(undefined, (direction, bytes) => {
      if (direction === 'in') received.push(Buffer.from(bytes).toString('latin1').split(' ', 1)[0] ?? '');
    });
    const { leg, events } = testEndpoint.dial(
      { ...trunk, transport: 'udp', acceptsRefer: true },
      { to: 'phone' },
    );
    await events.next('answered');
    const { host, port } = party.endpoint.address();
    // It ignores the order before it has received our ACK.
    await vi.waitFor(() => expect(baresip.output).toContain('Call established'), WAIT);
    baresip.transfer(`sip:+12025550199@${host}:${port}`);
    const { referral } = await events.next('referral');
    expect(referral).toMatchObject({ user: '+12025550199', host, isAttended: false });
    const target = { host, port, transport: 'udp' as const };
    const outcome = testEndpoint.endpoint.follow(referral, {
      from: '+12025550100',
      to: referral.user,
      sipCallId: 'party@parley.test',
      trunk: target,
      targets: await testEndpoint.endpoint.findTrunk(target),
      ringTimeoutMs: 10_000,
    });
    await vi.waitFor(() => expect(party.received).toHaveLength(1), WAIT);
    const [rang] = party.received;
    if (!rang) throw new Error('The party was not called');
    return { leg, events, received, outcome, rang };
  }

  it('connects us with the party, and it hangs up when it learns of the success', async () => {
    const { leg, events, outcome, rang, received } = await transferred();
    await rang.leg.answer();
    expect(await outcome).toEqual({ isConnected: true, sipStatus: 200 });
    await events.next('replaced');
    const heard = exchangeTones(rang.leg);
    leg.media.play(1, tone({ hz: THEIR_TONE_HZ, sampleRateHz: 8000, samples: 40_000 }));
    expect(tonePurity(await heard, THEIR_TONE_HZ, 8000)).toBeGreaterThan(0.95);
    expect(received).toContain('BYE');
    expect(events.types()).not.toContain('ended');
    await leg.hangUp();
    expect(await rang.events.end()).toMatchObject({ cause: 'remote-hang-up' });
  });

  it('learns of the failure, after which it hangs up', async () => {
    const { events, outcome, rang } = await transferred();
    rang.leg.reject(486);
    expect(await outcome).toEqual({ isConnected: false, sipStatus: 486 });
    expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(events.types()).not.toContain('replaced');
  });
});

/** Wideband: both sides play a tone that a narrowband codec cannot carry. */
describe.skipIf(!hasBaresip).each([
  { theirs: ['G722'] as const, ours: ['PCMU', 'G722'] as const, rateHz: 16_000 },
  { theirs: ['opus'] as const, ours: ['PCMU', 'opus'] as const, rateHz: 48_000 },
  { theirs: ['opus', 'PCMU'] as const, ours: ['opus', 'PCMU'] as const, rateHz: 48_000 },
])('against baresip with $theirs', ({ theirs, ours, rateHz }) => {
  const WIDE_HZ = { theirs: 5000, ours: 6000 };

  async function setupWide(answerWith?: (leg: CallLeg) => void) {
    const testEndpoint = await TestEndpoint.open(answerWith);
    testLines.push(testEndpoint);
    const theirTone = tone({ hz: WIDE_HZ.theirs, sampleRateHz: rateHz, samples: rateHz * 20 });
    return { testEndpoint, baresip: await Baresip.start(testEndpoint, theirTone, undefined, theirs) };
  }

  async function expectWideTones(leg: CallLeg, baresip: Baresip, hangUp: () => Promise<void>): Promise<void> {
    expect(leg.media.sampleRateHz).toBe(16_000);
    leg.media.play(1, tone({ hz: WIDE_HZ.ours, sampleRateHz: 16_000, samples: 80_000 }));
    const heard: number[] = [];
    await new Promise<void>((resolve) => {
      leg.media.onTick((tick) => {
        heard.push(...tick.received);
        if (heard.length >= 24_000) resolve();
      });
    });
    await hangUp();
    expect(tonePurity(Int16Array.from(heard.slice(12_000, 20_000)), WIDE_HZ.theirs, 16_000)).toBeGreaterThan(
      0.95,
    );
    await vi.waitFor(
      async () =>
        expect(tonePurity(middle(await baresip.heard()), WIDE_HZ.ours, rateHz)).toBeGreaterThan(0.9),
      { timeout: 30_000, interval: 100 },
    );
  }

  it('calls it', async () => {
    const { testEndpoint, baresip } = await setupWide();
    const trunk = { host: '127.0.0.1', port: baresip.port, transport: 'udp' as const };
    const { leg, events } = testEndpoint.dial({ ...trunk, codecs: [theirs[0], 'PCMU'] }, { to: 'phone' });
    await events.next('answered');
    await expectWideTones(leg, baresip, () => leg.hangUp());
  });

  it('answers it', async () => {
    const answered = Promise.withResolvers<CallLeg>();
    const { testEndpoint, baresip } = await setupWide((leg) => {
      leg.ring();
      leg.answer({ codecs: ours }).then(() => answered.resolve(leg), answered.reject);
    });
    const { host, port } = testEndpoint.endpoint.address();
    baresip.dial(`sip:+12025550101@${host}:${port}`);
    const leg = await answered.promise;
    await expectWideTones(leg, baresip, () => leg.hangUp());
  });
});
