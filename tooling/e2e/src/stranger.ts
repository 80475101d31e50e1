/** A telephone outside the installation: it places a call and stores the received audio. */
import { createPhone, type Phone } from '@parley/phones';
import { silentLog, systemClock } from '@parley/runtime';

/** Listens on 127.0.0.1 on a free port. The caller stops it. */
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
