import { expect, it } from 'vitest';
import { nextState } from '../shared/state-table.rules.ts';
import { IMPORT_STEPS, type ImportEvent, type ImportState } from './import-state.rules.ts';

const STATES: ImportState[] = ['running', 'interrupted', 'finished', 'undoing', 'undone'];
const EVENTS: ImportEvent[] = ['taken-over', 'finished', 'interrupted', 'undo-requested', 'leads-removed'];

/** Every step that is allowed; all other events change nothing. */
const STEPS: Record<ImportState, Partial<Record<ImportEvent, ImportState>>> = {
  running: {
    'taken-over': 'running',
    finished: 'finished',
    interrupted: 'interrupted',
    'undo-requested': 'undoing',
  },
  interrupted: { 'taken-over': 'running', 'undo-requested': 'undoing' },
  finished: { 'undo-requested': 'undoing' },
  undoing: { 'undo-requested': 'undoing', 'leads-removed': 'undone' },
  undone: {},
};

it.each(STATES.flatMap((state) => EVENTS.map((event) => ({ state, event }))))(
  'an import that is $state, then $event',
  ({ state, event }) => {
    expect(nextState(IMPORT_STEPS, state, event)).toBe(STEPS[state][event] ?? null);
  },
);
