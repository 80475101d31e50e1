/** Both suites against legs over real SIP and RTP: two lines on loopback that call each other. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { silentLog, systemClock } from '@parley/runtime';
import type { CallLeg } from '../src/call-leg.ts';
import { createRtpMediaFactory } from '../src/rtp/rtp-media-factory.ts';
import { createSipEndpoint } from '../src/sip/sip-endpoint.ts';
import type { SipEndpoint } from '../src/sip/sip-endpoint-port.ts';
import { describeCallLeg } from './call-leg-conformance.ts';
import { describeMediaPort } from './media-port-conformance.ts';

const HOST = '127.0.0.1';
const media = createRtpMediaFactory({ clock: systemClock, log: silentLog, ports: null });
let near: SipEndpoint;
let far: SipEndpoint;

function makeEndpoint(): SipEndpoint {
  const listen = { host: HOST, port: 0 };
  return createSipEndpoint({ clock: systemClock, log: silentLog, listen, media, userAgent: 'Parley-Test' });
}

beforeAll(async () => {
  near = makeEndpoint();
  far = makeEndpoint();
  await Promise.all([near.start(), far.start()]);
});

afterAll(async () => {
  await Promise.all([near.stop(), far.stop()]);
  await media.stop();
});

/** `caller` is the leg of the far end, `leg` is ours and not answered yet. */
async function receiveCall(): Promise<{ leg: CallLeg; caller: CallLeg }> {
  const incoming = new Promise<CallLeg>((resolve) => near.onIncoming(resolve));
  const trunk = { host: HOST, port: near.address().port, transport: 'udp' } as const;
  const sipCallId = `${randomUUID()}@test`;
  const caller = far.dial({
    from: '+12025550100',
    to: '+12025550101',
    sipCallId,
    trunk,
    ringTimeoutMs: 30_000,
  });
  return { leg: await incoming, caller };
}

describeCallLeg('SIP', async () => {
  const { leg, caller } = await receiveCall();
  return {
    leg,
    hangUpAtFarEnd: () => caller.hangUp(),
    pressAtFarEnd: (digit) => caller.sendDtmf(digit),
    close: () => caller.hangUp(),
  };
});

describeMediaPort('SIP', async () => {
  const { leg, caller } = await receiveCall();
  const heard: number[] = [];
  let wake = (): void => undefined;
  caller.media.onTick((tick) => {
    heard.push(...tick.received);
    wake();
  });
  await leg.answer();
  return {
    port: leg.media,
    sayAtFarEnd: (samples) => caller.media.play(1, samples),
    heardAtFarEnd: () => Int16Array.from(heard),
    passTime: () => new Promise<void>((resolve) => (wake = resolve)),
    close: () => caller.hangUp(),
  };
});
