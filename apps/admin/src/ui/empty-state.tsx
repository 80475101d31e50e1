/** Shown instead of an empty list: why it is empty and what to do about it. */
import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  text: ReactNode;
  children?: ReactNode;
}

/** Children are the next steps: a button, a command to paste. */
export function EmptyState({ icon, title, text, children }: EmptyStateProps): ReactNode {
  return (
    <div className={classes['empty']} data-testid="empty-state">
      <span className={classes['icon']} aria-hidden="true">
        {icon}
      </span>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" size="sm" maw="34rem" ta="center">
        {text}
      </Text>
      {children}
    </div>
  );
}
