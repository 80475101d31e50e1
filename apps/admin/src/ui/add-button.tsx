/** The button of a page that opens the form for a new record. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface AddButtonProps {
  label: string;
  testId: string;
  onClick: () => void;
}

/** For the header of a page and for its empty state. */
export function AddButton({ label, testId, onClick }: AddButtonProps): ReactNode {
  return (
    <Button
      leftSection={<IconPlus size={18} stroke={1.8} aria-hidden />}
      data-testid={testId}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
