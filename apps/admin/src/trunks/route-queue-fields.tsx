/** The queue of a number: how many talk, how many wait and how long, what they hear, and what happens to the others. */
import { queueLimits, type AssistantRecord } from '@parley/contracts';
import { Fieldset, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import fields from '../ui/field-columns.module.css';
import { ActionFields } from './route-action-fields.tsx';
import { overflowTypes, type RouteDraft } from './route-draft.rules.ts';
import { texts } from './texts.ts';

interface QueueFieldsProps {
  form: UseFormReturnType<RouteDraft>;
  assistants: readonly AssistantRecord[];
}

const NUMBERS = ['max_calls', 'max_waiting', 'max_wait_seconds', 'announce_every_seconds'] as const;

/** The switch, and the fields once it is on. */
export function QueueFields({ form, assistants }: QueueFieldsProps): ReactNode {
  const { isOn, overflow } = form.values.queue;
  return (
    <Fieldset legend={texts.route.queue.title}>
      <Stack gap="sm">
        <Switch
          label={texts.route.queue.isOn}
          description={texts.route.queue.isOnHint}
          data-testid="route-queue"
          {...form.getInputProps('queue.isOn', { type: 'checkbox' })}
        />
        {isOn && (
          <>
            <div className={fields['columns']}>
              {NUMBERS.map((name) => (
                <TextInput
                  key={name}
                  label={texts.route.queue.labels[name]}
                  description={texts.route.queue.hints[name]}
                  type="number"
                  min={queueLimits[name].minimum}
                  max={queueLimits[name].maximum}
                  {...form.getInputProps(`queue.${name}`)}
                />
              ))}
            </div>
            <Textarea
              label={texts.route.queue.text}
              description={texts.route.queue.textHint}
              autosize
              minRows={2}
              withAsterisk
              {...form.getInputProps('queue.text')}
            />
            <Fieldset legend={texts.route.queue.overflow}>
              <ActionFields
                form={form}
                path="queue.overflow"
                action={overflow}
                assistants={assistants}
                types={overflowTypes}
              />
            </Fieldset>
          </>
        )}
      </Stack>
    </Fieldset>
  );
}
