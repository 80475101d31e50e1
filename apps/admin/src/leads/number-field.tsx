/** The phone number in the forms of leads. */
import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';

/** The properties are the form's. */
export function NumberField(props: TextInputProps): ReactNode {
  return (
    <TextInput
      label={texts.form.number.label}
      description={texts.form.number.hint}
      withAsterisk
      type="tel"
      autoComplete="off"
      data-testid="lead-phone"
      {...props}
    />
  );
}
