/** The frame around every page behind the sign-in: navigation, live indicator, user menu. */
import { UnstyledButton } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { LiveFeedProvider } from '../calls/live-feed.tsx';
import { useIsOperator } from '../session/use-is-operator.ts';
import { Brand } from '../ui/brand.tsx';
import { DeletionsProvider } from '../ui/deletions.tsx';
import { HealthIndicator } from './health-indicator.tsx';
import { LiveIndicator } from './live-indicator.tsx';
import classes from './shell.module.css';
import { OPERATOR_PAGES, type Page, PAGES, SETUP_PAGES } from './pages.ts';
import { Shortcuts } from './shortcuts.tsx';
import { UserMenu } from './user-menu.tsx';
import { texts } from './texts.ts';

function Entry({ page: { to, label, Icon } }: { page: Page }): ReactNode {
  return (
    <Link to={to} className={classes['entry'] ?? ''}>
      <Icon size={18} stroke={1.6} aria-hidden />
      {label}
    </Link>
  );
}

/** @returns whether the menu is open, on the page where it was opened */
function useMenu(): [isOpen: boolean, toggle: () => void] {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [openOn, setOpenOn] = useState<string | null>(null);
  return [openOn === path, () => setOpenOn(openOn === path ? null : path)];
}

/** On narrow screens the entries open from a button and close when the page changes. */
function Navigation(): ReactNode {
  const [isOpen, toggle] = useMenu();
  const menuId = useId();
  const setup = useIsOperator() ? [...SETUP_PAGES, ...OPERATOR_PAGES] : SETUP_PAGES;
  return (
    <nav aria-label={texts.navigation.label} className={classes['navigation']}>
      <UnstyledButton
        className={classes['menu'] ?? ''}
        aria-expanded={isOpen}
        aria-controls={menuId}
        data-testid="menu"
        onClick={toggle}
      >
        <IconMenu2 size={20} stroke={1.6} aria-hidden />
        <span className="visually-hidden">{texts.navigation.menu}</span>
      </UnstyledButton>
      <div id={menuId} className={classes['entries']} data-open={isOpen}>
        <Shortcuts />
        {PAGES.map((page) => (
          <Entry key={page.to} page={page} />
        ))}
        <div className={classes['group']}>{texts.navigation.setup}</div>
        {setup.map((page) => (
          <Entry key={page.to} page={page} />
        ))}
      </div>
    </nav>
  );
}

/** A sidebar on wide screens, two bars on narrow ones; the page is in `main`. */
export function Shell(): ReactNode {
  return (
    <LiveFeedProvider>
      <DeletionsProvider>
        <a href="#page" className={classes['skip']}>
          {texts.navigation.skip}
        </a>
        <div className={classes['shell']}>
          <header className={classes['bar']}>
            <Link to="/overview" className={classes['home'] ?? ''}>
              <Brand />
            </Link>
            <Navigation />
            <div className={classes['foot']}>
              <HealthIndicator />
              <LiveIndicator />
              <UserMenu />
            </div>
          </header>
          <main id="page" tabIndex={-1} className={classes['page']}>
            <Outlet />
          </main>
        </div>
      </DeletionsProvider>
    </LiveFeedProvider>
  );
}
