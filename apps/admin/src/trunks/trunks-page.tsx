/** Lines and numbers: where calls go out and come in, and who answers. */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader } from '../ui/page-header.tsx';
import { CarriersSection } from '../carriers/carriers-section.tsx';
import { NumbersSection } from './numbers-section.tsx';
import { TrunksSection } from './trunks-section.tsx';
import { texts } from './texts.ts';

/** The page at `/trunks`. */
export function TrunksPage(): ReactNode {
  return (
    <>
      <PageHeader title={texts.page.title} subtitle={texts.page.subtitle} />
      <Stack gap="lg">
        <TrunksSection />
        <CarriersSection />
        <NumbersSection />
      </Stack>
    </>
  );
}
