/** Writes the messages of the job queue to our log. They contain values, so they are logged as a field. */
import type { Log } from '@parley/runtime';
import { Logger } from 'graphile-worker';

export function createQueueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const fields = { text: message, ...(meta?.['error'] === undefined ? {} : { err: meta['error'] }) };
    if (level === 'error') log.error(fields, 'The job queue reported an error');
    else if (level === 'warning') log.info(fields, 'The job queue reported a warning');
    else log.debug(fields, 'The job queue reported');
  });
}
