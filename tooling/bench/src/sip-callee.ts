/**
 * The measured callee of `bench:sip`: the SIP endpoint of the product, which rings, answers, and is hung up on. Media opens no
 * socket, because signalling alone is measured. Sends `{ port }` over IPC when it accepts calls.
 */
import { BackgroundWork, silentLog, systemClock } from '@parley/runtime';
import { createSipEndpoint, type RtpMedia } from '@parley/telephony';
import { FakeMedia } from '@parley/telephony/fakes';

/** All calls come from one address, which the product would limit to about 150 calls per second. */
const NO_LIMIT = { perSecond: 1e6, burst: 1e6 };

class NoMedia extends FakeMedia implements RtpMedia {
  readonly localPort = 40_000;
  connect(): void {}
  sendDtmf(): void {}
  onDtmf(): void {}
  onSilence(): void {}
  close(): void {}
}

const background = new BackgroundWork(silentLog);
const endpoint = createSipEndpoint({
  clock: systemClock,
  log: silentLog,
  listen: { host: '127.0.0.1', port: 0 },
  userAgent: 'Parley-bench',
  media: { openMedia: () => Promise.resolve(new NoMedia()) },
  rateLimit: NO_LIMIT,
});
endpoint.onIncoming((leg) => {
  leg.ring();
  background.start('answer a call', () => leg.answer());
});
await endpoint.start();
process.send?.({ port: endpoint.address().port });
