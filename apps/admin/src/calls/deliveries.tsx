/** The webhooks of a call, each with its attempts and responses, and a button to resend it. */
import type { CallDetail, WebhookDelivery } from '@parley/contracts';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatClock, formatInstant, formatMilliseconds } from '../ui/format.rules.ts';
import { Section } from '../ui/section.tsx';
import classes from './deliveries.module.css';
import { ResendButton } from './resend-button.tsx';
import { texts } from './texts.ts';

type Attempt = WebhookDelivery['attempts'][number];

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

function Delivery({ delivery, callId }: { delivery: WebhookDelivery; callId: number }): ReactNode {
  return (
    <article className={classes['delivery']} data-testid="delivery" data-status={delivery.status}>
      <div className={classes['line']}>
        <span className={classes['event']}>{delivery.event}</span>
        <span className={classes['status']} data-status={delivery.status}>
          {texts.deliveries.status[delivery.status]}
        </span>
      </div>
      <div className={classes['minor']}>{delivery.url}</div>
      <div className={classes['minor']}>{texts.deliveries.id(delivery.id)}</div>
      {delivery.status === 'pending' && delivery.next_attempt_at && (
        <div className={classes['minor']}>
          {texts.deliveries.next(formatInstant(delivery.next_attempt_at))}
        </div>
      )}
      <ol className={classes['attempts']}>
        {delivery.attempts.map((attempt) => (
          <AttemptRow key={attempt.number} attempt={attempt} />
        ))}
      </ol>
      <ResendButton deliveryId={delivery.id} callId={callId} />
    </article>
  );
}

/** Shows a note if there are none. */
export function Deliveries({ call }: { call: CallDetail }): ReactNode {
  const { id, webhook_deliveries: deliveries } = call;
  return (
    <Section title={texts.deliveries.title}>
      {deliveries.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.deliveries.empty}
        </Text>
      )}
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} callId={id} />
      ))}
    </Section>
  );
}
