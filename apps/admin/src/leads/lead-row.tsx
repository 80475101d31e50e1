/**
 * One row of the table of leads: shown, or edited in place. Its controls are those of the browser: a jump in a long list draws
 * some thirty rows within one frame.
 */
import { IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo, type ReactNode, Suspense, useState } from 'react';
import table from '../ui/data-table.module.css';
import { later } from '../ui/later.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { rowIndex } from '../ui/use-row-window.ts';
import { CampaignCell, type CellsProps, LastCallCell } from './lead-cells.tsx';
import { leadName } from './lead-name.rules.ts';
import classes from './lead-row.module.css';
import { texts } from './texts.ts';

const EditedCells = later(() => import('./edited-cells.tsx'), 'EditedCells');

function ShownCells({ lead, hasName, hasCampaign }: CellsProps): ReactNode {
  const name = leadName(lead.variables);
  return (
    <>
      <td>
        <Link to="/leads/$leadId" params={{ leadId: lead.id }} className={table['rowLink'] ?? ''}>
          <PhoneNumber number={lead.phone_number} />
        </Link>
        {name !== '' && <div className={`${table['under']} ${table['narrowOnly']}`}>{name}</div>}
        {lead.secondary_contacts.length > 0 && (
          <div className={`${table['under']} ${name === '' ? '' : table['mediumOnly']}`}>
            {texts.list.moreNumbers(lead.secondary_contacts.length)}
          </div>
        )}
      </td>
      {hasName && <td className={`${table['mediumOnly']} ${table['wrap']}`}>{name || '–'}</td>}
      {hasCampaign && <CampaignCell lead={lead} />}
      <td className={`${table['wrap']} ${table['twoLines']}`}>{texts.states[lead.state]}</td>
      <LastCallCell lead={lead} />
    </>
  );
}

/** How a row is selected. */
interface LeadSelecting {
  isSelected: boolean;
  /** All leads are selected. */
  isFixed: boolean;
  /** @param isRange - with all rows from the one that was selected before */
  onSelect: (row: number, isSelected: boolean, isRange: boolean) => void;
}

interface SelectCellProps extends LeadSelecting {
  row: number;
  number: string;
}

function SelectCell({ row, number, isSelected, isFixed, onSelect }: SelectCellProps): ReactNode {
  return (
    <td className={table['select']}>
      <input
        type="checkbox"
        className={`${classes['box']} ${table['aboveLink']}`}
        aria-label={texts.bulk.select(number)}
        checked={isSelected}
        disabled={isFixed}
        data-testid="lead-select"
        onChange={({ currentTarget: { checked }, nativeEvent }) =>
          onSelect(row, checked, (nativeEvent as unknown as MouseEvent).shiftKey)
        }
      />
    </td>
  );
}

/** A row of the campaign's page. */
export function LeadRow(cells: CellsProps): ReactNode {
  const { lead } = cells;
  return (
    <tr className={classes['row']} data-testid="lead-row" data-state={lead.state}>
      <ShownCells {...cells} />
    </tr>
  );
}

interface EditableLeadRowProps extends CellsProps, LeadSelecting {
  /** The position in the list, from 0. */
  row: number;
  className: string | undefined;
}

function EditableRow({
  row,
  className,
  isSelected,
  isFixed,
  onSelect,
  ...cells
}: EditableLeadRowProps): ReactNode {
  const { lead } = cells;
  const [isEdited, setIsEdited] = useState(false);
  const [wasEdited, setWasEdited] = useState(false);
  const close = (): void => {
    setIsEdited(false);
    setWasEdited(true);
  };
  return (
    <tr
      className={`${classes['row']} ${className ?? ''}`}
      aria-rowindex={rowIndex(row)}
      data-testid="lead-row"
      data-state={lead.state}
    >
      <SelectCell
        row={row}
        number={lead.phone_number}
        isSelected={isSelected}
        isFixed={isFixed}
        onSelect={onSelect}
      />
      <Suspense fallback={<ShownCells {...cells} />}>
        {isEdited ? <EditedCells {...cells} onDone={close} /> : <ShownCells {...cells} />}
      </Suspense>
      {!isEdited && (
        <td className={table['mediumOnly']}>
          <span className={table['actions']}>
            <button
              type="button"
              className={`${classes['pencil']} ${table['aboveLink']}`}
              aria-label={texts.list.editRow(lead.phone_number)}
              autoFocus={wasEdited}
              data-testid="row-edit"
              onClick={() => setIsEdited(true)}
            >
              <IconPencil size={16} stroke={1.8} aria-hidden />
            </button>
          </span>
        </td>
      )}
    </tr>
  );
}

/**
 * A row with a checkbox, edited in place. The pencil appears with the pointer or the focus, and gets the focus back. Drawn
 * again only when something of it changes: the list around it scrolls.
 */
export const EditableLeadRow = memo(EditableRow);
