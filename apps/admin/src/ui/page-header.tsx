/** The header of a page: back link, title, actions. */
import { Group, Title } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import classes from './page-header.module.css';

interface PageHeaderProps {
  title: string;
  /** The title as it is shown, where it is more than its text. */
  heading?: ReactNode;
  /** A line below the title. */
  subtitle?: ReactNode;
  /** A link to the page above this one. */
  back?: ReactNode;
  /** Buttons, at the right on wide screens. */
  actions?: ReactNode;
}

/** Also names the browser's tab. */
export function PageHeader({ title, heading, subtitle, back, actions }: PageHeaderProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  return (
    <header className={classes['header']}>
      {back && (
        <div className={classes['back']}>
          <IconChevronLeft size={16} stroke={1.6} aria-hidden />
          {back}
        </div>
      )}
      <div className={classes['row']}>
        <div className={classes['words']}>
          <Title order={1} size="h2" className={classes['title'] ?? ''}>
            {heading ?? title}
          </Title>
          {subtitle && <div className={classes['subtitle']}>{subtitle}</div>}
        </div>
        {actions && (
          <Group gap="sm" className={classes['actions'] ?? ''}>
            {actions}
          </Group>
        )}
      </div>
    </header>
  );
}
