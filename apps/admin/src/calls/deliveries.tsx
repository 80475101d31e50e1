/** The webhooks of a call, each with its attempts and responses, and a button to resend it. */
import type { CallDetail, WebhookDelivery } from '@parley/contracts';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatInstant } from '../ui/format.rules.ts';
import { Section } from '../ui/section.tsx';
import classes from './deliveries.module.css';
import { DeliveryAttempts, DeliveryStatus } from './delivery-attempts.tsx';
import { ResendButton } from './resend-button.tsx';
import { texts } from './texts.ts';

function Delivery({ delivery }: { delivery: WebhookDelivery }): ReactNode {
  return (
    <article className={classes['delivery']} data-testid="delivery" data-status={delivery.status}>
      <div className={classes['line']}>
        <span className={classes['event']}>{delivery.event}</span>
        <DeliveryStatus status={delivery.status} />
      </div>
      <div className={classes['minor']}>{delivery.url}</div>
      <div className={classes['minor']}>{texts.deliveries.id(delivery.id)}</div>
      {delivery.status === 'pending' && delivery.next_attempt_at && (
        <div className={classes['minor']}>
          {texts.deliveries.next(formatInstant(delivery.next_attempt_at))}
        </div>
      )}
      <DeliveryAttempts attempts={delivery.attempts} />
      <ResendButton deliveryId={delivery.id} />
    </article>
  );
}

/** Shows a note if there are none. */
export function Deliveries({ call }: { call: CallDetail }): ReactNode {
  const { webhook_deliveries: deliveries } = call;
  return (
    <Section title={texts.deliveries.title}>
      {deliveries.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.deliveries.empty}
        </Text>
      )}
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} />
      ))}
    </Section>
  );
}
