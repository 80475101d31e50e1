/** The frame around every page behind the sign-in: navigation, live indicator, user menu. */
import { IconHeadset, IconKey, IconPhoneCall, IconTargetArrow } from '@tabler/icons-react';
import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LiveFeedProvider } from '../calls/live-feed.tsx';
import { Brand } from '../ui/brand.tsx';
import { LiveIndicator } from './live-indicator.tsx';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

const PAGES = [
  { to: '/assistants', label: 'Assistants', Icon: IconHeadset },
  { to: '/calls', label: 'Calls', Icon: IconPhoneCall },
  { to: '/campaigns', label: 'Campaigns', Icon: IconTargetArrow },
  { to: '/tokens', label: 'API tokens', Icon: IconKey },
] as const;

function Navigation(): ReactNode {
  return (
    <nav aria-label="Main" className={classes['navigation']}>
      {PAGES.map(({ to, label, Icon }) => (
        <Link key={to} to={to} className={classes['entry'] ?? ''}>
          <Icon size={18} stroke={1.6} aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Sidebar on wide screens, two bars on narrow ones; the page stands in `main`. */
export function Shell(): ReactNode {
  return (
    <LiveFeedProvider>
      <a href="#page" className={classes['skip']}>
        Skip to the page
      </a>
      <div className={classes['shell']}>
        <header className={classes['bar']}>
          <Link to="/assistants" className={classes['home'] ?? ''}>
            <Brand />
          </Link>
          <Navigation />
          <div className={classes['foot']}>
            <LiveIndicator />
            <UserMenu />
          </div>
        </header>
        <main id="page" tabIndex={-1} className={classes['page']}>
          <Outlet />
        </main>
      </div>
    </LiveFeedProvider>
  );
}
