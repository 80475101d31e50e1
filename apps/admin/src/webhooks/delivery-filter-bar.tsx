/** The filters above the webhooks. */
import { deliveryEvents } from '@parley/contracts';
import type { ReactNode } from 'react';
import { texts as callTexts } from '../calls/texts.ts';
import { ChoiceFilter, DayFilter, FilterBar } from '../ui/filter-bar.tsx';
import {
  deliveryStatuses,
  hasFilters,
  type DeliverySearch,
  type DeliverySearchChanges,
} from './delivery-search.rules.ts';
import { texts } from './texts.ts';

interface DeliveryFilterBarProps {
  search: DeliverySearch;
  /** Called with what changed; `undefined` removes a filter. */
  onChange: (changes: DeliverySearchChanges) => void;
}

const STATUSES = deliveryStatuses.map((value) => ({ value, label: callTexts.deliveries.status[value] }));
const EVENTS = deliveryEvents.map((value) => ({ value, label: texts.events[value] }));

const NO_FILTERS: DeliverySearchChanges = {
  status: undefined,
  event: undefined,
  from: undefined,
  until: undefined,
};

/** All filters. */
export function DeliveryFilterBar({ search, onChange }: DeliveryFilterBarProps): ReactNode {
  return (
    <FilterBar isFiltered={hasFilters(search)} onClear={() => onChange(NO_FILTERS)}>
      <ChoiceFilter
        label={texts.filters.status}
        name="status"
        value={search.status}
        choices={STATUSES}
        onChange={(status) => onChange({ status })}
      />
      <ChoiceFilter
        label={texts.filters.event}
        name="event"
        value={search.event}
        choices={EVENTS}
        onChange={(event) => onChange({ event })}
      />
      <DayFilter
        label={texts.filters.from}
        name="from"
        value={search.from}
        onChange={(from) => onChange({ from })}
      />
      <DayFilter
        label={texts.filters.until}
        name="until"
        value={search.until}
        onChange={(until) => onChange({ until })}
      />
    </FilterBar>
  );
}
