/** SIP endpoints over real sockets, whose calls have no sound. */
import { silentLog, systemClock } from '@parley/runtime';
import { onTestFinished } from 'vitest';
import { createSipEndpoint } from '../src/sip/sip-endpoint.ts';
import type { SipEndpoint } from '../src/sip/sip-endpoint-port.ts';
import { SilentMediaFactory } from './silent-media.ts';

/** Stops with the present test. */
export async function startSilentEndpoint(
  host = '127.0.0.1',
): Promise<{ endpoint: SipEndpoint; media: SilentMediaFactory }> {
  const media = new SilentMediaFactory();
  const endpoint = createSipEndpoint({
    clock: systemClock,
    log: silentLog,
    listen: { host, port: 0 },
    userAgent: 'Test',
    media,
  });
  await endpoint.start();
  onTestFinished(() => endpoint.stop());
  return { endpoint, media };
}
