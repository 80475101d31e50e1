/** The product's mark and name. */
import type { ReactNode } from 'react';
import classes from './brand.module.css';
import { texts } from './texts.ts';

/** Four bars of a voice, and the name. */
export function Brand(): ReactNode {
  return (
    <span className={classes['brand']}>
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" fill="#3b5bdb" />
        <path
          d="M9 12v8M13.7 8.5v15M18.3 11v10M23 14v4"
          stroke="#fff"
          strokeWidth="2.6"
          strokeLinecap="round"
        />
      </svg>
      {texts.product}
    </span>
  );
}
