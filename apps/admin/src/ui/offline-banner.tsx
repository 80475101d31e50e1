/** Says so when the browser itself has no network. */
import { useNetwork } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './offline-banner.module.css';

/** A bar across the top while offline; nothing otherwise. */
export function OfflineBanner(): ReactNode {
  const { online } = useNetwork();
  if (online) return null;
  return (
    <div role="status" className={classes['banner']} data-testid="offline-banner">
      You are offline. What you see may be out of date; it is renewed when the connection is back.
    </div>
  );
}
