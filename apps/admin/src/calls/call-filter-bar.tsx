/** The filters above the calls table. They live in the address, so Back, reload and sharing keep them. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import classes from './call-filter-bar.module.css';
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

/** Pause in typing after which the list follows, in ms. */
const TYPING_PAUSE_MS = 300;

/** A text field that keeps up with Back and Forward without fighting the person who types. */
function NumberFilter({ search, onChange }: CallFilterBarProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const apply = useDebouncedCallback(
    (text: string) => onChange({ number: text.trim() || undefined }),
    TYPING_PAUSE_MS,
  );
  useEffect(() => {
    const element = input.current;
    if (element && document.activeElement !== element) element.value = search.number ?? '';
  }, [search.number]);
  return (
    <TextInput
      ref={input}
      label={texts.filters.number}
      placeholder={texts.filters.numberPlaceholder}
      type="search"
      inputMode="tel"
      defaultValue={search.number ?? ''}
      data-testid="filter-number"
      onChange={(event) => apply(event.currentTarget.value)}
    />
  );
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

function CampaignFilter({ search, onChange }: CallFilterBarProps): ReactNode {
  const trpc = useTRPC();
  const campaigns = useQuery(trpc.campaigns.list.queryOptions()).data ?? [];
  return (
    <NativeSelect
      label={texts.filters.campaign}
      value={search.campaign === undefined ? '' : String(search.campaign)}
      data-testid="filter-campaign"
      data={[
        { value: '', label: texts.filters.all },
        ...campaigns.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        onChange({ campaign: value === '' ? undefined : Number(value) })
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
      <CampaignFilter search={search} onChange={onChange} />
      <DayFilter search={search} onChange={onChange} name="from" />
      <DayFilter search={search} onChange={onChange} name="until" />
      <NumberFilter search={search} onChange={onChange} />
      {hasFilters(search) && (
        <Button variant="subtle" data-testid="filter-clear" onClick={() => onChange(NO_FILTERS)}>
          {texts.filters.clear}
        </Button>
      )}
    </search>
  );
}
