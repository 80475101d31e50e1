/** Both suites against legs over real SIP and RTP: two lines on loopback that call each other. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { silentLog, systemClock } from '@parley/runtime';
import type { CallLeg } from '../src/call-leg.ts';
import { createRtpMediaFactory } from '../src/rtp/rtp-media-factory.ts';
import { createSipLine } from '../src/sip/sip-line.ts';
import type { SipLine } from '../src/sip/sip-line-port.ts';
import { describeCallLeg } from './call-leg-conformance.ts';
import { describeMediaPort } from './media-port-conformance.ts';

const HOST = '127.0.0.1';
const media = createRtpMediaFactory({ clock: systemClock, log: silentLog, ports: null });
let near: SipLine;
let far: SipLine;

function makeLine(): SipLine {
  const listen = { host: HOST, port: 0 };
  return createSipLine({ clock: systemClock, log: silentLog, listen, media, userAgent: 'Parley-Test' });
}

beforeAll(async () => {
  near = makeLine();
  far = makeLine();
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
