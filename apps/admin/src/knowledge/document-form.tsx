/** The form that adds a document: a text, a file or the pages of a website. */
import { FileInput, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import {
  documentFaults,
  documentSources,
  emptyDocument,
  fileType,
  websiteOf,
  type DocumentDraft,
} from './document-draft.rules.ts';
import { texts } from './texts.ts';
import { uploadDocument } from './upload-document.ts';

type DocumentDraftForm = UseFormReturnType<DocumentDraft>;

interface DocumentFormProps {
  knowledgebaseId: number;
  onDone: () => void;
}

const SOURCES = documentSources.map((value) => ({ value, label: texts.form.sources[value] }));

function useAdd(form: DocumentDraftForm, { knowledgebaseId, onDone }: DocumentFormProps) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (draft: DocumentDraft): Promise<void> => {
      if (draft.source === 'website') {
        await client.documents.create.mutate({ id: knowledgebaseId, draft: websiteOf(draft) });
        return;
      }
      const isFile = draft.source === 'file' && draft.file !== null;
      await uploadDocument({
        knowledgebaseId,
        name: draft.name.trim(),
        type: (isFile && fileType(draft.file?.name ?? '')) || 'txt',
        content: isFile && draft.file ? draft.file : new Blob([draft.text]),
      });
    },
    onSuccess: async () => {
      await refresh('documents', 'knowledgebases');
      onDone();
    },
    onError: showFaults(form),
  });
}

function WebsiteFields({ form }: { form: DocumentDraftForm }): ReactNode {
  return (
    <>
      <TextInput
        label={texts.form.url.label}
        description={texts.form.url.hint}
        type="url"
        withAsterisk
        autoComplete="off"
        data-testid="document-url"
        {...form.getInputProps('url')}
      />
      <TextInput
        label={texts.form.pages.label}
        description={texts.form.pages.hint}
        type="number"
        min={1}
        max={50}
        {...form.getInputProps('relative_links_limit')}
      />
    </>
  );
}

function SourceFields({ form }: { form: DocumentDraftForm }): ReactNode {
  const { source } = form.values;
  if (source === 'website') return <WebsiteFields form={form} />;
  if (source === 'file')
    return (
      <FileInput
        label={texts.form.file.label}
        description={texts.form.file.hint}
        accept=".pdf,.txt,.md,.markdown,.html,.htm"
        withAsterisk
        data-testid="document-file"
        {...form.getInputProps('file')}
      />
    );
  return (
    <Textarea
      label={texts.form.text.label}
      withAsterisk
      rows={10}
      data-testid="document-text"
      {...form.getInputProps('text')}
    />
  );
}

/** Closes once the document is stored; the list shows when it has been read. */
export function DocumentForm(props: DocumentFormProps): ReactNode {
  const form = useForm<DocumentDraft>({
    initialValues: emptyDocument,
    validate: documentFaults,
    clearInputErrorOnChange: true,
  });
  const add = useAdd(form, props);
  return (
    <DraftForm
      form={form}
      save={add}
      onSubmit={(draft) => add.mutate(draft)}
      onCancel={props.onDone}
      action={texts.form.action}
      testId="document-add"
      fields={['name', 'url', 'relative_links_limit']}
    >
      <TextInput
        label={texts.form.name}
        withAsterisk
        autoComplete="off"
        data-testid="document-name"
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label={texts.form.source}
        data={SOURCES}
        data-testid="document-source"
        {...form.getInputProps('source')}
      />
      <SourceFields form={form} />
    </DraftForm>
  );
}
