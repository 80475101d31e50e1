/** Shown instead of a page while it loads, when it fails, and when it does not exist. */
import { Center, Loader, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { LinkButton } from './link-button.tsx';
import { RequestFailure } from './request-failure.tsx';
import { inBackground } from '../client/in-background.ts';
import { texts } from './texts.ts';
import { currentTimeMs } from '../client/clock.ts';
import { isMissingChunk, mayReload } from '../client/missing-chunk.rules.ts';

/** Shown when a page needs more than a moment. */
export function PagePending(): ReactNode {
  return (
    <Center mih="60vh" role="status" aria-label={texts.page.loading}>
      <Loader size="sm" aria-hidden />
    </Center>
  );
}

const LAST_RELOAD = 'parley-last-reload';

/** Loads the new version once where the tab is older than the server. */
function useReloadAfterUpgrade(isOutdated: boolean): void {
  useEffect(() => {
    const nowMs = currentTimeMs();
    if (!isOutdated || !mayReload(sessionStorage.getItem(LAST_RELOAD), nowMs)) return;
    sessionStorage.setItem(LAST_RELOAD, String(nowMs));
    location.reload();
  }, [isOutdated]);
}

/** Shown when a page, or the check of the session, failed. */
export function PageFailure({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  const isOutdated = isMissingChunk(error);
  useReloadAfterUpgrade(isOutdated);
  const retry = (): void => {
    if (isOutdated) return location.reload();
    reset();
    inBackground(router.invalidate());
  };
  return (
    <Center mih="60vh" p="md">
      <RequestFailure error={isOutdated ? new Error(texts.page.outdated) : error} onRetry={retry} />
    </Center>
  );
}

/** Shown for an unknown address, outside the frame, which brings the `main` of all other pages. */
export function UnknownAddress(): ReactNode {
  return (
    <main>
      <PageMissing />
    </main>
  );
}

/** Shown for a record that cannot exist. */
export function PageMissing(): ReactNode {
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="xs">
        <Title order={1} size="h3">
          {texts.page.missing.title}
        </Title>
        <Text c="dimmed">{texts.page.missing.text}</Text>
        <LinkButton to="/" variant="default" mt="sm">
          {texts.page.missing.action}
        </LinkButton>
      </Stack>
    </Center>
  );
}
