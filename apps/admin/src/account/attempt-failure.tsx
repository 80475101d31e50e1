/** The failure of a form that asks for a password or a code, of which only some attempts are allowed. */
import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { readRequestError } from '../client/request-error.ts';
import { FormFailure } from '../ui/form-failure.tsx';
import { texts } from './texts.ts';

/** `fields`: those that show their own messages. */
export function AttemptFailure({ error, fields }: { error: unknown; fields: readonly string[] }): ReactNode {
  if (error !== null && readRequestError(error).kind === 'too-many')
    return (
      <Alert color="red" variant="light" role="alert">
        {texts.tooMany}
      </Alert>
    );
  return <FormFailure error={error} fields={fields} />;
}
