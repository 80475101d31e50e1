/** All settings of an assistant: to read, and its tools to change. */
import type { AssistantRecord } from '@parley/contracts';
import type { ReactNode } from 'react';
import { Facts } from '../ui/facts.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { Section } from '../ui/section.tsx';
import classes from './assistant-page.module.css';
import { describeSeconds, modeLabel, yesNo } from './assistant-words.rules.ts';
import { useLookupNames } from './lookup-names.ts';
import { RecognitionNote } from './recognition-note.tsx';
import { ToolsSection } from './tools/tools-section.tsx';

function Words({ assistant }: { assistant: AssistantRecord }): ReactNode {
  return (
    <Section title="What it says">
      <p className={classes['label']}>First message</p>
      <p className={classes['prose']}>{assistant.initial_message}</p>
      <div className={classes['spaced']} />
      <p className={classes['label']}>Instructions</p>
      {/* A scrollable region must be reachable by keyboard. */}
      <p className={classes['prose']} tabIndex={0}>
        {assistant.system_prompt}
      </p>
    </Section>
  );
}

function Basics({ assistant }: { assistant: AssistantRecord }): ReactNode {
  const names = useLookupNames();
  return (
    <Section title="Basics">
      <Facts
        layout="columns"
        facts={[
          ['Engine', modeLabel(assistant.mode)],
          ['Voice', names.voice(assistant.voice_id)],
          ['Model', names.model(assistant.llm_model_id)],
          ['Language', assistant.language ?? names.language(assistant.language_id)],
          ['Number', names.phoneNumber(assistant.phone_number_id)],
          ['Time zone', assistant.timezone],
        ]}
      />
      <div className={classes['spaced']} />
      <RecognitionNote assistantId={assistant.id} />
    </Section>
  );
}

/** Grouped like the form that makes them. */
export function AssistantSettings({ assistant }: { assistant: AssistantRecord }): ReactNode {
  return (
    <div className={classes['settings']}>
      <Basics assistant={assistant} />
      <Words assistant={assistant} />
      <ToolsSection assistant={assistant} />
      <Section title="Conversation">
        <Facts
          layout="columns"
          facts={[
            ['Speaks first', assistant.wait_for_customer ? 'Customer' : 'Assistant'],
            ['May be interrupted', yesNo(assistant.allow_interruptions)],
            ['Words to interrupt', assistant.min_interrupt_words],
            ['Temperature', assistant.llm_temperature],
            ['Speed of speech', assistant.speech_speed],
            ['Fillers', yesNo(assistant.fillers)],
          ]}
        />
      </Section>
      <Section title="Limits">
        <Facts
          layout="columns"
          facts={[
            ['Longest call', describeSeconds(assistant.max_duration)],
            ['Longest silence', describeSeconds(assistant.max_silence_duration)],
            ['Asks again after', describeSeconds(assistant.reengagement_interval)],
            ['Ends on voicemail', yesNo(assistant.end_call_on_voicemail)],
            ['Records calls', yesNo(assistant.record)],
            ['Evaluates calls', yesNo(assistant.post_call_evaluation)],
          ]}
        />
      </Section>
      <Section title="Webhook">
        <Facts
          layout="columns"
          facts={[
            ['Active', yesNo(assistant.is_webhook_active)],
            ['Address', assistant.webhook_url],
            ['Only completed calls', yesNo(assistant.send_webhook_only_on_completed)],
            ['With recording', yesNo(assistant.include_recording_in_webhook)],
            ['Created', formatInstant(assistant.created_at)],
            ['Updated', formatInstant(assistant.updated_at)],
          ]}
        />
      </Section>
    </div>
  );
}
