/** A button that asks before it acts, for everything that cannot be taken back. */
import { Button, Group, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { FormFailure } from './form-failure.tsx';

interface AskFirstProps {
  /** What the button says, and the one that confirms. */
  action: string;
  /** The button's accessible name, where the visible text depends on the row. */
  label?: string;
  look?: Pick<ButtonProps, 'size' | 'variant' | 'color' | 'leftSection'>;
  question: string;
  /** What the way out says. */
  keep: string;
  /** Of the button; the one that confirms has `-confirm` behind it. */
  testId: string;
  /** Rejects with what is shown in the dialog; it closes when this resolves. */
  run: () => Promise<unknown>;
  /** What will happen. */
  children: ReactNode;
}

/** The dialog is red at its confirmation, whatever the button looks like. */
export function AskFirst({ action, question, testId, ...props }: AskFirstProps): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const act = useMutation({ mutationFn: props.run, onSuccess: dialog.close });
  return (
    <>
      <Button
        {...props.look}
        {...(props.label !== undefined && { 'aria-label': props.label })}
        data-testid={testId}
        loading={act.isPending}
        onClick={dialog.open}
      >
        {action}
      </Button>
      <Dialog title={question} isOpen={isOpen} onClose={dialog.close}>
        {props.children}
        <FormFailure error={act.error} fields={[]} mt="md" />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={dialog.close}>
            {props.keep}
          </Button>
          <Button
            color="red"
            loading={act.isPending}
            data-testid={`${testId}-confirm`}
            onClick={() => act.mutate()}
          >
            {action}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
