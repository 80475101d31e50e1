/** The filters above the calls table. They live in the address, so Back, reload and sharing keep them. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import classes from '../ui/filter-bar.module.css';
import { SearchField } from '../ui/search-field.tsx';
import { CampaignFilter } from './campaign-filter.tsx';
import { type CallSearch, type CallSearchChanges, hasFilters } from './call-search.rules.ts';
import {
  isCallOutcome,
  isCallStatus,
  isCallType,
  outcomeChoices,
  statusChoices,
  typeChoices,
} from './call-status.rules.ts';
import { texts } from './texts.ts';

interface CallFilterBarProps {
  search: CallSearch;
  /** Called with what changed; `undefined` takes a filter away. */
  onChange: (changes: CallSearchChanges) => void;
}

function AssistantFilter({ search, onChange }: CallFilterBarProps): ReactNode {
  const trpc = useTRPC();
  const assistants = useQuery(trpc.assistants.list.queryOptions()).data ?? [];
  return (
    <NativeSelect
      label={texts.filters.assistant}
      value={search.assistant === undefined ? '' : String(search.assistant)}
      data-testid="filter-assistant"
      data={[
        { value: '', label: texts.filters.all },
        ...assistants.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        onChange({ assistant: value === '' ? undefined : Number(value) })
      }
    />
  );
}

/** The days are inclusive, in the time zone of the account. */
function DayFilter({ search, onChange, name }: CallFilterBarProps & { name: 'from' | 'until' }): ReactNode {
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

const NO_FILTERS: CallSearchChanges = {
  status: undefined,
  outcome: undefined,
  type: undefined,
  assistant: undefined,
  campaign: undefined,
  from: undefined,
  until: undefined,
  number: undefined,
};

/** All filters, and a button that clears them. */
export function CallFilterBar({ search, onChange }: CallFilterBarProps): ReactNode {
  return (
    <search className={classes['bar']}>
      <NativeSelect
        label={texts.filters.outcome}
        value={search.outcome ?? ''}
        data-testid="filter-outcome"
        data={[{ value: '', label: texts.filters.all }, ...outcomeChoices]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ outcome: isCallOutcome(value) ? value : undefined })
        }
      />
      <NativeSelect
        label={texts.filters.status}
        value={search.status ?? ''}
        data-testid="filter-status"
        data={[{ value: '', label: texts.filters.all }, ...statusChoices]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ status: isCallStatus(value) ? value : undefined })
        }
      />
      <NativeSelect
        label={texts.filters.type}
        value={search.type ?? ''}
        data-testid="filter-type"
        data={[{ value: '', label: texts.filters.all }, ...typeChoices]}
        onChange={({ currentTarget: { value } }) => onChange({ type: isCallType(value) ? value : undefined })}
      />
      <AssistantFilter search={search} onChange={onChange} />
      <CampaignFilter value={search.campaign} onChange={(campaign) => onChange({ campaign })} />
      <DayFilter search={search} onChange={onChange} name="from" />
      <DayFilter search={search} onChange={onChange} name="until" />
      <SearchField
        label={texts.filters.number}
        placeholder={texts.filters.numberPlaceholder}
        value={search.number}
        testId="filter-number"
        onChange={(number) => onChange({ number })}
      />
      {hasFilters(search) && (
        <Button variant="subtle" data-testid="filter-clear" onClick={() => onChange(NO_FILTERS)}>
          {texts.filters.clear}
        </Button>
      )}
    </search>
  );
}
