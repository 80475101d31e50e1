/** The status of a webhook, and its attempts with the answers of the receiver. */
import type { WebhookDelivery } from '@parley/contracts';
import type { ReactNode } from 'react';
import { formatClock, formatMilliseconds } from '../ui/format.rules.ts';
import classes from './deliveries.module.css';
import { texts } from './texts.ts';

type Attempt = WebhookDelivery['attempts'][number];

/** A coloured dot and a label. */
export function DeliveryStatus({ status }: Pick<WebhookDelivery, 'status'>): ReactNode {
  return (
    <span className={classes['status']} data-status={status}>
      {texts.deliveries.status[status]}
    </span>
  );
}

function attemptResult({ status, error }: Attempt): string {
  return status === null ? (error ?? texts.deliveries.noResponse) : `HTTP ${status}`;
}

function AttemptRow({ attempt }: { attempt: Attempt }): ReactNode {
  return (
    <li className={classes['attempt']}>
      <div className={classes['line']}>
        <span>
          {attempt.number}. {attemptResult(attempt)}
        </span>
        <span className={classes['minor']}>
          {formatClock(attempt.at)} · {formatMilliseconds(attempt.duration_ms)}
        </span>
      </div>
      {attempt.response_body && (
        <pre className={classes['body']} tabIndex={0} aria-label={texts.deliveries.response(attempt.number)}>
          {attempt.response_body}
        </pre>
      )}
    </li>
  );
}

/** Oldest first. */
export function DeliveryAttempts({ attempts }: Pick<WebhookDelivery, 'attempts'>): ReactNode {
  return (
    <ol className={classes['attempts']}>
      {attempts.map((attempt) => (
        <AttemptRow key={attempt.number} attempt={attempt} />
      ))}
    </ol>
  );
}
