/** Rows of fields in the form of a tool: headers or transfer destinations. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { SecretField } from '../../ui/secret-field.tsx';
import { emptyRow, IS_KEPT, type ToolDraft, type ToolRow } from './tool-draft.rules.ts';
import type { ToolField } from './tool-kinds.rules.ts';
import classes from '../../ui/field-rows.module.css';
import { texts } from './texts.ts';

/** The state of a tool's form, shared by the fields. */
export type ToolDraftForm = UseFormReturnType<ToolDraft>;

interface ToolRowsProps {
  form: ToolDraftForm;
  field: ToolField;
}

function RowFields({ form, field: { kind, name }, place }: ToolRowsProps & { place: number }): ReactNode {
  const at = (part: string): string => `${name}.${place}.${part}`;
  const row = (form.values[name] as ToolRow[])[place];
  if (kind === 'headers')
    return (
      <>
        <TextInput
          placeholder={texts.rows.headerExample}
          aria-label={texts.rows.headerName(place + 1)}
          {...form.getInputProps(at('name'))}
        />
        <SecretField
          placeholder={row?.[IS_KEPT] ? texts.rows.kept : texts.rows.value}
          aria-label={texts.rows.headerValue(place + 1)}
          {...form.getInputProps(at('value'))}
        />
      </>
    );
  return (
    <>
      <TextInput
        placeholder={texts.rows.personExample}
        aria-label={texts.rows.personName(place + 1)}
        {...form.getInputProps(at('name'))}
      />
      <TextInput
        placeholder="+1 212 555 0123"
        type="tel"
        aria-label={texts.rows.personNumber(place + 1)}
        {...form.getInputProps(at('phone_number'))}
      />
    </>
  );
}

/** A group named by the field's label, with errors of the whole list below it. */
export function ToolRows({ form, field }: ToolRowsProps): ReactNode {
  const { name, label, hint, kind, isNeeded } = field;
  const rows = form.values[name] as ToolRow[];
  const rowTexts = kind === 'headers' ? texts.rows.headers : texts.rows.people;
  return (
    <fieldset className={classes['rows']}>
      <legend className={classes['legend']}>
        {label}
        {isNeeded && <span aria-hidden="true"> *</span>}
      </legend>
      {hint && <div className={classes['hint']}>{hint}</div>}
      {rows.map((_, place) => (
        // Rows have no ids; both the form and the server identify them by index.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={place} className={classes['row']}>
          <RowFields form={form} field={field} place={place} />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={rowTexts.remove(place + 1)}
            onClick={() => form.removeListItem(name, place)}
          >
            <IconTrash size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} stroke={1.8} aria-hidden />}
        onClick={() => form.insertListItem(name, emptyRow(kind))}
      >
        {rowTexts.add}
      </Button>
      {form.errors[name] && (
        <div role="alert" className={classes['error']}>
          {form.errors[name]}
        </div>
      )}
    </fieldset>
  );
}
