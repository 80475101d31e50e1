/** The four groups of fields of the assistant form. */
import { NativeSelect, SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Section } from '../ui/section.tsx';
import { type AssistantLookups, type DraftForm, voicesFor } from './assistant-draft.ts';
import classes from './assistant-fields.module.css';
import { instructionsHint, modelHint, secondModels } from './assistant-labels.rules.ts';
import { texts } from './texts.ts';

const OPT_OUT_KEYS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'];

interface FieldsProps {
  form: DraftForm;
  lookups: AssistantLookups;
}

const DIRECTIONS = [
  { value: 'make', label: texts.directions.outbound },
  { value: 'receive', label: texts.directions.inbound },
];

const ENGINES = [
  { value: 'pipeline', label: texts.modes.pipeline },
  { value: 'multimodal', label: texts.modes.multimodal },
];

const FIRST_SPEAKERS = [
  { value: 'AI assistant', label: texts.firstSpeaker.assistant },
  { value: 'Customer', label: texts.firstSpeaker.customer },
];

/** Every time zone of this browser; its list lacks UTC. */
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

interface ChoiceProps {
  form: DraftForm;
  name: 'calls_direction' | 'engine_type' | 'who_speaks_first';
  label: string;
  data: { value: string; label: string }[];
  onPicked?: (value: string) => void;
}

/** A labelled choice between two values. */
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
    <Section title={texts.sections.basics}>
      <div className={classes['grid']}>
        <TextInput
          label={texts.fields.name}
          withAsterisk
          className={classes['full'] ?? ''}
          data-testid="field-name"
          {...form.getInputProps('assistant_name')}
        />
        <Choice form={form} name="calls_direction" label={texts.fields.direction} data={DIRECTIONS} />
        <NativeSelect
          label={isInbound ? texts.fields.numberIn : texts.fields.numberOut}
          data={[
            { value: '', label: isInbound ? texts.fields.noNumber : texts.fields.defaultNumber },
            ...numbers.map(({ id, phone_number }) => ({ value: String(id), label: phone_number })),
          ]}
          {...form.getInputProps('phone_number_id')}
        />
        <NativeSelect
          label={texts.fields.language}
          data={lookups.languages.map(({ name }) => name)}
          {...form.getInputProps('language')}
        />
        <NativeSelect label={texts.fields.timezone} data={timeZones} {...form.getInputProps('timezone')} />
      </div>
    </Section>
  );
}

/** The first message and the instructions. */
function WordFields({ form }: { form: DraftForm }): ReactNode {
  return (
    <>
      <Textarea
        label={texts.fields.disclosure}
        description={texts.fields.disclosureHint}
        autosize
        className={classes['full'] ?? ''}
        {...form.getInputProps('disclosure_message')}
      />
      <Textarea
        label={texts.fields.firstMessage}
        description={texts.fields.firstMessageHint}
        withAsterisk
        rows={2}
        className={classes['full'] ?? ''}
        data-testid="field-initial-message"
        {...form.getInputProps('initial_message')}
      />
      <Textarea
        label={texts.fields.instructions}
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

/** Engine, voice, model and prompt. */
export function ConversationFields({ form, lookups }: FieldsProps): ReactNode {
  const voices = voicesFor(lookups, form.values.engine_type);
  return (
    <Section title={texts.sections.conversation}>
      <div className={classes['grid']}>
        <Choice
          form={form}
          name="engine_type"
          label={texts.fields.engine}
          data={ENGINES}
          // A voice belongs to one engine, so the server would refuse the previous voice.
          onPicked={(mode) =>
            form.setFieldValue(
              'voice_id',
              String(lookups.voices.find((voice) => voice.mode === mode)?.id ?? ''),
            )
          }
        />
        <Choice form={form} name="who_speaks_first" label={texts.fields.firstSpeaker} data={FIRST_SPEAKERS} />
        <NativeSelect
          label={texts.fields.voice}
          withAsterisk
          data={
            voices.length === 0
              ? [{ value: '', label: texts.fields.noVoice }]
              : voices.map(({ id, name }) => ({ value: String(id), label: name }))
          }
          {...form.getInputProps('voice_id')}
        />
        <ModelFields form={form} lookups={lookups} />
        <WordFields form={form} />
        {form.values.calls_direction === 'make' && (
          <SecondsField
            form={form}
            name="initial_message_delay"
            label={texts.fields.firstMessageDelay}
            min={0}
            step={0.1}
          />
        )}
        <OptOutKeyField form={form} />
        <Switch
          label={texts.fields.firstMessageInterruptible}
          className={classes['full'] ?? ''}
          {...form.getInputProps('initial_message_interruptible', { type: 'checkbox' })}
        />
        <Switch
          label={texts.fields.interruptible}
          className={classes['full'] ?? ''}
          {...form.getInputProps('allow_interruptions', { type: 'checkbox' })}
        />
      </div>
    </Section>
  );
}

function ModelFields({ form, lookups }: { form: DraftForm; lookups: AssistantLookups }): ReactNode {
  const names = lookups.models.map(({ name }) => name);
  const others = secondModels(names, form.values.llm_model);
  return (
    <>
      <NativeSelect
        label={texts.fields.model}
        description={modelHint(form.values.llm_model)}
        withAsterisk
        data={names}
        {...form.getInputProps('llm_model')}
      />
      {others.length > 0 && (
        <NativeSelect
          label={texts.fields.secondModel}
          description={texts.fields.secondModelHint}
          data={[{ value: '', label: texts.fields.noSecondModel }, ...others]}
          {...form.getInputProps('second_model')}
          error={form.errors['second_model'] ?? form.errors['fallback_llm_models']}
        />
      )}
    </>
  );
}

function OptOutKeyField({ form }: { form: DraftForm }): ReactNode {
  return (
    <NativeSelect
      label={texts.fields.optOutKey}
      description={texts.fields.optOutKeyHint}
      data={[{ value: '', label: texts.fields.noKey }, ...OPT_OUT_KEYS]}
      {...form.getInputProps('opt_out_key')}
    />
  );
}

interface SecondsFieldProps {
  form: DraftForm;
  name: 'initial_message_delay' | 'max_call_duration' | 'max_silence_duration' | 're_engagement_interval';
  label: string;
  min?: number;
  step?: number;
}

/** The server validates the bounds. */
function SecondsField({ form, name, label, min = 1, step = 1 }: SecondsFieldProps): ReactNode {
  return (
    <TextInput
      label={label}
      type="number"
      min={min}
      step={step}
      rightSection={<span aria-hidden="true">{texts.fields.seconds}</span>}
      {...form.getInputProps(name)}
    />
  );
}

/** Durations, voicemail, recording. */
export function LimitFields({ form }: { form: DraftForm }): ReactNode {
  return (
    <Section title={texts.sections.limits}>
      <div className={classes['grid']}>
        <SecondsField form={form} name="max_call_duration" label={texts.fields.maxDuration} />
        <SecondsField form={form} name="max_silence_duration" label={texts.fields.maxSilence} />
        <SecondsField form={form} name="re_engagement_interval" label={texts.fields.reEngagement} />
        <div className={classes['full']}>
          <Switch
            label={texts.fields.endOnVoicemail}
            {...form.getInputProps('end_call_on_voicemail', { type: 'checkbox' })}
          />
          <Switch
            mt="sm"
            label={texts.fields.record}
            description={texts.fields.recordHint}
            {...form.getInputProps('record_call', { type: 'checkbox' })}
          />
        </div>
      </div>
    </Section>
  );
}

/** The webhook for finished calls. */
export function WebhookFields({ form }: { form: DraftForm }): ReactNode {
  const isActive = form.values.is_webhook_active;
  return (
    <Section title={texts.sections.webhook}>
      <Switch
        label={texts.fields.webhook}
        {...form.getInputProps('is_webhook_active', { type: 'checkbox' })}
      />
      {isActive && (
        <div className={`${classes['grid']} ${classes['below']}`}>
          <TextInput
            label={texts.fields.webhookUrl}
            withAsterisk
            type="url"
            placeholder={texts.fields.webhookPlaceholder}
            className={classes['full'] ?? ''}
            {...form.getInputProps('webhook_url')}
          />
          <Switch
            label={texts.fields.onlyCompleted}
            {...form.getInputProps('send_webhook_only_on_completed', { type: 'checkbox' })}
          />
          <Switch
            label={texts.fields.withRecording}
            {...form.getInputProps('include_recording_in_webhook', { type: 'checkbox' })}
          />
        </div>
      )}
    </Section>
  );
}
