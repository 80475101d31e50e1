/** The form for a new knowledge base, or for the name of one. */
import type { KnowledgebaseRecord } from '@parley/contracts';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { texts } from './texts.ts';

interface Draft {
  name: string;
  description: string;
  /** The id as text; empty: none. */
  embedding_model_id: string;
}

interface BaseFormProps {
  /** Absent: a new one. */
  base?: KnowledgebaseRecord;
  onDone: () => void;
}

/** The models of all providers; that of the knowledge base also where no provider offers it any more. */
function useEmbeddingModels(chosen: string): { value: string; label: string }[] {
  const trpc = useTRPC();
  const { data = [] } = useQuery(trpc.providers.list.queryOptions());
  const models = data.flatMap(({ embedding_models: offered }) =>
    offered.map(({ id, name }) => ({ value: String(id), label: name })),
  );
  const isKnown = chosen === '' || models.some(({ value }) => value === chosen);
  return [
    { value: '', label: texts.baseForm.embedding.none },
    ...models,
    ...(isKnown ? [] : [{ value: chosen, label: texts.baseForm.embedding.gone }]),
  ];
}

function inputOf({ name, description, embedding_model_id: model }: Draft) {
  return {
    name,
    description: description.trim() === '' ? null : description,
    embedding_model_id: model === '' ? null : Number(model),
  };
}

/** Opens the page of a new knowledge base, where its documents are added. */
export function BaseForm({ base, onDone }: BaseFormProps): ReactNode {
  const form = useForm<Draft>({
    initialValues: {
      name: base?.name ?? '',
      description: base?.description ?? '',
      embedding_model_id: String(base?.embedding_model_id ?? ''),
    },
    clearInputErrorOnChange: true,
  });
  const models = useEmbeddingModels(form.values.embedding_model_id);
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: (draft: Draft) => {
      const input = inputOf(draft);
      return base
        ? client.knowledgebases.update.mutate({ id: base.id, changes: input })
        : client.knowledgebases.create.mutate(input);
    },
    onSuccess: async ({ id }) => {
      await refresh('knowledgebases', 'lookups');
      onDone();
      if (!base) await navigate({ to: '/knowledge/$knowledgebaseId', params: { knowledgebaseId: id } });
    },
    onError: showFaults(form),
  });
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) => save.mutate(draft)}
      onCancel={onDone}
      action={base ? texts.baseForm.save : texts.baseForm.create}
      testId={base ? 'knowledge-save' : 'knowledge-create'}
    >
      <TextInput
        label={texts.baseForm.name}
        withAsterisk
        autoComplete="off"
        data-testid="knowledge-name"
        {...form.getInputProps('name')}
      />
      <Textarea
        label={texts.baseForm.description.label}
        description={texts.baseForm.description.hint}
        rows={2}
        {...form.getInputProps('description')}
      />
      <NativeSelect
        label={texts.baseForm.embedding.label}
        description={texts.baseForm.embedding.hint}
        data={models}
        data-testid="knowledge-embedding"
        {...form.getInputProps('embedding_model_id')}
      />
    </DraftForm>
  );
}
