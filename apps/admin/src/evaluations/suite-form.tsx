/** The form for a suite. Its text is checked while it is written. */
import type { SuiteDetail } from '@parley/contracts';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { DefinitionField } from './definition-field.tsx';
import { texts } from './texts.ts';

interface Draft {
  name: string;
  definition: string;
}

interface SuiteFormProps {
  /** Absent: a new one. */
  suite?: SuiteDetail;
  onDone: () => void;
}

/** A new suite begins with an example for the first assistant. */
export function SuiteForm({ suite, onDone }: SuiteFormProps): ReactNode {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const form = useForm<Draft>({
    initialValues: { name: suite?.name ?? '', definition: suite?.definition ?? '' },
    clearInputErrorOnChange: true,
  });
  const assistants = useQuery({ ...trpc.assistants.list.queryOptions(), enabled: !suite }).data;
  const first = assistants?.[0]?.name;
  useEffect(() => {
    if (suite || first === undefined || form.values.definition !== '') return;
    form.setInitialValues({ name: '', definition: texts.form.example(first) });
    form.reset();
    // Only when the name of the assistant arrives.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [first]);
  const save = useMutation({
    mutationFn: ({ name, definition }: Draft) => {
      const input = { ...(name.trim() === '' ? {} : { name }), definition };
      return suite
        ? client.suites.update.mutate({ id: suite.id, changes: input })
        : client.suites.create.mutate(input);
    },
    onSuccess: async ({ id }) => {
      form.resetDirty();
      await refresh('suites');
      onDone();
      if (!suite) await navigate({ to: '/evaluations/$suiteId', params: { suiteId: id } });
    },
    onError: showFaults(form),
  });
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) => save.mutate(draft)}
      onCancel={onDone}
      action={suite ? texts.form.save : texts.form.create}
      testId={suite ? 'suite-save' : 'suite-create'}
      fields={['name']}
    >
      <TextInput
        label={texts.form.name.label}
        description={texts.form.name.hint}
        autoComplete="off"
        data-testid="suite-name"
        {...form.getInputProps('name')}
      />
      <DefinitionField
        value={form.values.definition}
        onChange={(definition) => form.setFieldValue('definition', definition)}
      />
    </DraftForm>
  );
}
