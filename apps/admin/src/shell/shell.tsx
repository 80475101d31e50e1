/** The frame around every page behind the sign-in: navigation, live indicator, user menu. */
import { UnstyledButton } from '@mantine/core';
import {
  IconCoins,
  IconFileCheck,
  IconHeadset,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconMenu2,
  IconPhoneCall,
  IconPhoneOff,
  IconPlug,
  IconRoute,
  IconShieldCheck,
  IconTargetArrow,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { LiveFeedProvider } from '../calls/live-feed.tsx';
import { useIsOperator } from '../session/use-is-operator.ts';
import { Brand } from '../ui/brand.tsx';
import { DeletionsProvider } from '../ui/deletions.tsx';
import { HealthIndicator } from './health-indicator.tsx';
import { LiveIndicator } from './live-indicator.tsx';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';
import { texts } from './texts.ts';

/** The entries for daily work. */
const PAGES = [
  { to: '/overview', label: texts.pages.overview, Icon: IconLayoutDashboard },
  { to: '/assistants', label: texts.pages.assistants, Icon: IconHeadset },
  { to: '/calls', label: texts.pages.calls, Icon: IconPhoneCall },
  { to: '/campaigns', label: texts.pages.campaigns, Icon: IconTargetArrow },
  { to: '/leads', label: texts.pages.leads, Icon: IconUsers },
  { to: '/consents', label: texts.pages.consents, Icon: IconFileCheck },
  { to: '/do-not-call', label: texts.pages.doNotCall, Icon: IconPhoneOff },
] as const;

/** The entries for the set-up. */
const SETUP_PAGES = [
  { to: '/providers', label: texts.pages.providers, Icon: IconPlug },
  { to: '/trunks', label: texts.pages.trunks, Icon: IconRoute },
  { to: '/webhooks', label: texts.pages.webhooks, Icon: IconWebhook },
  { to: '/tokens', label: texts.pages.tokens, Icon: IconKey },
  { to: '/audit-log', label: texts.pages.auditLog, Icon: IconHistory },
] as const;

/** Only operators can read these. */
const OPERATOR_PAGES = [
  { to: '/prices', label: texts.pages.prices, Icon: IconCoins },
  { to: '/fraud-protection', label: texts.pages.fraudProtection, Icon: IconShieldCheck },
  { to: '/users', label: texts.pages.users, Icon: IconUsersGroup },
] as const;

type Page = (typeof PAGES | typeof SETUP_PAGES | typeof OPERATOR_PAGES)[number];

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
