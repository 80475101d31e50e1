/** The steps of an import in a row: what is done, what is shown now, what follows. */
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './import-steps.module.css';
import { texts } from './texts.ts';

/** In the order in which they follow each other. */
const IMPORT_STEPS = ['file', 'columns', 'check', 'result'] as const;

/** One step. */
export type ImportStep = (typeof IMPORT_STEPS)[number];

/** @param props.current - the step that the page shows */
export function ImportSteps({ current }: { current: ImportStep }): ReactNode {
  const reached = IMPORT_STEPS.indexOf(current);
  return (
    <ol className={classes['steps']} aria-label={texts.page.steps}>
      {IMPORT_STEPS.map((step, place) => (
        <li
          key={step}
          className={classes['step']}
          data-done={place < reached}
          aria-current={place === reached ? 'step' : undefined}
        >
          <span className={classes['mark']} aria-hidden="true">
            {place < reached ? <IconCheck size={14} stroke={2.2} /> : place + 1}
          </span>
          {texts.page.names[step]}
          {place < reached && <span className="visually-hidden"> ({texts.page.done})</span>}
        </li>
      ))}
    </ol>
  );
}
