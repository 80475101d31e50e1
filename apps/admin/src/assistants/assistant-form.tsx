/** The form for a new assistant. The server validates it, and its faults are shown at the fields. */
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { LinkButton } from '../ui/link-button.tsx';
import {
  type AssistantDraft,
  type AssistantLookups,
  type DraftForm,
  emptyDraft,
  toAssistantBody,
} from './assistant-draft.ts';
import { BasicFields, ConversationFields, LimitFields, WebhookFields } from './assistant-fields.tsx';
import { texts } from './texts.ts';
import { useUnsavedChanges } from '../ui/unsaved-changes.ts';

function useCreate(form: DraftForm) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation(
    trpc.assistants.create.mutationOptions({
      onSuccess: async ({ id }) => {
        await queryClient.invalidateQueries(trpc.assistants.pathFilter());
        await navigate({ to: '/assistants/$assistantId', params: { assistantId: id } });
      },
      onError: (error) => {
        form.setErrors(firstMessages(readRequestError(error).fields));
        focusFirstError();
      },
    }),
  );
}

/** Focuses the first invalid field, after React has marked it. */
function focusFirstError(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

/** All groups and the button. */
export function AssistantForm({ lookups }: { lookups: AssistantLookups }): ReactNode {
  const form = useForm<AssistantDraft>({
    initialValues: emptyDraft(lookups, Intl.DateTimeFormat().resolvedOptions().timeZone),
    clearInputErrorOnChange: true,
  });
  const create = useCreate(form);
  useUnsavedChanges(form.isDirty() && !create.isPending);
  const hasFieldErrors = Object.keys(form.errors).length > 0;
  return (
    <form noValidate onSubmit={form.onSubmit((draft) => create.mutate(toAssistantBody(draft)))}>
      <Stack gap="lg" maw="52rem">
        <BasicFields form={form} lookups={lookups} />
        <ConversationFields form={form} lookups={lookups} />
        <LimitFields form={form} />
        <WebhookFields form={form} />
        {create.error && (
          <Alert color="red" variant="light" role="alert" data-testid="form-error">
            {hasFieldErrors ? texts.form.faults : readRequestError(create.error).message}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={create.isPending}>
            {texts.form.action}
          </Button>
          <LinkButton to="/assistants" variant="default">
            {texts.form.cancel}
          </LinkButton>
        </Group>
      </Stack>
    </form>
  );
}
