/** One row of the table of leads: shown, or edited in place. */
import { ActionIcon } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import table from '../ui/data-table.module.css';
import { later } from '../ui/later.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { CampaignCell, type CellsProps, LastCallCell } from './lead-cells.tsx';
import { leadName } from './lead-name.rules.ts';
import classes from './lead-row.module.css';
import { texts } from './texts.ts';

const EditedCells = later(() => import('./edited-cells.tsx'), 'EditedCells');

function ShownCells({ lead, hasName, hasCampaign }: CellsProps): ReactNode {
  return (
    <>
      <td>
        <Link to="/leads/$leadId" params={{ leadId: lead.id }} className={table['rowLink'] ?? ''}>
          <PhoneNumber number={lead.phone_number} />
        </Link>
        {lead.secondary_contacts.length > 0 && (
          <div className={table['under']}>{texts.list.moreNumbers(lead.secondary_contacts.length)}</div>
        )}
      </td>
      {hasName && (
        <td className={`${table['mediumOnly']} ${table['wrap']}`}>{leadName(lead.variables) || '–'}</td>
      )}
      {hasCampaign && <CampaignCell lead={lead} />}
      <td className={table['wrap']}>{texts.states[lead.state]}</td>
      <LastCallCell lead={lead} />
    </>
  );
}

interface LeadRowProps extends CellsProps {
  isEditable: boolean;
  /** The cell that selects it. */
  select: ReactNode;
}

/** The pencil appears with the pointer or the focus, and gets the focus back. */
export function LeadRow({ isEditable, select, ...cells }: LeadRowProps): ReactNode {
  const { lead } = cells;
  const [isEdited, setIsEdited] = useState(false);
  const [wasEdited, setWasEdited] = useState(false);
  const close = (): void => {
    setIsEdited(false);
    setWasEdited(true);
  };
  return (
    <tr className={classes['row']} data-testid="lead-row" data-state={lead.state}>
      {select}
      <Suspense fallback={<ShownCells {...cells} />}>
        {isEdited ? <EditedCells {...cells} onDone={close} /> : <ShownCells {...cells} />}
      </Suspense>
      {isEditable && !isEdited && (
        <td className={table['mediumOnly']}>
          <span className={table['actions']}>
            <ActionIcon
              className={`${classes['pencil']} ${table['aboveLink']}`}
              variant="default"
              aria-label={texts.list.editRow(lead.phone_number)}
              autoFocus={wasEdited}
              data-testid="row-edit"
              onClick={() => setIsEdited(true)}
            >
              <IconPencil size={16} stroke={1.8} aria-hidden />
            </ActionIcon>
          </span>
        </td>
      )}
    </tr>
  );
}
