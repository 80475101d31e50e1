/** The field for a code of the second factor. The server asks for it by an error of the field `code`. */
import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { readRequestError } from '../client/request-error.ts';
import { texts } from './texts.ts';

/** @returns null when the error is not about the code */
export function codeFault(error: unknown): string | null {
  return readRequestError(error).fields['code']?.[0] ?? null;
}

/** Also takes recovery codes. */
export function CodeField(props: TextInputProps): ReactNode {
  return (
    <TextInput
      label={texts.code.label}
      description={texts.code.description}
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      autoFocus
      data-testid="sign-in-code"
      {...props}
    />
  );
}
