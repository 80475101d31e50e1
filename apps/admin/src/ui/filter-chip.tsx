/** One filter of a bar: its name, its field, and a button that removes it while it is set. */
import { CloseButton } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './filter-chip.module.css';
import { texts } from './texts.ts';

interface FilterChipProps {
  label: string;
  isSet: boolean;
  /** Also clears what a field has not reported yet. */
  onRemove: () => void;
  /** @param id - the id that the field must have */
  children: (id: string) => ReactNode;
}

/** Removing a filter moves the focus to its field, because the button disappears. */
export function FilterChip({ label, isSet, onRemove, children }: FilterChipProps): ReactNode {
  const id = useId();
  return (
    <div className={classes['chip']} data-set={isSet}>
      <label className={classes['label']} htmlFor={id}>
        {label}
      </label>
      {children(id)}
      {isSet && (
        <CloseButton
          size="xs"
          className={classes['remove'] ?? ''}
          aria-label={texts.filters.remove(label)}
          data-testid="filter-remove"
          onClick={() => {
            onRemove();
            document.getElementById(id)?.focus();
          }}
        />
      )}
    </div>
  );
}
