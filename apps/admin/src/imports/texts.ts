/** The texts of imports: the page that imports a file of leads, and the imports of a campaign. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  page: {
    title: 'Import leads',
    subtitle: (campaign: string) => `Into the campaign ${campaign}`,
    steps: 'Steps of the import',
    names: { file: 'File', columns: 'Columns', check: 'Check', result: 'Import' },
    done: 'done',
    back: 'Back',
    otherFile: 'Choose another file',
    another: 'Import another file',
    campaign: 'Go to the campaign',
    leads: 'See the leads',
  },
  result: {
    importing: 'Importing. You can use other pages meanwhile, but keep this tab open.',
    finished: (count: number) =>
      count === 1 ? '1 lead was imported.' : `${count.toLocaleString('en')} leads were imported.`,
    interrupted:
      'The import was interrupted. Choose the same file again to continue after the last stored row.',
    undoing: 'The import is being undone.',
    undone: (removed: number) =>
      removed === 1
        ? 'The import was undone: 1 lead was removed.'
        : `The import was undone: ${removed.toLocaleString('en')} leads were removed.`,
    kept: (count: number) =>
      count === 1
        ? '1 lead was kept, because it was called or is being called.'
        : `${count.toLocaleString('en')} leads were kept, because they were called or are being called.`,
    imported: 'Imported',
    duplicate: 'Duplicates (left out)',
    refused: 'Refused',
    report: 'Download refused rows and duplicates',
  },
  importState: {
    running: 'Running',
    interrupted: 'Interrupted',
    finished: 'Finished',
    undoing: 'Being undone',
    undone: 'Undone',
  },
  importResult: {
    imported: (count: number) => `${count.toLocaleString('en')} imported`,
    duplicate: (count: number) => `${count.toLocaleString('en')} duplicate`,
    refused: (count: number) => `${count.toLocaleString('en')} refused`,
    removed: (count: number) => `${count.toLocaleString('en')} removed`,
  },
  importColumns: {
    title: 'Columns in the file',
    column: 'Column',
    samples: 'First rows',
    empty: 'Empty',
    becomes: 'Import as',
    phone: 'Phone number',
    variable: 'Variable',
    leftOut: 'Do not import',
    use: (column: string) => `Import ${column} as`,
    variableOf: (column: string) => `Variable name for ${column}`,
  },
  importForm: {
    sentPercent: (percent: number) => `${percent} percent uploaded`,
    sent: (percent: number) => `${percent}% uploaded`,
    reading: 'Uploaded. Importing the last rows.',
    file: {
      label: 'CSV or Excel file',
      choose: 'Choose a file',
      hint: 'With column names in the first row. Of an Excel file, the first sheet is imported.',
    },
    duplicates: 'Import numbers that are already in this campaign',
    readingFile: 'Reading the file.',
    next: 'Choose columns',
    check: 'Check file',
    checking: 'Uploaded. Checking the rows.',
    action: (count: number) => (count === 1 ? 'Import 1 lead' : `Import ${count.toLocaleString('en')} leads`),
    actionAll: 'Import all rows',
    none: 'No row of this file can be imported. Go back to change the columns, or correct the file.',
  },
  spreadsheet: {
    otherFormat: 'Save the file as .xlsx or CSV.',
    faults: {
      'too-large': 'The Excel file is too large. Delete unused sheets and cells, or save it as CSV.',
      unreadable: 'The Excel file cannot be read. Save it as CSV.',
    },
  },
  importCheck: {
    title: 'Nothing has been imported yet',
    rows: 'Rows in the file',
    partOfRows: (count: number) => `First ${count.toLocaleString('en')} rows`,
    leads: 'Will be imported',
    forbidden: 'On the do-not-call list (not called)',
    codes: {
      duplicate: 'Duplicates (left out)',
      phone_number_missing: 'No phone number (refused)',
      phone_number_invalid: 'Invalid phone number (refused)',
      too_many_cells: 'More cells than columns (refused)',
      variables_too_large: 'Too large (refused)',
      not_utf8: 'Damaged text (refused)',
      forbidden_character: 'Characters that cannot be stored (refused)',
    },
    columns: {
      row: 'Row',
      reason: 'Why it is not imported',
      value: 'Value',
    },
    examples: (count: number) =>
      count === 1 ? 'A row that is not imported' : `The first ${count} rows that are not imported`,
    noCountry: 'Numbers without + or 00 are only understood if you choose their country in the step before.',
  },
  imports: {
    title: 'Imports',
    columns: {
      file: 'File',
      state: 'Status',
      rows: 'Rows',
    },
    percent: (percent: number) => `${percent} percent of the file imported`,
    unnamed: 'Unnamed file',
    refused: 'Refused rows',
    empty: 'No files have been imported yet.',
  },
  undo: {
    action: 'Undo',
    label: (file: string) => `Undo the import of ${file}`,
    question: 'Undo this import?',
    keep: 'Keep the leads',
    text: 'Leads from this file that were never called are removed, together with the report. Leads that were called, or are being called, are kept.',
  },
  upload: {
    interrupted: 'The upload was interrupted. Choose the same file again to continue.',
    unreachable: 'The server is not responding. It may be restarting. Try again in a moment.',
  },
};
