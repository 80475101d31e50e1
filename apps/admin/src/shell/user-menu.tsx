/** The signed-in user, the colour scheme, and signing out. */
import { Button, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { later } from '../ui/later.ts';
import { rememberRole } from '../session/remembered-role.ts';
import { LinkButton } from '../ui/link-button.tsx';
import classes from './user-menu.module.css';
import { texts } from './texts.ts';

const SchemeChoice = later(() => import('./scheme-choice.tsx'), 'SchemeChoice');
/** The height of the choice while it is loaded. */
const SCHEME_PIXELS = 30;

/** The first letters of the first and the last word of a name. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}

function useSignOut(): { signOut: () => void; isPending: boolean } {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const mutation = useMutation(
    trpc.session.signOut.mutationOptions({
      onSuccess: async () => {
        rememberRole(null);
        await router.navigate({ to: '/sign-in' });
        queryClient.clear();
      },
    }),
  );
  return { signOut: () => mutation.mutate(), isPending: mutation.isPending };
}

function Name({ name }: { name: string }): ReactNode {
  return (
    <>
      <span className={classes['initials']} aria-hidden="true">
        {initials(name)}
      </span>
      <span className={classes['name']}>
        {name}
        <span className="visually-hidden">{texts.account.suffix}</span>
      </span>
    </>
  );
}

/** A button with the user's name that opens the menu: a popover of the browser's own, which Escape closes. */
export function UserMenu(): ReactNode {
  const trpc = useTRPC();
  const user = useQuery(trpc.session.me.queryOptions()).data;
  const { signOut, isPending } = useSignOut();
  const panelId = useId();
  const [wasOpened, setWasOpened] = useState(false);
  if (!user) return <div className={classes['waiting']} />;
  return (
    <>
      <UnstyledButton className={classes['button'] ?? ''} popoverTarget={panelId} data-testid="user-menu">
        <Name name={user.name} />
      </UnstyledButton>
      <div
        id={panelId}
        popover="auto"
        className={classes['panel']}
        role="group"
        aria-label={texts.account.label}
        onBeforeToggle={() => setWasOpened(true)}
      >
        <Text size="sm" fw={500} truncate>
          {user.email}
        </Text>
        <Text size="xs" c="dimmed" tt="capitalize" mb="sm">
          {user.role}
        </Text>
        <Suspense fallback={<Skeleton h={SCHEME_PIXELS} />}>{wasOpened && <SchemeChoice />}</Suspense>
        <LinkButton
          to="/account"
          fullWidth
          mt="sm"
          size="xs"
          variant="default"
          leftSection={<IconUser size={16} stroke={1.6} aria-hidden />}
          data-testid="account"
          onClick={() => document.getElementById(panelId)?.hidePopover()}
        >
          {texts.account.open}
        </LinkButton>
        <Button
          fullWidth
          mt="sm"
          size="xs"
          variant="default"
          leftSection={<IconLogout size={16} stroke={1.6} aria-hidden />}
          loading={isPending}
          data-testid="sign-out"
          onClick={signOut}
        >
          {texts.account.signOut}
        </Button>
      </div>
    </>
  );
}
