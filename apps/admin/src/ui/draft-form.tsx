/** A form in a dialog: the error of the last attempt, the fields, and the buttons. */
import { Button, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { FormFailure } from './form-failure.tsx';
import { texts } from './texts.ts';
import { mayDiscard, UnsavedChangesContext, useUnsavedChanges } from './unsaved-changes.ts';
import { useSubmitOnce } from './use-submit-once.ts';

interface DraftFormProps<Draft> {
  form: Pick<UseFormReturnType<Draft>, 'isDirty' | 'onSubmit'>;
  /** The request that sends the draft. */
  save: { error: unknown; isPending: boolean };
  onSubmit: (draft: Draft) => void;
  onCancel: () => void;
  /** The text of the submit button. */
  action: string;
  /** The test id of the submit button. */
  testId: string;
  /** Paths of the errors that are shown at fields; absent: all. */
  fields?: readonly string[];
  children: ReactNode;
}

/** Focuses the first field with a fault after a refused request: it may be out of sight in a long form. */
function useFirstFault(error: unknown) {
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return element;
}

/** Asks before it discards edits. The submit button is on the right. */
export function DraftForm<Draft>({ form, save, children, ...props }: DraftFormProps<Draft>): ReactNode {
  useUnsavedChanges({ isDirty: form.isDirty(), isBeingSaved: save.isPending });
  const edited = useContext(UnsavedChangesContext);
  const element = useFirstFault(save.error);
  const once = useSubmitOnce();
  return (
    <form noValidate ref={element} onSubmit={form.onSubmit((draft) => once(() => props.onSubmit(draft)))}>
      <Stack gap="md">
        <FormFailure error={save.error} {...(props.fields && { fields: props.fields })} />
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => mayDiscard(edited) && props.onCancel()}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={save.isPending} data-testid={props.testId}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
