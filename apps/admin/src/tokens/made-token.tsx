/** A token that was just made: the one time its text is on screen. */
import type { NewTokenRecord } from '@parley/contracts';
import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeLine } from '../ui/code-line.tsx';
import { Section } from '../ui/section.tsx';

interface MadeTokenProps {
  made: NewTokenRecord;
  onDone: () => void;
}

/** Stands on the page, not in the dialog: there, one Escape would lose the token. */
export function MadeToken({ made, onDone }: MadeTokenProps): ReactNode {
  return (
    <Section title={`New token: ${made.name}`}>
      <Stack gap="sm" align="flex-start" role="status" data-testid="made-token">
        <Text size="sm">
          <strong>It is shown only now.</strong> Copy it and keep it like a password: only its first
          characters can be seen later, and whoever has it can do what it allows.
        </Text>
        <CodeLine code={made.token ?? ''} label="The new token" />
        <Button variant="default" data-testid="made-token-done" onClick={onDone}>
          I have copied it
        </Button>
      </Stack>
    </Section>
  );
}
