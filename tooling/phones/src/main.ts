/** The simulated phone network: the default trunk of a fresh installation. `phone-book.rules.ts` lists its numbers. */
import { createLog, runProcess, systemClock } from '@parley/runtime';
import { findCharacter } from './phone-book.rules.ts';
import { createPhone } from './phone.ts';
import { readSettings } from './settings.ts';

await runProcess(async () => {
  const settings = readSettings(process.env);
  const log = createLog({
    name: 'phones',
    level: settings.LOG_LEVEL,
    includePersonalData: settings.LOG_PERSONAL_DATA,
  });
  const book = {
    seed: settings.PHONES_SEED,
    ringMs: settings.PHONES_RING_MS,
    answerRate: settings.PHONES_ANSWER_RATE,
    talkMs: settings.PHONES_TALK_MS,
  };
  const phone = createPhone({
    clock: systemClock,
    log,
    listen: settings.PHONES_LISTEN,
    rtpPorts: settings.PHONES_RTP_PORTS,
    logFile: settings.PHONES_LOG,
    findCharacter: (number) => findCharacter(number, book),
  });
  const service = {
    async start() {
      await phone.start();
      log.info({ ...phone.address(), logFile: settings.PHONES_LOG }, 'The test phones are ready');
    },
    stop: () => phone.stop(),
  };
  return { service, log };
});
