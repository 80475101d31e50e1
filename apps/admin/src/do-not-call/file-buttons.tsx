/** The list as a file: export of what is searched for, and import. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const ImportForm = later(() => import('./import-form.tsx'), 'ImportForm');

/** Opens the import. */
export function ImportButton(): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconUpload size={18} stroke={1.8} aria-hidden />}
        data-testid="do-not-call-import"
        onClick={dialog.open}
      >
        {texts.import.open}
      </Button>
      <Dialog title={texts.import.title} isOpen={isOpen} onClose={dialog.close}>
        <ImportForm onDone={dialog.close} />
      </Dialog>
    </>
  );
}

/** @param props.phoneNumber - the part of the number that is searched for */
export function ExportButton({ phoneNumber }: { phoneNumber: string | undefined }): ReactNode {
  const query = new URLSearchParams(phoneNumber === undefined ? {} : { phone_number: phoneNumber });
  return (
    <Button
      component="a"
      href={`/do-not-call-files/export?${query.toString()}`}
      download
      variant="default"
      leftSection={<IconDownload size={18} stroke={1.8} aria-hidden />}
      data-testid="do-not-call-export"
    >
      {texts.export}
    </Button>
  );
}
