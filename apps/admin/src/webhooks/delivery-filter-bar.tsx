/** The filters above the webhooks. They live in the URL, so Back, reload and sharing keep them. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts as callTexts } from '../calls/texts.ts';
import classes from '../ui/filter-bar.module.css';
import {
  chosen,
  deliveryEvents,
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

const ALL = { value: '', label: texts.filters.all };
const STATUSES = deliveryStatuses.map((value) => ({ value, label: callTexts.deliveries.status[value] }));
const EVENTS = deliveryEvents.map((value) => ({ value, label: texts.events[value] }));

const NO_FILTERS: DeliverySearchChanges = {
  status: undefined,
  event: undefined,
  from: undefined,
  until: undefined,
};

function DayFilter({
  search,
  onChange,
  name,
}: DeliveryFilterBarProps & { name: 'from' | 'until' }): ReactNode {
  return (
    <TextInput
      label={texts.filters[name]}
      type="date"
      value={search[name] ?? ''}
      data-testid={`filter-${name}`}
      onChange={({ currentTarget: { value } }) => onChange({ [name]: value === '' ? undefined : value })}
    />
  );
}

/** All filters, and a button that clears them. */
export function DeliveryFilterBar({ search, onChange }: DeliveryFilterBarProps): ReactNode {
  return (
    <search className={classes['bar']}>
      <NativeSelect
        label={texts.filters.status}
        value={search.status ?? ''}
        data-testid="filter-status"
        data={[ALL, ...STATUSES]}
        onChange={({ currentTarget }) => onChange({ status: chosen(deliveryStatuses, currentTarget.value) })}
      />
      <NativeSelect
        label={texts.filters.event}
        value={search.event ?? ''}
        data-testid="filter-event"
        data={[ALL, ...EVENTS]}
        onChange={({ currentTarget }) => onChange({ event: chosen(deliveryEvents, currentTarget.value) })}
      />
      <DayFilter search={search} onChange={onChange} name="from" />
      <DayFilter search={search} onChange={onChange} name="until" />
      {hasFilters(search) && (
        <Button variant="subtle" data-testid="filter-clear" onClick={() => onChange(NO_FILTERS)}>
          {texts.filters.clear}
        </Button>
      )}
    </search>
  );
}
