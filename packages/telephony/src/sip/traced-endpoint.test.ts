import { systemClock, silentLog } from '@parley/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { SilentMediaFactory } from '../../test/silent-media.ts';
import type { CallLeg } from '../call-leg.ts';
import { createSipEndpoint } from './sip-endpoint.ts';
import type { SipEndpoint } from './sip-endpoint-port.ts';

async function openEndpoint(): Promise<SipEndpoint> {
  const endpoint = createSipEndpoint({
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    userAgent: 'Parley',
    media: new SilentMediaFactory(),
  });
  await endpoint.start();
  onTestFinished(() => endpoint.stop());
  return endpoint;
}

test('both lines of a call keep its messages from the INVITE to the response to the BYE, without the password', async () => {
  const [near, far] = [await openEndpoint(), await openEndpoint()];
  const incoming = new Promise<CallLeg>((resolve) => {
    far.onIncoming(resolve);
  });
  const trunk = { ...far.address(), transport: 'udp', username: 'u', password: 'p' } as const;
  near.dial({ from: '1', to: '2', sipCallId: 'traced@test', trunk, ringTimeoutMs: 5_000 });
  const leg = await incoming;
  await leg.answer();
  await leg.hangUp();
  const [ofNear, ofFar] = await Promise.all([
    near.diagnostics.takeTrace('traced@test'),
    far.diagnostics.takeTrace('traced@test'),
  ]);
  const lines = (trace: typeof ofNear, isSent: boolean) =>
    trace?.messages.filter((message) => message.isSent === isSent).map(({ text }) => text.split(/[ \r]/)[1]);
  expect(lines(ofNear, true)).toEqual(lines(ofFar, false));
  expect(lines(ofNear, false)).toEqual(lines(ofFar, true));
  const starts = ofNear?.messages.map(({ text }) => text.split(' ')[0]) ?? [];
  expect([starts[0], starts.at(-2), starts.at(-1)]).toEqual(['INVITE', 'BYE', 'SIP/2.0']);
  const addressOf = ({ host, port }: { host: string; port: number }) => ({ host, port });
  const [local, remote] = [addressOf(near.address()), addressOf(far.address())];
  expect(ofNear?.messages[0]).toMatchObject({ local, remote, isSent: true });
  expect(await near.diagnostics.takeTrace('traced@test')).toBeNull();
});
