/** The field of one setting, by its kind. */
import { Input, NativeSelect, Skeleton, Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { instructionsHint, modelHint } from '../assistant-labels.rules.ts';
import type { AssistantDraftForm, AssistantLookups } from './assistant-draft.ts';
import { PromptPane } from './prompt-pane.tsx';
import { modelName, optionsOf } from './setting-options.ts';
import { type Setting, type SettingName, settingOf } from './settings.rules.ts';
import fields from '../../ui/field-columns.module.css';
import { timeZones } from '../../ui/time-zones.ts';
import { texts } from './texts.ts';
import { later } from '../../ui/later.ts';

const MultiSelect = later(() => import('../../ui/many-choices.ts'), 'MultiSelect');
const FillerFields = later(() => import('./row-fields.tsx'), 'FillerFields');
const ResultFields = later(() => import('./row-fields.tsx'), 'ResultFields');
const VariableFields = later(() => import('../../leads/variable-fields.tsx'), 'VariableFields');
const WidgetFields = later(() => import('./widget-fields.tsx'), 'WidgetFields');

/** What every field needs. */
export interface SettingFieldProps {
  name: SettingName;
  form: AssistantDraftForm;
  lookups: AssistantLookups;
  /** Names of variables that have a value before the call. */
  known: ReadonlySet<string>;
}

/** The height of a field with one line. */
const FIELD_PIXELS = 36;

/** The hint with the limits of the field. */
function hintOf({ name, form, lookups }: SettingFieldProps, setting: Setting): string | undefined {
  const parts = [ownHint(name, modelName(lookups, form.values))];
  if (setting.kind === 'number')
    parts.push(texts.range(setting.min, setting.max, setting.isSeconds ? texts.unit : ''));
  if (setting.kind === 'names') parts.push(texts.maximumEntries(setting.maximum));
  return parts.filter(Boolean).join(' ') || undefined;
}

function ownHint(name: SettingName, model: string): string | undefined {
  if (name === 'system_prompt') return instructionsHint(model);
  if (name === 'llm_model_id') return modelHint(model);
  return texts.hints[name];
}

/** A voice belongs to one engine, so the server would refuse the previous voice. */
function selectVoiceOf(mode: string, { form, lookups }: SettingFieldProps): void {
  const voice = lookups.voices.find((candidate) => candidate.mode === mode);
  form.setFieldValue('voice_id', String(voice?.id ?? ''));
}

interface Shared {
  label: string;
  description: string | undefined;
  withAsterisk: boolean;
  'data-testid': string;
}

function sharedProps(props: SettingFieldProps, setting: Setting): Shared {
  return {
    label: texts.labels[props.name],
    description: hintOf(props, setting),
    withAsterisk: 'isRequired' in setting,
    'data-testid': `field-${props.name}`,
  };
}

interface FieldProps extends SettingFieldProps {
  setting: Setting;
  shared: Shared;
}

function SelectField({ shared, ...props }: FieldProps): ReactNode {
  const { name, form, lookups } = props;
  const input = form.getInputProps(name);
  return (
    <NativeSelect
      {...shared}
      data={name === 'timezone' ? timeZones(form.values.timezone) : optionsOf(name, lookups, form.values)}
      {...input}
      onChange={(event) => {
        input.onChange(event);
        if (name === 'mode') selectVoiceOf(event.currentTarget.value, props);
      }}
    />
  );
}

function NumberField({ name, form, setting, shared }: FieldProps): ReactNode {
  if (setting.kind !== 'number') return null;
  return (
    <TextInput
      {...shared}
      {...form.getInputProps(name)}
      type="number"
      min={setting.min}
      max={setting.max}
      step={setting.step}
      rightSection={setting.isSeconds && <span aria-hidden="true">{texts.seconds}</span>}
    />
  );
}

function SwitchField({ name, form, shared: { label, description, ...shared } }: FieldProps): ReactNode {
  return (
    <Switch
      label={label}
      description={description}
      data-testid={shared['data-testid']}
      {...form.getInputProps(name, { type: 'checkbox' })}
    />
  );
}

function PromptField({ name, form, known, shared }: FieldProps): ReactNode {
  const input = form.getInputProps(name);
  return (
    <PromptPane
      value={input.value as string}
      onChange={input.onChange}
      error={input.error}
      label={shared.label}
      description={shared.description}
      known={known}
      isLarge={name === 'system_prompt'}
      testId={shared['data-testid']}
    />
  );
}

function ManyField({ name, form, lookups, setting, shared }: FieldProps): ReactNode {
  const { label, description } = shared;
  return (
    <Suspense
      fallback={
        <Input.Wrapper label={label} description={description}>
          <Skeleton h={FIELD_PIXELS} mt={4} />
        </Input.Wrapper>
      }
    >
      <MultiSelect
        {...shared}
        {...form.getInputProps(name)}
        maxValues={setting.kind === 'ids' || setting.kind === 'names' ? setting.maximum : Infinity}
        data={optionsOf(name, lookups, form.values)}
        nothingFoundMessage={texts.noEntry}
      />
    </Suspense>
  );
}

const FIELDS: Readonly<Record<Setting['kind'], (props: FieldProps) => ReactNode>> = {
  text: ({ name, form, shared }) => (
    <TextInput {...shared} {...form.getInputProps(name)} autoComplete="off" />
  ),
  optionalText: ({ name, form, shared }) => <Textarea {...shared} {...form.getInputProps(name)} rows={2} />,
  address: ({ name, form, shared }) => (
    <TextInput {...shared} {...form.getInputProps(name)} type="url" placeholder={texts.urlExample} />
  ),
  widget: ({ form }) => <WidgetFields form={form} />,
  variables: ({ name, form, shared }) => (
    <VariableFields form={form} hint={shared.description} error={form.errors[name]} />
  ),
  postCallSchema: ({ form, shared }) => <ResultFields form={form} {...shared} />,
  fillers: ({ form, shared }) => <FillerFields form={form} {...shared} />,
  number: NumberField,
  switch: SwitchField,
  prompt: PromptField,
  ids: ManyField,
  names: ManyField,
  id: SelectField,
  choice: SelectField,
  optionalChoice: SelectField,
  timeZone: SelectField,
};

/** The kinds that use the whole width. */
const WIDE: ReadonlySet<Setting['kind']> = new Set([
  'prompt',
  'optionalText',
  'variables',
  'postCallSchema',
  'fillers',
  'widget',
  'address',
  'switch',
]);

/** In a grid; wide kinds take a whole row. */
export function SettingField(props: SettingFieldProps): ReactNode {
  const setting = settingOf(props.name);
  const Field = FIELDS[setting.kind];
  const isWide = props.name === 'name' || WIDE.has(setting.kind);
  return (
    <div className={isWide ? fields['whole'] : undefined}>
      <Field {...props} setting={setting} shared={sharedProps(props, setting)} />
    </div>
  );
}
