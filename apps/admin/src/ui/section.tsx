/** A titled card: the building block of every detail page. */
import { Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

interface SectionProps {
  title: string;
  /** Shown to the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** Named by its title for screen readers. */
export function Section({ title, aside, children }: SectionProps): ReactNode {
  const titleId = useId();
  return (
    <Paper
      component="section"
      withBorder
      radius="lg"
      className={classes['section'] ?? ''}
      aria-labelledby={titleId}
    >
      <div className={classes['head']}>
        <Title order={2} size="h5" id={titleId}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </Paper>
  );
}
