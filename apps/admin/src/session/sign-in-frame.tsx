/** The frame of both sign-in pages. */
import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Brand } from '../ui/brand.tsx';
import classes from './sign-in-frame.module.css';

/** A centred card with the brand above it. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <main className={classes['frame']}>
      <Brand />
      <Paper withBorder p="xl" radius="lg" className={classes['card'] ?? ''}>
        <Title order={1} size="h3" mb="lg">
          {title}
        </Title>
        {children}
      </Paper>
    </main>
  );
}
