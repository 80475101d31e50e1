/** The texts of the commands for the file and the dispositions of calls. */

/** A part of the texts of `calls`. */
export const dispositionTexts = {
  export: 'print the calls of a filter as CSV',
  dispositionFilter: 'only calls with this disposition',
  setDisposition: 'set the disposition of a call, one of the list of its campaign',
  dispositionArgument: 'without it, the call has none afterwards',
  disposed: (id: number, disposition: string | null) =>
    disposition === null ? `Call ${id} has no disposition now.` : `Call ${id}: ${disposition}`,
};
