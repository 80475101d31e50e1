/** One webhook: its request, every attempt with the answer, and a button that sends it again. */
import type { DeliveryDetail } from '@parley/contracts';
import { Alert, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DeliveryAttempts, DeliveryStatus } from '../calls/delivery-attempts.tsx';
import { ResendButton } from '../calls/resend-button.tsx';
import { useTRPC } from '../client/admin-client.ts';
import { Facts } from '../ui/facts.tsx';
import { FullInstant } from '../ui/instant.tsx';
import { BackLink, TextLink } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import columns from '../ui/two-columns.module.css';
import { BodyText } from './body-text.tsx';
import { eventLabel, reasonText } from './delivery-labels.rules.ts';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/webhooks/$deliveryId');

/** How often the delivery is renewed while it is pending, milliseconds. */
const RENEWAL_MS = 2_000;

const WEBHOOKS_LINK = <BackLink to="/webhooks">{texts.page.back}</BackLink>;

function Details({ delivery }: { delivery: DeliveryDetail }): ReactNode {
  const { call_id: callId } = delivery;
  const call = callId !== null && (
    <TextLink to="/calls/$callId" params={{ callId }} size="sm">
      {texts.delivery.callLink(callId)}
    </TextLink>
  );
  const next = delivery.next_attempt_at;
  return (
    <Section title={texts.delivery.facts}>
      <Facts
        facts={[
          [texts.delivery.call, call],
          [texts.delivery.event, delivery.event],
          [texts.delivery.target, texts.delivery.targets[delivery.target]],
          [texts.delivery.endpoint, delivery.endpoint_id !== null && `#${delivery.endpoint_id}`],
          [texts.delivery.created, <FullInstant key="created" at={delivery.created_at} />],
          [texts.delivery.next, next && <FullInstant key="next" at={next} />],
          [texts.delivery.id, delivery.id],
        ]}
      />
    </Section>
  );
}

function Delivery({ delivery }: { delivery: DeliveryDetail }): ReactNode {
  const reason = reasonText(delivery.reason);
  return (
    <>
      <PageHeader
        title={eventLabel(delivery.event)}
        subtitle={<DeliveryStatus status={delivery.status} />}
        back={WEBHOOKS_LINK}
        actions={<ResendButton deliveryId={delivery.id} />}
      />
      <div className={columns['columns']}>
        <div className={columns['main']}>
          {reason && (
            <Alert color="yellow" variant="light">
              {reason}
            </Alert>
          )}
          <Section title={texts.delivery.attempts}>
            {delivery.attempts.length === 0 ? (
              <Text size="sm" c="dimmed">
                {texts.delivery.noAttempts}
              </Text>
            ) : (
              <DeliveryAttempts attempts={delivery.attempts} />
            )}
          </Section>
          <Section title={texts.delivery.request}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {texts.delivery.post(delivery.url)}
            </Text>
            <BodyText label={texts.delivery.body} text={JSON.stringify(delivery.payload, null, 2)} isTall />
          </Section>
        </div>
        <div className={columns['side']}>
          <Details delivery={delivery} />
        </div>
      </div>
    </>
  );
}

/** The page at `/webhooks/<id>`. */
export function DeliveryPage(): ReactNode {
  const { deliveryId } = route.useParams();
  const delivery = useQuery({
    ...useTRPC().webhooks.get.queryOptions({ id: deliveryId }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? RENEWAL_MS : false),
  });
  return (
    <QueryView
      query={delivery}
      pending={<Skeleton h={480} radius="lg" />}
      failureHeader={<PageHeader title={texts.page.title} back={WEBHOOKS_LINK} />}
    >
      {(data) => <Delivery delivery={data} key={data.id} />}
    </QueryView>
  );
}
