/** Converts one Excel file in a worker, so that the page stays responsive and a file that needs too long can be given up. */
import { spreadsheetToCsv } from './spreadsheet-csv.ts';

addEventListener('message', (event: MessageEvent<Uint8Array>) => {
  spreadsheetToCsv(event.data).then(postMessage, reportError);
});
