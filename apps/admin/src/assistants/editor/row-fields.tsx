/** The fields of settings that are lists: results of the evaluation, and filler words. */
import { ActionIcon, Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import rows from '../../ui/field-rows.module.css';
import type { AssistantDraftForm, FillerKind } from './assistant-draft.ts';
import classes from './row-fields.module.css';
import { texts } from './texts.ts';

const TYPES = Object.entries(texts.schema.types).map(([value, label]) => ({ value, label }));
const FILLER_KINDS = Object.entries(texts.fillerKinds) as [FillerKind, string][];

interface RowFieldsProps {
  form: AssistantDraftForm;
  label: string;
  description: ReactNode;
}

function ResultRow({ form, place }: { form: AssistantDraftForm; place: number }): ReactNode {
  const row = place + 1;
  const path = `post_call_schema.${place}`;
  return (
    <div className={classes['result']}>
      <TextInput
        placeholder={texts.schema.nameExample}
        aria-label={texts.schema.name(row)}
        {...form.getInputProps(`${path}.name`)}
      />
      <NativeSelect
        aria-label={texts.schema.type(row)}
        data={TYPES}
        {...form.getInputProps(`${path}.type`)}
      />
      <TextInput
        className={classes['description'] ?? ''}
        placeholder={texts.schema.descriptionExample}
        aria-label={texts.schema.description(row)}
        {...form.getInputProps(`${path}.description`)}
      />
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={texts.schema.remove(row)}
        onClick={() => form.removeListItem('post_call_schema', place)}
      >
        <IconTrash size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </div>
  );
}

/** Name, type and description of each result. */
export function ResultFields({ form, label, description }: RowFieldsProps): ReactNode {
  return (
    <fieldset className={rows['rows']}>
      <legend className={rows['legend']}>{label}</legend>
      <div className={rows['hint']}>{description}</div>
      {form.values.post_call_schema.map((_, place) => (
        // Rows have no ids; the form identifies them by index.
        // oxlint-disable-next-line react/no-array-index-key
        <ResultRow key={place} form={form} place={place} />
      ))}
      {form.errors['post_call_schema'] && (
        <div className={rows['error']} role="alert">
          {form.errors['post_call_schema']}
        </div>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} stroke={1.8} aria-hidden />}
        data-testid="result-add"
        onClick={() => form.insertListItem('post_call_schema', { name: '', type: 'string', description: '' })}
      >
        {texts.schema.add}
      </Button>
    </fieldset>
  );
}

/** One field for each kind of filler word. */
export function FillerFields({ form, label, description }: RowFieldsProps): ReactNode {
  return (
    <fieldset className={rows['rows']}>
      <legend className={rows['legend']}>{label}</legend>
      <div className={rows['hint']}>{description}</div>
      <div className={classes['fillers']}>
        {FILLER_KINDS.map(([kind, kindLabel]) => (
          <Textarea key={kind} label={kindLabel} rows={4} {...form.getInputProps(`filler_config.${kind}`)} />
        ))}
      </div>
    </fieldset>
  );
}
