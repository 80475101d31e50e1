/** A process is lost in the middle of a call, and another one goes on with it, from another address. */
import { tone, tonePurity } from '@parley/audio';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallLeg, StoredDialog } from '../../src/call-leg.ts';
import { LegEvents } from '../leg-events.ts';
import { TestEndpoint } from './test-endpoint.ts';

const SETTLE_SAMPLES = 4000;
const LISTEN_SAMPLES = 4000;

const testLines: TestEndpoint[] = [];
afterEach(async () => {
  await Promise.all(testLines.splice(0).map((testEndpoint) => testEndpoint.close()));
});

async function openEndpoint(answerWith?: (leg: CallLeg) => void): Promise<TestEndpoint> {
  const testEndpoint = await TestEndpoint.open(answerWith);
  testLines.push(testEndpoint);
  return testEndpoint;
}

/** As core does it, which does not know what the lost process has sent last. */
function claimed(dialog: StoredDialog | null): StoredDialog {
  if (!dialog) throw new Error('The call has no dialog');
  return JSON.parse(JSON.stringify({ ...dialog, localSequence: dialog.localSequence + 100 })) as StoredDialog;
}

function resume(
  { endpoint }: TestEndpoint,
  dialog: StoredDialog | null,
  { direction, trunk }: { direction: 'inbound' | 'outbound'; trunk: { host: string; port: number } },
) {
  const leg = endpoint.resume({
    dialog: claimed(dialog),
    direction,
    from: '+12025550100',
    to: '+12025550101',
    trunk: { ...trunk, transport: 'udp' },
    limitMs: 10_000,
  });
  return { leg, events: new LegEvents(leg) };
}

async function heardBy(leg: CallLeg): Promise<Int16Array> {
  const heard: number[] = [];
  return new Promise((resolve) => {
    leg.media.onTick((tick) => {
      heard.push(...tick.received);
      if (heard.length >= SETTLE_SAMPLES + LISTEN_SAMPLES)
        resolve(Int16Array.from(heard.slice(SETTLE_SAMPLES, SETTLE_SAMPLES + LISTEN_SAMPLES)));
    });
  });
}

describe('a call between our own endpoints', () => {
  it.each(['outbound', 'inbound'] as const)(
    '%s: goes on with sound in both directions',
    async (direction) => {
      const [lost, next] = [await openEndpoint(answerAtOnce), await openEndpoint()];
      const far = await openEndpoint(answerAtOnce);
      const [caller, callee] = direction === 'outbound' ? [lost, far] : [far, lost];
      const trunk = callee.endpoint.address();
      const { events } = caller.dial({ ...trunk, transport: 'udp' });
      const { dialog: ofCaller } = await events.next('answered');
      const ofCallee = (await callee.received[0]?.events.next('answered'))?.dialog ?? null;
      const farLeg = direction === 'outbound' ? far.received[0]?.leg : undefined;
      const dialog = direction === 'outbound' ? ofCaller : ofCallee;
      const resumed = resume(next, dialog, { direction, trunk: far.endpoint.address() });
      await resumed.events.next('answered');
      const before = farLeg?.media.stats().packetsReceived ?? 0;
      resumed.leg.media.play(1, tone({ hz: 1000, sampleRateHz: 8000, samples: 40_000 }));
      if (farLeg) {
        expect(tonePurity(await heardBy(farLeg), 1000, 8000)).toBeGreaterThan(0.95);
        expect(farLeg.media.stats().packetsReceived).toBeGreaterThan(before);
      }
      await resumed.leg.hangUp();
      const farEvents = direction === 'outbound' ? far.received[0]?.events : events;
      expect(await farEvents?.end()).toMatchObject({ cause: 'remote-hang-up' });
    },
  );
});

function answerAtOnce(leg: CallLeg): void {
  void leg.answer();
}
