/** A button that asks for confirmation, for every action that cannot be undone. */
import { Button, type ButtonProps, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { FormFailure } from './form-failure.tsx';
import { useSubmitOnce } from './use-submit-once.ts';

interface AskFirstProps {
  /** The text of the button and of the one that confirms. */
  action: string;
  /** The button's accessible name, where the visible text depends on the row. */
  label?: string;
  /** Default: a button in a row of a table. */
  look?: Pick<ButtonProps, 'size' | 'variant' | 'color' | 'leftSection'>;
  question: string;
  /** The consequences of the action. */
  text: string;
  /** The text of the button that cancels. */
  keep: string;
  /** The test id of the button; that of the button that confirms ends with `-confirm`. */
  testId: string;
  /** The dialog shows the error of a rejection and closes when this resolves. */
  run: () => Promise<unknown>;
  /** Fields below the text. */
  children?: ReactNode;
}

const ROW_LOOK = { size: 'xs', variant: 'default' };

/** The confirming button is always red. */
export function AskFirst({ action, question, testId, ...props }: AskFirstProps): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const act = useMutation({ mutationFn: props.run, onSuccess: dialog.close });
  const once = useSubmitOnce();
  return (
    <>
      <Button
        {...(props.look ?? ROW_LOOK)}
        {...(props.label !== undefined && { 'aria-label': props.label })}
        data-testid={testId}
        loading={act.isPending}
        onClick={dialog.open}
      >
        {action}
      </Button>
      <Dialog title={question} isOpen={isOpen} onClose={dialog.close}>
        <Text size="sm">{props.text}</Text>
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
            onClick={() => once(() => act.mutate())}
          >
            {action}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
