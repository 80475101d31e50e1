/** A sign-in link that was just created: the only time it is shown. */
import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeLine } from '../ui/code-line.tsx';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';

/** A link and the name of its user. */
export interface NewLink {
  name: string;
  link: string;
}

/** Shown on the page, not in the dialog, where Escape would lose the link. */
export function ShownLink({ made, onDone }: { made: NewLink; onDone: () => void }): ReactNode {
  return (
    <Section title={texts.link.title(made.name)}>
      <Stack gap="sm" align="flex-start" role="status" data-testid="made-link">
        <Text size="sm">
          <strong>{texts.link.once}</strong> {texts.link.text}
        </Text>
        <CodeLine code={made.link} label={texts.link.label} />
        <Button variant="default" data-testid="made-link-done" onClick={onDone}>
          {texts.link.done}
        </Button>
      </Stack>
    </Section>
  );
}
