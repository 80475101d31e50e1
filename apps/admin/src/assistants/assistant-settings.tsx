/** The settings of an assistant, read-only, and its tools, editable. */
import type { AssistantDetailsRecord, AssistantRecord } from '@parley/contracts';
import type { ReactNode } from 'react';
import { Facts } from '../ui/facts.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { Section } from '../ui/section.tsx';
import classes from './assistant-page.module.css';
import { describeSeconds, yesNo } from './assistant-labels.rules.ts';
import { useLookupNames } from './lookup-names.ts';
import { RecognitionNote } from './recognition-note.tsx';
import { ToolsSection } from './tools/tools-section.tsx';
import { texts } from './texts.ts';

function Words({ assistant }: { assistant: AssistantRecord }): ReactNode {
  return (
    <Section title={texts.sections.words}>
      <p className={classes['label']}>{texts.fields.firstMessage}</p>
      <p className={classes['prose']}>{assistant.initial_message}</p>
      <div className={classes['spaced']} />
      <p className={classes['label']}>{texts.fields.instructions}</p>
      {/* A scrollable region must be reachable by keyboard. */}
      <p className={classes['prose']} tabIndex={0}>
        {assistant.system_prompt}
      </p>
    </Section>
  );
}

function Basics({ assistant }: { assistant: AssistantDetailsRecord }): ReactNode {
  const names = useLookupNames();
  return (
    <Section title={texts.sections.basics}>
      <Facts
        layout="columns"
        facts={[
          [texts.fields.engine, texts.modes[assistant.mode]],
          [texts.fields.voice, names.voice(assistant.voice_id)],
          [texts.fields.model, names.model(assistant.llm_model_id)],
          ...(assistant.fallback_llm_models.length > 0
            ? ([[texts.fields.secondModel, assistant.fallback_llm_models.join(', ')]] as const)
            : []),
          [texts.fields.language, assistant.language ?? names.language(assistant.language_id)],
          [texts.settings.number, names.phoneNumber(assistant.phone_number_id)],
          [texts.fields.timezone, assistant.timezone],
        ]}
      />
      <div className={classes['spaced']} />
      <RecognitionNote assistantId={assistant.id} />
    </Section>
  );
}

/** Grouped like the form. */
export function AssistantSettings({ assistant }: { assistant: AssistantDetailsRecord }): ReactNode {
  return (
    <div className={classes['settings']}>
      <Basics assistant={assistant} />
      <Words assistant={assistant} />
      <ToolsSection assistant={assistant} />
      <Section title={texts.sections.conversation}>
        <Facts
          layout="columns"
          facts={[
            [
              texts.fields.firstSpeaker,
              assistant.wait_for_customer ? texts.firstSpeaker.customer : texts.firstSpeaker.assistant,
            ],
            ...(assistant.type === 'outbound'
              ? ([
                  [texts.fields.firstMessageDelay, describeSeconds(assistant.initial_message_delay)],
                ] as const)
              : []),
            [texts.fields.firstMessageInterruptible, yesNo(assistant.initial_message_interruptible)],
            [texts.fields.disclosure, assistant.disclosure_message ?? texts.fields.noDisclosure],
            [texts.fields.optOutKey, assistant.opt_out_key ?? texts.fields.noKey],
            [texts.fields.interruptible, yesNo(assistant.allow_interruptions)],
            [texts.settings.wordsToInterrupt, assistant.min_interrupt_words],
            [texts.settings.temperature, assistant.llm_temperature],
            [texts.settings.speed, assistant.speech_speed],
            [texts.settings.fillers, yesNo(assistant.fillers)],
          ]}
        />
      </Section>
      <Section title={texts.sections.limits}>
        <Facts
          layout="columns"
          facts={[
            [texts.fields.maxDuration, describeSeconds(assistant.max_duration)],
            [texts.fields.maxSilence, describeSeconds(assistant.max_silence_duration)],
            [texts.fields.reEngagement, describeSeconds(assistant.reengagement_interval)],
            [texts.settings.endsOnVoicemail, yesNo(assistant.end_call_on_voicemail)],
            [texts.settings.records, yesNo(assistant.record)],
            [texts.settings.evaluates, yesNo(assistant.post_call_evaluation)],
          ]}
        />
      </Section>
      <Section title={texts.sections.webhook}>
        <Facts
          layout="columns"
          facts={[
            [texts.settings.active, yesNo(assistant.is_webhook_active)],
            [texts.fields.webhookUrl, assistant.webhook_url],
            [texts.fields.onlyCompleted, yesNo(assistant.send_webhook_only_on_completed)],
            [texts.settings.withRecording, yesNo(assistant.include_recording_in_webhook)],
            [texts.settings.created, formatInstant(assistant.created_at)],
            [texts.settings.updated, formatInstant(assistant.updated_at)],
          ]}
        />
      </Section>
    </div>
  );
}
