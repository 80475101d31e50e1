/** The variables of a lead as rows of name and value. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from '../ui/field-rows.module.css';
import type { VariableRow } from './lead-draft.rules.ts';
import { texts } from './texts.ts';

/** The state of a form with variables. */
type VariableForm = Pick<
  UseFormReturnType<{ variables: VariableRow[] }>,
  'values' | 'getInputProps' | 'insertListItem' | 'removeListItem'
>;

interface VariableFieldsProps {
  form: VariableForm;
  /** Instead of the hint of a lead. */
  hint?: string | undefined;
  /** An error that concerns the variables as a whole. */
  error?: ReactNode;
  /** How many rows at the beginning are stored. The API changes stored variables, and never removes one. */
  storedCount?: number;
}

/** A group of fields. */
export function VariableFields({
  form,
  hint = texts.variables.hint,
  error,
  storedCount = 0,
}: VariableFieldsProps): ReactNode {
  return (
    <fieldset className={classes['rows']}>
      <legend className={classes['legend']}>{texts.variables.title}</legend>
      <div className={classes['hint']}>{hint}</div>
      {error && <div className={classes['error']}>{error}</div>}
      {form.values.variables.map((_, place) => (
        // Rows have no ids; the form identifies them by index.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={place} className={classes['row']}>
          <TextInput
            placeholder={texts.variables.nameExample}
            aria-label={texts.variables.name(place + 1)}
            readOnly={place < storedCount}
            variant={place < storedCount ? 'unstyled' : 'default'}
            {...form.getInputProps(`variables.${place}.name`)}
          />
          <TextInput
            placeholder={texts.variables.valueExample}
            aria-label={texts.variables.value(place + 1)}
            {...form.getInputProps(`variables.${place}.value`)}
          />
          {place >= storedCount && (
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={texts.variables.remove(place + 1)}
              onClick={() => form.removeListItem('variables', place)}
            >
              <IconTrash size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          )}
        </div>
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} stroke={1.8} aria-hidden />}
        data-testid="variable-add"
        onClick={() => form.insertListItem('variables', { name: '', value: '' })}
      >
        {texts.variables.add}
      </Button>
    </fieldset>
  );
}
