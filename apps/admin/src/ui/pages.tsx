/** The buttons that lead through the pages of a list, each with an accessible name. */
import { Pagination } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { texts } from './texts.ts';

interface PagesProps {
  /** Number of pages. */
  total: number;
  current: number;
  /** The current page has no rows. */
  isEmpty: boolean;
  /** `isCorrection`: the current page is behind the last one, and the browser should not remember it. */
  onPage: (page: number, isCorrection?: boolean) => void;
}

/**
 * Nothing for a single page. Leads from a page behind the last one to that: its rows were removed, or an address is old or
 * mistyped.
 */
export function Pages({ total, current, isEmpty, onPage }: PagesProps): ReactNode {
  const isBehind = isEmpty && current > total;
  const correct = useEffectEvent(() => onPage(total, true));
  useEffect(() => {
    if (isBehind) correct();
  }, [isBehind]);
  if (total <= 1) return null;
  return (
    <nav aria-label={texts.pages.label}>
      <Pagination
        size="sm"
        total={total}
        value={current}
        getItemProps={(page) => ({ 'aria-label': texts.pages.page(page) })}
        getControlProps={(control) => ({ 'aria-label': texts.pages[control] })}
        onChange={(page) => onPage(page)}
      />
    </nav>
  );
}
