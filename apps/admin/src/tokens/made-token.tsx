/** A token that was just made: the one time its text is on screen. */
import type { NewTokenRecord } from '@parley/contracts';
import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeLine } from '../ui/code-line.tsx';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';

interface MadeTokenProps {
  made: NewTokenRecord;
  onDone: () => void;
}

/** Shown on the page, not in the dialog, where Escape would lose the token. */
export function MadeToken({ made, onDone }: MadeTokenProps): ReactNode {
  return (
    <Section title={texts.made.title(made.name)}>
      <Stack gap="sm" align="flex-start" role="status" data-testid="made-token">
        <Text size="sm">
          <strong>{texts.made.once}</strong> {texts.made.text}
        </Text>
        <CodeLine code={made.token ?? ''} label={texts.made.label} />
        <Button variant="default" data-testid="made-token-done" onClick={onDone}>
          {texts.made.done}
        </Button>
      </Stack>
    </Section>
  );
}
