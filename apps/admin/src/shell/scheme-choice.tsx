/** The choice of the colour scheme. */
import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';

const SCHEMES = [
  { value: 'auto', label: texts.account.scheme.auto },
  { value: 'light', label: texts.account.scheme.light },
  { value: 'dark', label: texts.account.scheme.dark },
] as const;

/** In the menu of the user. */
export function SchemeChoice(): ReactNode {
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
