/** The button of a page that opens the form for a new record. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface AddButtonProps {
  label: string;
  /** In the head of a section. */
  isSmall?: boolean;
  testId: string;
  onClick: () => void;
}

/** For the header of a page or section and for its empty state. */
export function AddButton({ label, isSmall = false, testId, onClick }: AddButtonProps): ReactNode {
  return (
    <Button
      size={isSmall ? 'xs' : 'sm'}
      leftSection={<IconPlus size={isSmall ? 16 : 18} stroke={1.8} aria-hidden />}
      data-testid={testId}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
