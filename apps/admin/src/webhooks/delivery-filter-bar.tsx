/** The filters above the webhooks. */
import { deliveryEvents } from '@parley/contracts';
import type { ReactNode } from 'react';
import { texts as callTexts } from '../calls/texts.ts';
import { ChoiceFilter, DayFilter, FilterBar, type FilterBarProps } from '../ui/filter-bar.tsx';
import { type DeliverySearch, deliveryStatuses } from './delivery-search.rules.ts';
import { texts } from './texts.ts';

const STATUSES = deliveryStatuses.map((value) => ({ value, label: callTexts.deliveries.status[value] }));
const EVENTS = deliveryEvents.map((value) => ({ value, label: texts.events[value] }));

/** All filters. */
export function DeliveryFilterBar(props: FilterBarProps<DeliverySearch>): ReactNode {
  return (
    <FilterBar {...props}>
      {(valueOf) => (
        <>
          <ChoiceFilter {...valueOf('status')} label={texts.filters.status} choices={STATUSES} />
          <ChoiceFilter {...valueOf('event')} label={texts.filters.event} choices={EVENTS} />
          <DayFilter {...valueOf('from')} label={texts.filters.from} />
          <DayFilter {...valueOf('until')} label={texts.filters.until} />
        </>
      )}
    </FilterBar>
  );
}
