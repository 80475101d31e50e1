/** A telephone that belongs to nobody in the installation: it calls in, hears what it is told, and keeps the sound. */
import { createPhone, type Phone } from '@parley/phones';
import { silentLog, systemClock } from '@parley/runtime';

/** On 127.0.0.1, on a port of its own. Whoever starts it stops it. */
export async function startStranger(): Promise<Phone> {
  const phone = createPhone({
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    rtpPorts: null,
    logFile: null,
    keepsSound: true,
  });
  await phone.start();
  return phone;
}
