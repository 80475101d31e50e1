/** The error of a form or a button, in a red box. Errors shown at the form's fields are not repeated. */
import { Alert, type AlertProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { unseenMessage } from '../client/field-faults.rules.ts';
import { readRequestError } from '../client/request-error.ts';

interface FormFailureProps extends Pick<AlertProps, 'mt'> {
  error: unknown;
  /** Names on the wire of the fields that show their own messages; left out: all that the server may name. */
  fields?: readonly string[];
}

/** Renders nothing without an error, or when every error is shown at a field. */
export function FormFailure({ error, fields: shown, ...look }: FormFailureProps): ReactNode {
  if (error === null || error === undefined) return null;
  const message = unseenMessage(readRequestError(error), shown);
  if (message === null) return null;
  return (
    <Alert {...look} color="red" variant="light" role="alert">
      {message}
    </Alert>
  );
}
