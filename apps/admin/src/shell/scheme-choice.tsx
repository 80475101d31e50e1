/** The choice of the colour scheme. */
import { useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { Segments } from '../ui/segments.tsx';
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
    <Segments
      label={texts.account.scheme.label}
      options={SCHEMES}
      value={colorScheme}
      onChange={setColorScheme}
    />
  );
}
