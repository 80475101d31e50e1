/** A signing secret that was just made: the one time its text is on screen. */
import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeLine } from '../ui/code-line.tsx';
import { texts } from './texts.ts';

/** Shown on the page, not in a dialog, where Escape would lose the secret. */
export function MadeSecret({ secret, onDone }: { secret: string; onDone: () => void }): ReactNode {
  return (
    <Stack gap="sm" align="flex-start" role="status" data-testid="made-secret">
      <Text size="sm" fw={500}>
        {texts.secret.made}
      </Text>
      <CodeLine code={secret} label={texts.secret.label} />
      <Button variant="default" onClick={onDone}>
        {texts.secret.done}
      </Button>
    </Stack>
  );
}
