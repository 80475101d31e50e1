/** The end of a form in a dialog: the way out, and the button that sends it. */
import { Button, Group } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { texts } from './texts.ts';
import { mayDiscard, UnsavedChangesContext } from './unsaved-changes.ts';

interface FormButtonsProps {
  /** What the button says that sends the form. */
  action: string;
  isPending: boolean;
  /** Of the button that sends the form. */
  testId: string;
  onCancel: () => void;
}

/** The submit button is on the right. */
export function FormButtons({ action, isPending, testId, onCancel }: FormButtonsProps): ReactNode {
  const hasChanges = useContext(UnsavedChangesContext);
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={() => mayDiscard(hasChanges) && onCancel()}>
        {texts.cancel}
      </Button>
      <Button type="submit" loading={isPending} data-testid={testId}>
        {action}
      </Button>
    </Group>
  );
}
