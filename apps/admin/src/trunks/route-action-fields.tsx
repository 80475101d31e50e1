/** The fields for what happens to a call: an assistant, a message, voicemail, a choice by key, an agent, or the busy signal. */
import { menuKeys, streamFallbacks, type AssistantRecord } from '@parley/contracts';
import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { type ActionDraft, actionTypes, type RouteDraft } from './route-draft.rules.ts';
import { texts } from './texts.ts';

interface ActionFieldsProps {
  form: UseFormReturnType<RouteDraft>;
  /** Where the action is in the form: `otherwise`, `rules.0.action` or `queue.overflow`. */
  path: string;
  action: ActionDraft;
  assistants: readonly AssistantRecord[];
}

function assistantOptions(assistants: readonly AssistantRecord[]): { value: string; label: string }[] {
  return [
    { value: '', label: texts.route.chooseAssistant },
    ...assistants.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
}

function ChoiceFields({ form, path, action, assistants }: ActionFieldsProps): ReactNode {
  const { choices } = action;
  const free = menuKeys.find((key) => choices.every((choice) => choice.key !== key));
  const list = `${path}.choices`;
  return (
    <Stack gap="xs">
      {choices.map(({ key }, place) => (
        <Group key={key} align="flex-end" wrap="nowrap">
          <NativeSelect
            label={texts.route.key}
            data={[...menuKeys]}
            {...form.getInputProps(`${list}.${place}.key`)}
          />
          <NativeSelect
            label={texts.route.keyAssistant(key)}
            flex={1}
            data={assistantOptions(assistants)}
            {...form.getInputProps(`${list}.${place}.assistant_id`)}
          />
          {choices.length > 1 && (
            <Button
              variant="default"
              aria-label={texts.route.removeChoiceLabel(key)}
              onClick={() => form.removeListItem(list, place)}
            >
              {texts.route.removeChoice}
            </Button>
          )}
        </Group>
      ))}
      {form.errors[list] && (
        <Text size="xs" c="red" role="alert">
          {form.errors[list]}
        </Text>
      )}
      {free !== undefined && (
        <Group>
          <Button
            size="xs"
            variant="default"
            onClick={() => form.insertListItem(list, { key: free, assistant_id: '' })}
          >
            {texts.route.addChoice}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function StreamFields({ form, path }: ActionFieldsProps): ReactNode {
  return (
    <>
      <TextInput
        label={texts.route.streamUrl}
        description={texts.route.streamUrlHint}
        placeholder={texts.route.streamUrlExample}
        autoComplete="off"
        withAsterisk
        {...form.getInputProps(`${path}.url`)}
      />
      <Textarea
        label={texts.route.streamParameters}
        description={texts.route.streamParametersHint}
        autosize
        minRows={2}
        {...form.getInputProps(`${path}.parameters`)}
      />
      <NativeSelect
        label={texts.route.onFailure}
        data={streamFallbacks.map((value) => ({ value, label: texts.route.failures[value] }))}
        {...form.getInputProps(`${path}.on_failure`)}
      />
    </>
  );
}

/** Beside an assistant that answers, an assistant speaks the text of an action, or stands behind an agent. */
function assistantLabel(type: ActionDraft['type']): string {
  if (type === 'assistant') return texts.route.answers;
  return type === 'stream' ? texts.route.streamAssistant : texts.route.speaks;
}

function SpokenFields(props: ActionFieldsProps): ReactNode {
  const { form, path, action } = props;
  if (action.type === 'assistant' || action.type === 'reject') return null;
  if (action.type === 'stream') return <StreamFields {...props} />;
  const isVoicemail = action.type === 'voicemail';
  return (
    <>
      <Textarea
        label={texts.route.said[action.type]}
        description={texts.route.saidHint[action.type]}
        autosize
        minRows={2}
        withAsterisk
        {...form.getInputProps(`${path}.text`)}
      />
      {isVoicemail && (
        <TextInput
          label={texts.route.maxSeconds}
          description={texts.route.voicemailHint}
          type="number"
          min={10}
          max={300}
          {...form.getInputProps(`${path}.max_seconds`)}
        />
      )}
      {action.type === 'menu' && (
        <>
          <ChoiceFields {...props} />
          <Text size="xs" c="dimmed">
            {texts.route.menuHint}
          </Text>
        </>
      )}
    </>
  );
}

/** The fields of one action. @param props - `types`: those that can be selected; default: all */
export function ActionFields({
  types = actionTypes,
  ...props
}: ActionFieldsProps & { types?: typeof actionTypes }): ReactNode {
  const { form, path, action, assistants } = props;
  return (
    <Stack gap="sm">
      <NativeSelect
        label={texts.route.does}
        data={types.map((value) => ({ value, label: texts.route.actions[value] }))}
        data-testid={`${path}-type`}
        {...form.getInputProps(`${path}.type`)}
      />
      {action.type !== 'reject' && (
        <NativeSelect
          label={assistantLabel(action.type)}
          withAsterisk
          data={assistantOptions(assistants)}
          data-testid={`${path}-assistant`}
          {...form.getInputProps(`${path}.assistant_id`)}
        />
      )}
      <SpokenFields {...props} />
    </Stack>
  );
}
