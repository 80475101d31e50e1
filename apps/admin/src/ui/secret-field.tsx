/** A field for a key or password: hidden while it is typed, and not what the browser keeps for this site. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';

/** A stored secret is never shown, so an empty field keeps it. */
export function SecretField(props: PasswordInputProps): ReactNode {
  return (
    <PasswordInput
      autoComplete="new-password"
      aria-invalid={Boolean(props.error) || undefined}
      visibilityToggleButtonProps={{ 'aria-label': texts.showSecret }}
      {...props}
    />
  );
}
