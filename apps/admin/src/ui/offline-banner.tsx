/** Shown while the browser has no network. */
import { useNetwork } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './offline-banner.module.css';
import { texts } from './texts.ts';

/** A bar across the top while offline; nothing otherwise. */
export function OfflineBanner(): ReactNode {
  const { online } = useNetwork();
  if (online) return null;
  return (
    <div role="status" className={classes['banner']} data-testid="offline-banner">
      {texts.offline}
    </div>
  );
}
