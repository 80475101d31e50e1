/** Lines and numbers: where calls go out and come in, and who answers. */
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CarriersSection } from '../carriers/carriers-section.tsx';
import { useTRPC } from '../client/admin-client.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { NumbersSection } from './numbers-section.tsx';
import { TrunksSection } from './trunks-section.tsx';
import { texts } from './texts.ts';

/** The page at `/trunks`. All sections load at once; each appears when those above it have their height, so that none moves. */
export function TrunksPage(): ReactNode {
  const trpc = useTRPC();
  const trunks = useQuery(trpc.sipTrunks.list.queryOptions());
  const accounts = useQuery(trpc.carrierAccounts.list.queryOptions());
  useQuery(trpc.phoneNumbers.list.queryOptions());
  const hasTrunks = !trunks.isPending;
  return (
    <>
      <PageHeader title={texts.page.title} subtitle={texts.page.subtitle} />
      <Stack gap="lg">
        <TrunksSection />
        {hasTrunks && <CarriersSection />}
        {hasTrunks && !accounts.isPending && <NumbersSection />}
      </Stack>
    </>
  );
}
