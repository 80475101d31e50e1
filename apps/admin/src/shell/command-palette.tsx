/** The command palette: pages, assistants, campaigns and calls by what is typed. Loaded when it is first opened. */
import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconHeadset, IconPhoneCall, IconSearch, IconTargetArrow } from '@tabler/icons-react';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { customerLabel } from '../calls/customer-label.rules.ts';
import { useTRPC } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { useAccountZone } from '../session/use-account-zone.ts';
import { useIsOperator } from '../session/use-is-operator.ts';
import { formatInstant, instantOfLocal } from '../ui/format.rules.ts';
import { idIn, matching, numberIn } from './palette-search.rules.ts';
import { OPERATOR_PAGES, PAGES, SETUP_PAGES } from './pages.ts';
import { texts } from './texts.ts';

/** Pause in typing after which calls are searched, milliseconds. */
const TYPING_PAUSE_MS = 250;
const MOST_CALLS = 5;

const [store, palette] = createSpotlight();

interface Entry {
  key: string;
  name: string;
  description?: string;
  icon: ReactNode;
  open: () => Promise<void>;
}

const ICON = { size: 18, stroke: 1.6, 'aria-hidden': true } as const;

function usePages(): Entry[] {
  const navigate = useNavigate();
  const pages = [...PAGES, ...SETUP_PAGES, ...(useIsOperator() ? OPERATOR_PAGES : [])];
  return pages.map(({ to, label, Icon }) => ({
    key: to,
    name: label,
    icon: <Icon {...ICON} />,
    open: () => navigate({ to }),
  }));
}

function useAssistants(): Entry[] {
  const navigate = useNavigate();
  const rows = useQuery(useTRPC().assistants.list.queryOptions()).data ?? [];
  return rows.map(({ id, name }) => ({
    key: `assistant ${id}`,
    name,
    description: `#${id}`,
    icon: <IconHeadset {...ICON} />,
    open: () => navigate({ to: '/assistants/$assistantId', params: { assistantId: id } }),
  }));
}

function useCampaigns(): Entry[] {
  const navigate = useNavigate();
  const rows = useQuery(useTRPC().campaigns.list.queryOptions()).data ?? [];
  return rows.map(({ id, name }) => ({
    key: `campaign ${id}`,
    name,
    description: `#${id}`,
    icon: <IconTargetArrow {...ICON} />,
    open: () => navigate({ to: '/campaigns/$campaignId', params: { campaignId: id } }),
  }));
}

/** The call with the id, and the newest ones with the number. */
function useCalls(query: string): Entry[] {
  const navigate = useNavigate();
  const zone = useAccountZone();
  const [settled] = useDebouncedValue(query, TYPING_PAUSE_MS);
  const number = numberIn(settled);
  const found = useQuery({
    ...useTRPC().calls.list.queryOptions({ phone_number: number ?? '', page: 1, per_page: MOST_CALLS }),
    enabled: number !== null,
  });
  const open = (callId: number) => () => navigate({ to: '/calls/$callId', params: { callId } });
  const entry = (id: number, name: string, description?: string): Entry => ({
    key: `call ${id}`,
    name,
    ...(description !== undefined && { description }),
    icon: <IconPhoneCall {...ICON} />,
    open: open(id),
  });
  const id = idIn(query);
  const byNumber = number === null ? [] : (found.data?.data ?? []);
  return [
    ...(id === null ? [] : [entry(id, texts.palette.call(id))]),
    ...byNumber
      .filter((call) => call.id !== id)
      .map((call) =>
        entry(call.id, customerLabel(call), formatInstant(instantOfLocal(call.created_at, zone))),
      ),
  ];
}

function Group({ label, entries }: { label: string; entries: readonly Entry[] }): ReactNode {
  if (entries.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label={label}>
      {entries.map(({ key, name, description, icon, open }) => (
        <Spotlight.Action
          key={key}
          label={name}
          {...(description !== undefined && { description })}
          leftSection={icon}
          data-testid="palette-action"
          onClick={() => inBackground(open())}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

interface ActionsProps {
  query: string;
  /** The element around the actions. */
  list: RefObject<HTMLDivElement | null>;
}

function Actions({ query, list }: ActionsProps): ReactNode {
  const groups = [
    { label: texts.palette.pages, entries: matching(usePages(), query) },
    { label: texts.pages.assistants, entries: matching(useAssistants(), query) },
    { label: texts.pages.campaigns, entries: matching(useCampaigns(), query) },
    { label: texts.pages.calls, entries: useCalls(query) },
  ];
  const keys = groups.flatMap(({ entries }) => entries.map(({ key }) => key)).join();
  // The library marks what Enter opens after typing only; lists and calls may arrive later.
  useEffect(() => {
    if (list.current?.querySelector('[data-selected]')) return;
    list.current?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  }, [keys, list]);
  if (groups.every(({ entries }) => entries.length === 0))
    return <Spotlight.Empty>{texts.palette.nothing}</Spotlight.Empty>;
  return groups.map((group) => <Group key={group.label} {...group} />);
}

/** Opens when `opened` grows. Its lists are loaded while it is open. */
export function CommandPalette({ opened }: { opened: number }): ReactNode {
  const [query, setQuery] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => palette.open(), [opened]);
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      // It would add a style element, which the content security policy forbids.
      lockScroll={false}
      scrollable
      maxHeight="60vh"
      title={texts.palette.title}
      classNames={{ header: 'visually-hidden' }}
      onSpotlightOpen={() => setIsOpen(true)}
      onSpotlightClose={() => setIsOpen(false)}
    >
      <Spotlight.Search
        placeholder={texts.palette.placeholder}
        aria-label={texts.palette.title}
        leftSection={<IconSearch {...ICON} />}
        data-testid="palette-search"
      />
      <Spotlight.ActionsList ref={list}>
        {isOpen && <Actions query={query} list={list} />}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
