/** The bar of filters above a list. The filters live in the URL, so Back, reload and sharing keep them. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import classes from './filter-bar.module.css';
import { texts } from './texts.ts';

interface FilterBarProps {
  /** Whether there is something to clear. */
  isFiltered: boolean;
  onClear: () => void;
  children: ReactNode;
}

/** The filters, and a button that clears them. On narrow screens they open from a button, above the first row. */
export function FilterBar({ isFiltered, onClear, children }: FilterBarProps): ReactNode {
  const [isOpen, { toggle }] = useDisclosure(false);
  const filtersId = useId();
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
        {children}
      </div>
      {isFiltered && (
        <Button
          variant="subtle"
          className={classes['clear'] ?? ''}
          data-testid="filter-clear"
          onClick={onClear}
        >
          {texts.filters.clear}
        </Button>
      )}
    </search>
  );
}

interface FilterProps<Value> {
  label: string;
  /** The name of the filter, for tests. */
  name: string;
  value: Value | undefined;
  /** `undefined` removes the filter. */
  onChange: (value: Value | undefined) => void;
}

interface ChoiceFilterProps<Value extends string> extends FilterProps<Value> {
  choices: readonly { value: Value; label: string }[];
}

/** One of several values, or all. */
export function ChoiceFilter<Value extends string>(props: ChoiceFilterProps<Value>): ReactNode {
  const { label, name, value, choices, onChange } = props;
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data-testid={`filter-${name}`}
      data={[{ value: '', label: texts.filters.all }, ...choices]}
      onChange={({ currentTarget }) =>
        onChange(choices.find((choice) => choice.value === currentTarget.value)?.value)
      }
    />
  );
}

interface IdFilterProps extends FilterProps<number> {
  choices: readonly { id: number; name: string }[];
}

/** One of several things with an id, or all. */
export function IdFilter({ value, choices, onChange, ...props }: IdFilterProps): ReactNode {
  return (
    <ChoiceFilter
      {...props}
      value={value === undefined ? undefined : String(value)}
      choices={choices.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={(id) => onChange(id === undefined ? undefined : Number(id))}
    />
  );
}

/** A day, `2026-01-31`. */
export function DayFilter({ label, name, value, onChange }: FilterProps<string>): ReactNode {
  return (
    <TextInput
      label={label}
      type="date"
      value={value ?? ''}
      data-testid={`filter-${name}`}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
