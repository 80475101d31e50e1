/** The four groups of fields of the assistant form. */
import { NativeSelect, SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Section } from '../ui/section.tsx';
import { type AssistantLookups, type DraftForm, voicesFor } from './assistant-draft.ts';
import classes from './assistant-fields.module.css';
import { instructionsHint, modelHint } from './assistant-words.rules.ts';

interface FieldsProps {
  form: DraftForm;
  lookups: AssistantLookups;
}

const DIRECTIONS = [
  { value: 'make', label: 'Makes calls' },
  { value: 'receive', label: 'Receives calls' },
];

const ENGINES = [
  { value: 'pipeline', label: 'Pipeline' },
  { value: 'multimodal', label: 'Multimodal' },
];

const FIRST_SPEAKERS = [
  { value: 'AI assistant', label: 'Assistant' },
  { value: 'Customer', label: 'Customer' },
];

/** Every zone this browser knows; UTC is missing from that list. */
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

interface ChoiceProps {
  form: DraftForm;
  name: 'calls_direction' | 'engine_type' | 'who_speaks_first';
  label: string;
  data: { value: string; label: string }[];
  onPicked?: (value: string) => void;
}

/** A labelled choice between two. */
function Choice({ form, name, label, data, onPicked }: ChoiceProps): ReactNode {
  const labelId = useId();
  const { value, onChange } = form.getInputProps(name) as {
    value: string;
    onChange: (value: string) => void;
  };
  const pick = (picked: string): void => {
    onChange(picked);
    onPicked?.(picked);
  };
  return (
    <div>
      <div id={labelId} className={classes['label']}>
        {label}
      </div>
      <SegmentedControl fullWidth aria-labelledby={labelId} data={data} value={value} onChange={pick} />
      {form.errors[name] && <div className={classes['error']}>{form.errors[name]}</div>}
    </div>
  );
}

/** Name, direction, language, time zone, number. */
export function BasicFields({ form, lookups }: FieldsProps): ReactNode {
  const isInbound = form.values.calls_direction === 'receive';
  const numbers = lookups.phone_numbers.filter(
    ({ is_available, type_label }) => !isInbound || (is_available && type_label !== 'Caller ID'),
  );
  return (
    <Section title="Basics">
      <div className={classes['grid']}>
        <TextInput
          label="Name"
          withAsterisk
          className={classes['full'] ?? ''}
          data-testid="field-name"
          {...form.getInputProps('assistant_name')}
        />
        <Choice form={form} name="calls_direction" label="Direction" data={DIRECTIONS} />
        <NativeSelect
          label={isInbound ? 'Number it answers' : 'Number it calls from'}
          data={[
            { value: '', label: isInbound ? 'None yet' : 'The default' },
            ...numbers.map(({ id, phone_number }) => ({ value: String(id), label: phone_number })),
          ]}
          {...form.getInputProps('phone_number_id')}
        />
        <NativeSelect
          label="Language"
          data={lookups.languages.map(({ name }) => name)}
          {...form.getInputProps('language')}
        />
        <NativeSelect label="Time zone" data={timeZones} {...form.getInputProps('timezone')} />
      </div>
    </Section>
  );
}

/** What it says first, and what it is told. */
function WordFields({ form }: { form: DraftForm }): ReactNode {
  return (
    <>
      <Textarea
        label="First message"
        description="The first thing it says."
        withAsterisk
        rows={2}
        className={classes['full'] ?? ''}
        data-testid="field-initial-message"
        {...form.getInputProps('initial_message')}
      />
      <Textarea
        label="Instructions"
        description={instructionsHint(form.values.llm_model)}
        withAsterisk
        rows={6}
        className={classes['full'] ?? ''}
        data-testid="field-system-prompt"
        {...form.getInputProps('system_prompt')}
      />
    </>
  );
}

/** Engine, voice, model, words. */
export function ConversationFields({ form, lookups }: FieldsProps): ReactNode {
  const voices = voicesFor(lookups, form.values.engine_type);
  return (
    <Section title="Conversation">
      <div className={classes['grid']}>
        <Choice
          form={form}
          name="engine_type"
          label="Engine"
          data={ENGINES}
          // A voice belongs to one engine; the former one would be refused.
          onPicked={(mode) =>
            form.setFieldValue(
              'voice_id',
              String(lookups.voices.find((voice) => voice.mode === mode)?.id ?? ''),
            )
          }
        />
        <Choice form={form} name="who_speaks_first" label="Speaks first" data={FIRST_SPEAKERS} />
        <NativeSelect
          label="Voice"
          withAsterisk
          data={
            voices.length === 0
              ? [{ value: '', label: 'No voice for this engine' }]
              : voices.map(({ id, name }) => ({ value: String(id), label: name }))
          }
          {...form.getInputProps('voice_id')}
        />
        <NativeSelect
          label="Model"
          description={modelHint(form.values.llm_model)}
          withAsterisk
          data={lookups.models.map(({ name }) => name)}
          {...form.getInputProps('llm_model')}
        />
        <WordFields form={form} />
        <Switch
          label="May be interrupted"
          className={classes['full'] ?? ''}
          {...form.getInputProps('allow_interruptions', { type: 'checkbox' })}
        />
      </div>
    </Section>
  );
}

interface SecondsFieldProps {
  form: DraftForm;
  name: 'max_call_duration' | 'max_silence_duration' | 're_engagement_interval';
  label: string;
}

/** The server knows the bounds and says so at the field. */
function SecondsField({ form, name, label }: SecondsFieldProps): ReactNode {
  return (
    <TextInput
      label={label}
      type="number"
      min={1}
      step={1}
      rightSection={<span aria-hidden="true">s</span>}
      {...form.getInputProps(name)}
    />
  );
}

/** Durations, voicemail, recording. */
export function LimitFields({ form }: { form: DraftForm }): ReactNode {
  return (
    <Section title="Limits">
      <div className={classes['grid']}>
        <SecondsField form={form} name="max_call_duration" label="Longest call" />
        <SecondsField form={form} name="max_silence_duration" label="Longest silence" />
        <SecondsField form={form} name="re_engagement_interval" label="Asks again after silence of" />
        <div className={classes['full']}>
          <Switch
            label="Hang up on voicemail"
            {...form.getInputProps('end_call_on_voicemail', { type: 'checkbox' })}
          />
          <Switch
            mt="sm"
            label="Record calls"
            description="Keeps both sides as sound. Tell callers where the law asks for it."
            {...form.getInputProps('record_call', { type: 'checkbox' })}
          />
        </div>
      </div>
    </Section>
  );
}

/** Where to report finished calls. */
export function WebhookFields({ form }: { form: DraftForm }): ReactNode {
  const isActive = form.values.is_webhook_active;
  return (
    <Section title="Webhook">
      <Switch
        label="Report finished calls to an address"
        {...form.getInputProps('is_webhook_active', { type: 'checkbox' })}
      />
      {isActive && (
        <div className={`${classes['grid']} ${classes['below']}`}>
          <TextInput
            label="Address"
            withAsterisk
            type="url"
            placeholder="https://example.com/calls"
            className={classes['full'] ?? ''}
            {...form.getInputProps('webhook_url')}
          />
          <Switch
            label="Only completed calls"
            {...form.getInputProps('send_webhook_only_on_completed', { type: 'checkbox' })}
          />
          <Switch
            label="With the recording's address"
            {...form.getInputProps('include_recording_in_webhook', { type: 'checkbox' })}
          />
        </div>
      )}
    </Section>
  );
}
