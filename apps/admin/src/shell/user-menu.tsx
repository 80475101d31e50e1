/** The signed-in user, the colour scheme, and signing out. */
import { Avatar, Button, SegmentedControl, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { LinkButton } from '../ui/link-button.tsx';
import classes from './user-menu.module.css';
import { texts } from './texts.ts';

const SCHEMES = [
  { value: 'auto', label: texts.account.scheme.auto },
  { value: 'light', label: texts.account.scheme.light },
  { value: 'dark', label: texts.account.scheme.dark },
] as const;

function SchemeChoice(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={texts.account.scheme.label}
      data={[...SCHEMES]}
      value={colorScheme}
      onChange={setColorScheme}
    />
  );
}

function useSignOut(): { signOut: () => void; isPending: boolean } {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const mutation = useMutation(
    trpc.session.signOut.mutationOptions({
      onSuccess: async () => {
        await router.navigate({ to: '/sign-in' });
        queryClient.clear();
      },
    }),
  );
  return { signOut: () => mutation.mutate(), isPending: mutation.isPending };
}

/** A button with the user's name that opens the menu: a popover of the browser's own, which Escape closes. */
export function UserMenu(): ReactNode {
  const trpc = useTRPC();
  const user = useQuery(trpc.session.me.queryOptions()).data;
  const { signOut, isPending } = useSignOut();
  const panelId = useId();
  if (!user) return null;
  return (
    <>
      <UnstyledButton className={classes['button'] ?? ''} popoverTarget={panelId} data-testid="user-menu">
        <Avatar size={28} name={user.name} color="indigo" variant="light" aria-hidden />
        <span className={classes['name']}>
          {user.name}
          <span className="visually-hidden">{texts.account.suffix}</span>
        </span>
      </UnstyledButton>
      <div
        id={panelId}
        popover="auto"
        className={classes['panel']}
        role="group"
        aria-label={texts.account.label}
      >
        <Text size="sm" fw={500} truncate>
          {user.email}
        </Text>
        <Text size="xs" c="dimmed" tt="capitalize" mb="sm">
          {user.role}
        </Text>
        <SchemeChoice />
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
