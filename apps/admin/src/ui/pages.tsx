/** The buttons that lead through the pages of a list, each with an accessible name. */
import { Pagination } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';

interface PagesProps {
  /** Number of pages. */
  total: number;
  current: number;
  onPage: (page: number) => void;
}

/** Nothing for a single page. */
export function Pages({ total, current, onPage }: PagesProps): ReactNode {
  if (total <= 1) return null;
  return (
    <nav aria-label={texts.pages.label}>
      <Pagination
        size="sm"
        total={total}
        value={current}
        getItemProps={(page) => ({ 'aria-label': texts.pages.page(page) })}
        getControlProps={(control) => ({ 'aria-label': texts.pages[control] })}
        onChange={onPage}
      />
    </nav>
  );
}
