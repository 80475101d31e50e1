/** Where in the page the dialogs below a component are; null: where they are written. */
import { createContext } from 'react';

/** Read by `Dialog`. */
export const DialogHost = createContext<HTMLElement | null>(null);
