/** The job queue's own messages in our log. Its sentences hold values, so they go into a field. */
import type { Log } from '@parley/runtime';
import { Logger } from 'graphile-worker';

export function createQueueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const fields = { text: message, ...(meta?.['error'] === undefined ? {} : { err: meta['error'] }) };
    if (level === 'error') log.error(fields, 'The job queue reported an error');
    else if (level === 'warning') log.info(fields, 'The job queue warned');
    else log.debug(fields, 'The job queue said');
  });
}
