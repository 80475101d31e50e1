/** The end of a form in a dialog: the way out, and the button that sends it. */
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';

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
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {texts.cancel}
      </Button>
      <Button type="submit" loading={isPending} data-testid={testId}>
        {action}
      </Button>
    </Group>
  );
}
