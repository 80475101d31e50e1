/** A button in a row of a table. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

interface RowButtonProps {
  action: string;
  /** The accessible name, which contains the name of the row. */
  label: string;
  testId: string;
  isPending?: boolean;
  onClick: () => void;
}

/** Belongs in `RowActions`. */
export function RowButton({ action, label, testId, isPending = false, onClick }: RowButtonProps): ReactNode {
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={label}
      loading={isPending}
      data-testid={testId}
      onClick={onClick}
    >
      {action}
    </Button>
  );
}
