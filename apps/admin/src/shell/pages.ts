/** The entries of the navigation. */
import {
  IconBooks,
  IconCalendarTime,
  IconCoins,
  IconFileCheck,
  IconHeadset,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListSearch,
  IconMessages,
  IconPhoneCall,
  IconPhoneOff,
  IconPlug,
  IconRoute,
  IconShieldCheck,
  IconTargetArrow,
  IconTestPipe,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { texts } from './texts.ts';

/** The entries for daily work. */
export const PAGES = [
  { to: '/overview', label: texts.pages.overview, Icon: IconLayoutDashboard },
  { to: '/assistants', label: texts.pages.assistants, Icon: IconHeadset },
  { to: '/knowledge', label: texts.pages.knowledge, Icon: IconBooks },
  { to: '/evaluations', label: texts.pages.evaluations, Icon: IconTestPipe },
  { to: '/calls', label: texts.pages.calls, Icon: IconPhoneCall },
  { to: '/conversations', label: texts.pages.conversations, Icon: IconMessages },
  { to: '/campaigns', label: texts.pages.campaigns, Icon: IconTargetArrow },
  { to: '/leads', label: texts.pages.leads, Icon: IconUsers },
  { to: '/consents', label: texts.pages.consents, Icon: IconFileCheck },
  { to: '/do-not-call', label: texts.pages.doNotCall, Icon: IconPhoneOff },
] as const;

/** The entries for the set-up. */
export const SETUP_PAGES = [
  { to: '/providers', label: texts.pages.providers, Icon: IconPlug },
  { to: '/trunks', label: texts.pages.trunks, Icon: IconRoute },
  { to: '/webhooks', label: texts.pages.webhooks, Icon: IconWebhook },
  { to: '/tokens', label: texts.pages.tokens, Icon: IconKey },
  { to: '/api-log', label: texts.pages.apiLog, Icon: IconListSearch },
  { to: '/audit-log', label: texts.pages.auditLog, Icon: IconHistory },
] as const;

/** Only operators can read these. */
export const OPERATOR_PAGES = [
  { to: '/prices', label: texts.pages.prices, Icon: IconCoins },
  { to: '/fraud-protection', label: texts.pages.fraudProtection, Icon: IconShieldCheck },
  { to: '/retention', label: texts.pages.retention, Icon: IconCalendarTime },
  { to: '/users', label: texts.pages.users, Icon: IconUsersGroup },
] as const;

/** One of them. */
export type Page = (typeof PAGES | typeof SETUP_PAGES | typeof OPERATOR_PAGES)[number];
