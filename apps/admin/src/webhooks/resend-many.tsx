/** Sends all failed webhooks of some days again. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { later } from '../ui/later.ts';
import type { DeliverySearch } from './delivery-search.rules.ts';
import { texts } from './texts.ts';

const ResendForm = later(() => import('./resend-form.tsx'), 'ResendForm');

/** The days and the event of the filters are the first choice. */
export function ResendMany({ search }: { search: DeliverySearch }): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" data-testid="resend-many" onClick={dialog.open}>
        {texts.resendMany.action}
      </Button>
      <Dialog title={texts.resendMany.action} isOpen={isOpen} onClose={dialog.close}>
        <ResendForm search={search} onClose={dialog.close} />
      </Dialog>
    </>
  );
}
