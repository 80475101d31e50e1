/** The keyboard shortcuts of every page: the command palette, and the list of shortcuts. */
import { Kbd, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Facts } from '../ui/facts.tsx';
import classes from './shell.module.css';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const CommandPalette = later(() => import('./command-palette.tsx'), 'CommandPalette');

/** Works in fields too. */
const EVERYWHERE: string[] = [];

function ShortcutList(): ReactNode {
  return (
    <Facts facts={texts.shortcuts.list.map(([keys, effect]) => [effect, <Kbd key={keys}>{keys}</Kbd>])} />
  );
}

/** The button that opens the palette, for those who do not know the keys. */
export function Shortcuts(): ReactNode {
  const [opened, setOpened] = useState(0);
  const [isListOpen, list] = useDisclosure(false);
  const open = (): void => setOpened((before) => before + 1);
  useHotkeys([['mod+K', open]], EVERYWHERE);
  useHotkeys([['shift+?', list.open]]);
  return (
    <>
      <UnstyledButton className={classes['entry'] ?? ''} data-testid="palette-open" onClick={open}>
        <IconSearch size={18} stroke={1.6} aria-hidden />
        {texts.palette.open}
      </UnstyledButton>
      {opened > 0 && (
        <Suspense>
          <CommandPalette opened={opened} />
        </Suspense>
      )}
      <Dialog title={texts.shortcuts.title} isOpen={isListOpen} onClose={list.close}>
        <ShortcutList />
      </Dialog>
    </>
  );
}
