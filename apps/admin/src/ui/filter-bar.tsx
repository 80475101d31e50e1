/** The bar of filters above a list. The filters live in the URL, so Back, reload and sharing keep them. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useId, useRef } from 'react';
import { clearedFilters, hasFilters, type SearchChanges } from '../client/search-values.rules.ts';
import classes from './filter-bar.module.css';
import { FilterChip } from './filter-chip.tsx';
import { SearchField, type SearchFieldHandle } from './search-field.tsx';
import { texts } from './texts.ts';

/** What a filter takes from the search part of the URL, and changes there. */
export interface FilterValue<Value> {
  /** The name of the filter, also for tests. */
  name: string;
  value: Value | undefined;
  /** `undefined` removes the filter. */
  onChange: (value: Value | undefined) => void;
}

/** The filters of a list. */
export interface FilterBarProps<Search extends object> {
  search: Search;
  /** Receives what changed. */
  onChange: (changes: SearchChanges<Search>) => void;
}

interface AllFiltersProps<Search extends object> extends FilterBarProps<Search> {
  /** @param valueOf - gives a filter the value with its name */
  children: (
    valueOf: <Name extends keyof Search & string>(name: Name) => FilterValue<NonNullable<Search[Name]>>,
  ) => ReactNode;
}

/**
 * The filters as a row of chips, and a button that clears them. On narrow screens a button opens them; those that are set are
 * always visible.
 */
export function FilterBar<Search extends object>(props: AllFiltersProps<Search>): ReactNode {
  const { search, onChange, children } = props;
  const [isOpen, { toggle }] = useDisclosure(false);
  const filtersId = useId();
  const isFiltered = hasFilters(search);
  return (
    <search className={classes['bar']}>
      <Button
        variant="default"
        className={classes['toggle'] ?? ''}
        leftSection={<IconFilter size={16} stroke={1.8} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={filtersId}
        data-testid="filter-toggle"
        onClick={toggle}
      >
        {isFiltered ? texts.filters.active : texts.filters.title}
      </Button>
      <div id={filtersId} className={classes['filters']} data-open={isOpen}>
        {children((name) => ({
          name,
          value: search[name] ?? undefined,
          onChange: (value) => onChange({ [name]: value } as unknown as SearchChanges<Search>),
        }))}
        {isFiltered && (
          <Button
            variant="subtle"
            size="xs"
            data-testid="filter-clear"
            onClick={() => onChange(clearedFilters(search))}
          >
            {texts.filters.clear}
          </Button>
        )}
      </div>
    </search>
  );
}

interface FilterProps<Value> extends FilterValue<Value> {
  label: string;
}

interface ChoiceFilterProps<Value extends string> extends FilterProps<Value> {
  choices: readonly { value: Value; label: string }[];
}

/** One of several values, or all. */
export function ChoiceFilter<Value extends string>(props: ChoiceFilterProps<Value>): ReactNode {
  const { label, name, value, choices, onChange } = props;
  return (
    <FilterChip label={label} isSet={value !== undefined} onRemove={() => onChange(undefined)}>
      {(id) => (
        <select
          id={id}
          value={value ?? ''}
          data-testid={`filter-${name}`}
          onChange={({ currentTarget }) =>
            onChange(choices.find((choice) => choice.value === currentTarget.value)?.value)
          }
        >
          <option value="">{texts.filters.all}</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </FilterChip>
  );
}

interface IdFilterProps extends FilterProps<number> {
  choices: readonly { id: number; name: string }[];
  /** Names a value of the URL that is none of the choices, such as a deleted campaign. */
  otherName?: (id: number) => string;
}

/** One of several things with an id, or all. */
export function IdFilter(filter: IdFilterProps): ReactNode {
  const { value, choices, otherName = texts.filters.other, onChange, ...props } = filter;
  const isOther = value !== undefined && choices.every(({ id }) => id !== value);
  const shown = isOther ? [...choices, { id: value, name: otherName(value) }] : choices;
  return (
    <ChoiceFilter
      {...props}
      value={value === undefined ? undefined : String(value)}
      choices={shown.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={(id) => onChange(id === undefined ? undefined : Number(id))}
    />
  );
}

/** A day, `2026-01-31`. */
export function DayFilter({ label, name, value, onChange }: FilterProps<string>): ReactNode {
  return (
    <FilterChip label={label} isSet={value !== undefined} onRemove={() => onChange(undefined)}>
      {(id) => (
        <input
          id={id}
          type="date"
          value={value ?? ''}
          data-testid={`filter-${name}`}
          onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        />
      )}
    </FilterChip>
  );
}

interface TextFilterProps extends FilterProps<string> {
  placeholder: string;
  /** The keyboard of a phone; absent: that of phone numbers. */
  inputMode?: 'search';
}

/** A part of a number, or another short text. */
export function TextFilter({ label, name, value, ...field }: TextFilterProps): ReactNode {
  const handle = useRef<SearchFieldHandle>(null);
  return (
    <FilterChip label={label} isSet={value !== undefined} onRemove={() => handle.current?.clear()}>
      {(id) => <SearchField {...field} handle={handle} id={id} value={value} testId={`filter-${name}`} />}
    </FilterChip>
  );
}
