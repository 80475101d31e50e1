/** Lines and numbers: where calls go out and come in, and who answers. */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader } from '../ui/page-header.tsx';
import { NumbersSection } from './numbers-section.tsx';
import { TrunksSection } from './trunks-section.tsx';

/** The page at `/lines`. */
export function LinesPage(): ReactNode {
  return (
    <>
      <PageHeader title="Lines and numbers" subtitle="Where calls go out and come in." />
      <Stack gap="lg">
        <TrunksSection />
        <NumbersSection />
      </Stack>
    </>
  );
}
