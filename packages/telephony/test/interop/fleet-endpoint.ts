/**
 * The SIP endpoint of a voice process as a process of its own, for the test of the fleet: it answers every call and reports what
 * happens. The first argument is the port of the proxy in front of it.
 */
import { silentLog, systemClock } from '@parley/runtime';
import { createRtpMediaFactory } from '../../src/rtp/rtp-media-factory.ts';
import { createSipEndpoint } from '../../src/sip/sip-endpoint.ts';

const HOST = '127.0.0.1';
const media = createRtpMediaFactory({ clock: systemClock, log: silentLog, ports: null });
const endpoint = createSipEndpoint({
  clock: systemClock,
  log: silentLog,
  listen: { host: HOST, port: 0 },
  front: { host: HOST, port: Number(process.argv[2]) },
  userAgent: 'Parley-test',
  media,
});

function report(message: Record<string, unknown>): void {
  process.send?.(message);
}

endpoint.onIncoming((leg, { sourceAddress }) => {
  report({ call: leg.id, sourceAddress });
  leg.onEvent(({ type }) => type === 'ended' && report({ ended: leg.id }));
  leg.ring();
  leg.answer().catch(() => process.exit(1));
});
process.on('message', (message) => {
  if (message === 'drain')
    endpoint.drain().then(
      () => report({ drained: true }),
      () => process.exit(1),
    );
});
process.on('disconnect', () => process.exit(0));

media.start();
await endpoint.start();
report({ port: endpoint.address().port });
