/** A button of a row that opens a form in a dialog. */
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { RowButton } from './row-button.tsx';

interface RowDialogProps {
  action: string;
  /** The title of the dialog, and the accessible name of the button. */
  title: string;
  testId: string;
  form: (onDone: () => void) => ReactNode;
}

/** The button and its dialog. */
export function RowDialog({ action, title, testId, form }: RowDialogProps): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <RowButton action={action} label={title} testId={testId} onClick={dialog.open} />
      <Dialog title={title} isOpen={isOpen} onClose={dialog.close}>
        {form(dialog.close)}
      </Dialog>
    </>
  );
}
