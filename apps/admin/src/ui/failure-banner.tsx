/** Shows failures that no form or page reports: those of work in the background, and errors in event handlers. */
import { Alert } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { readRequestError } from '../client/request-error.ts';
import classes from './failure-banner.module.css';
import { texts } from './texts.ts';

/** Requests that were cancelled, for example because the page changed, are not failures. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && /^(AbortError|CancelledError)$/.test(error.name);
}

/** The latest failure, until it is dismissed. */
export function FailureBanner(): ReactNode {
  const [message, setMessage] = useState<string | null>(null);
  const show = (error: unknown): void => {
    // Browsers also report their own notices this way, without an error.
    if (error !== null && error !== undefined && !isCancelled(error))
      setMessage(readRequestError(error).message);
  };
  useWindowEvent('error', (event) => show(event.error));
  useWindowEvent('unhandledrejection', (event) => show(event.reason));
  if (message === null) return null;
  return (
    <Alert
      color="red"
      variant="filled"
      role="alert"
      className={classes['banner'] ?? ''}
      title={texts.failure.background}
      withCloseButton
      closeButtonLabel={texts.close}
      data-testid="failure-banner"
      onClose={() => setMessage(null)}
    >
      {message}
    </Alert>
  );
}
