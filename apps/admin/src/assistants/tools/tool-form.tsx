/** The form of one tool, generated from the table of kinds. The server validates it, and its faults are shown at the fields. */
import type { AssistantRecord, AssistantToolRecord } from '@parley/contracts';
import { NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC, useTRPCClient } from '../../client/admin-client.ts';
import { faultsBelow, faultsOfLines } from '../../client/field-faults.rules.ts';
import { firstMessages, readRequestError } from '../../client/request-error.ts';
import { DraftForm } from '../../ui/draft-form.tsx';
import { exampleArguments, exampleVariables } from './example-values.rules.ts';
import { draftOf, emptyTool, jsonFault, type ToolDraft, toTool, unchanged } from './tool-draft.rules.ts';
import classes from './tool-form.module.css';
import { TOOL_KINDS, type ToolField, type ToolType } from './tool-kinds.rules.ts';
import { type ToolDraftForm, ToolRows } from './tool-rows.tsx';
import { TryTool, type TrialValues } from './try-tool.tsx';
import { useSaveTools } from './use-save-tools.ts';
import { texts } from './texts.ts';

interface ToolFormProps {
  assistantId: number;
  /** All tools at the time when the form was opened. */
  tools: readonly AssistantToolRecord[];
  /** The index of the tool; a new one comes after the last. */
  place: number;
  type: ToolType;
  onDone: () => void;
}

/** All assistants except the owner of the tool. */
function useOthers(assistantId: number): AssistantRecord[] {
  const trpc = useTRPC();
  const assistants = useQuery(trpc.assistants.list.queryOptions()).data ?? [];
  return assistants.filter(({ id }) => id !== assistantId);
}

interface FieldProps {
  form: ToolDraftForm;
  field: ToolField;
  assistantId: number;
}

function AssistantField({ form, field, assistantId }: FieldProps): ReactNode {
  const choices = useOthers(assistantId).map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <NativeSelect
      label={field.label}
      withAsterisk
      data={[{ value: '', label: texts.form.choose }, ...choices]}
      data-testid={`tool-${field.name}`}
      {...form.getInputProps(field.name)}
    />
  );
}

function Field({ form, field, assistantId }: FieldProps): ReactNode {
  const { name, label, hint, isNeeded = false, kind } = field;
  const shared = {
    label,
    description: hint,
    withAsterisk: isNeeded,
    'data-testid': `tool-${name}`,
    ...form.getInputProps(name),
  };
  switch (kind) {
    case 'headers':
    case 'destinations':
      return <ToolRows form={form} field={field} />;
    case 'assistant':
      return <AssistantField form={form} field={field} assistantId={assistantId} />;
    case 'choice':
      return <NativeSelect {...shared} data={[...(field.choices ?? [])]} />;
    case 'text':
      return <Textarea {...shared} rows={2} />;
    case 'lines':
      return <Textarea {...shared} rows={3} />;
    case 'json':
      return (
        <Textarea {...shared} rows={6} classNames={{ input: classes['code'] ?? '' }} spellCheck={false} />
      );
    case 'number':
      return <TextInput {...shared} inputMode="numeric" />;
    case 'line':
      return <TextInput {...shared} autoComplete="off" />;
  }
}

/** Reported by the form itself, because invalid JSON cannot be sent. */
function jsonFaults(type: ToolType, draft: ToolDraft): Record<string, string | null> {
  const fields = TOOL_KINDS[type].fields.filter(({ kind }) => kind === 'json');
  return Object.fromEntries(fields.map(({ name }) => [name, jsonFault(draft[name] as string)]));
}

function useSave({ assistantId, tools, place, type, onDone }: ToolFormProps, form: ToolDraftForm) {
  const save = useSaveTools(assistantId);
  const send = (draft: ToolDraft): void => {
    const after = tools.map(unchanged);
    after[place] = toTool(type, draft);
    save.mutate(
      { before: tools, after },
      {
        onSuccess: onDone,
        onError: (error) => {
          const faults = faultsBelow(readRequestError(error).fields, `tools.${place}`);
          form.setErrors(firstMessages(faultsOfLines(faults, 'allowed_tools')));
        },
      },
    );
  };
  return { send, error: save.error, isPending: save.isPending };
}

/** Paths of the errors that are shown at fields of this form; errors of the type are not. */
function shownFaults(error: unknown, { place, type }: ToolFormProps): string[] {
  const names = TOOL_KINDS[type].fields.map(({ name }) => `tools.${place}.${name}`);
  const paths = Object.keys(readRequestError(error).fields);
  return paths.filter((path) => names.some((name) => path === name || path.startsWith(`${name}.`)));
}

/** An invalid schema has no examples; its field shows the fault when the tool is saved. */
function examplesOf({ parameters, url }: ToolDraft): TrialValues {
  const schema = parameters as string;
  const isValid = schema.trim() !== '' && jsonFault(schema) === null;
  return {
    variables: exampleVariables(url as string),
    arguments: exampleArguments(isValid ? JSON.parse(schema) : {}),
  };
}

/** Edits an existing tool or creates one of the given type. */
export function ToolForm(props: ToolFormProps): ReactNode {
  const { assistantId, tools, place, type, onDone } = props;
  const [before] = useState(() => {
    const tool = tools[place];
    return tool ? draftOf(tool) : emptyTool(type);
  });
  const form = useForm<ToolDraft>({
    initialValues: before,
    validate: (draft) => jsonFaults(type, draft),
    clearInputErrorOnChange: true,
  });
  const save = useSave(props, form);
  const client = useTRPCClient();
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {TOOL_KINDS[type].does}
      </Text>
      <DraftForm
        form={form}
        save={save}
        onSubmit={save.send}
        onCancel={onDone}
        action={tools[place] ? texts.form.save : texts.form.add}
        testId="tool-save"
        fields={shownFaults(save.error, props)}
      >
        {TOOL_KINDS[type].fields.map((field) => (
          <Field key={field.name} form={form} field={field} assistantId={assistantId} />
        ))}
      </DraftForm>
      {type === 'http_request' && (
        <TryTool
          examples={() => examplesOf(form.values)}
          send={(values) =>
            client.assistants.tryTool.mutate({ id: assistantId, tool: toTool(type, form.values), ...values })
          }
        />
      )}
    </>
  );
}
