/** The `MediaPort` suite against RTP: two legs on real sockets, in a real media worker. */
import { afterAll } from 'vitest';
import { silentLog, systemClock } from '@parley/runtime';
import { describeMediaPort } from '../../test/media-port-conformance.ts';
import type { MediaTarget } from '../media-factory.ts';
import { createRtpMediaFactory } from './rtp-media-factory.ts';

const HOST = '127.0.0.1';
const factory = createRtpMediaFactory({ clock: systemClock, log: silentLog, ports: null });

afterAll(() => factory.stop());

function targetOf(remotePort: number): MediaTarget {
  const agreed = {
    codec: 'PCMU',
    payloadType: 0,
    telephoneEventPayloadType: 101,
    direction: 'sendrecv',
  } as const;
  return { remoteHost: HOST, remotePort, ...agreed };
}

describeMediaPort('RTP', async () => {
  const near = await factory.openMedia({ localHost: HOST });
  const far = await factory.openMedia({ localHost: HOST });
  const heard: number[] = [];
  let wake = (): void => undefined;
  far.onTick((tick) => {
    heard.push(...tick.received);
    wake();
  });
  near.connect(targetOf(far.localPort));
  far.connect(targetOf(near.localPort));
  return {
    port: near,
    sayAtFarEnd: (samples) => far.play(1, samples),
    heardAtFarEnd: () => Int16Array.from(heard),
    passTime: () => new Promise<void>((resolve) => (wake = resolve)),
    async close() {
      near.close();
      far.close();
    },
  };
});
