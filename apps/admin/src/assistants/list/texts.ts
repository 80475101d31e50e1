/** The texts of the list of assistants, which an assistant's page does not load. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  modes: {
    pipeline: 'Pipeline',
    multimodal: 'Multimodal',
  },
  search: 'Search by name',
  noMatch: 'No assistants match this search.',
  kind: (direction: string, mode: string) => `${direction} calls · ${mode}`,
  talkLabel: (assistant: string) => `Talk with ${assistant}`,
  title: 'Assistants',
  subtitle: 'Voice assistants that place and answer your calls.',
  new: 'New assistant',
  talk: 'Talk',
  unnamed: (id: number) => `#${id}`,
  columns: {
    name: 'Name',
    speech: 'Voice and model',
    number: 'Number',
    updated: 'Updated',
  },
  empty: {
    title: 'No assistants yet',
    text: 'An assistant has a voice, a model and instructions. Create one, then talk with it in the browser or have it call a number.',
  },
};
