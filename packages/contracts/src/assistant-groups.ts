/**
 * Folders and labels, by which a user orders assistants: an assistant is in at most one folder and has any number of labels.
 * Both have the same endpoints, and belong to their user.
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { envelope, pageQuery } from './envelope.ts';
import { bodyErrors, queryErrors, singleErrors } from './errors.ts';
import { choice, idParameter, nullable, requiredText, shape } from './fields.ts';

/** Default page size of both lists. */
const DEFAULT_PER_PAGE = 15;

/** Colours of a folder or label. */
export const groupColors = [
  'gray',
  'slate',
  'red',
  'orange',
  'amber',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
] as const;

const groupRecord = z.strictObject({
  id: z.int(),
  name: z.string(),
  color: z.enum(groupColors).nullable(),
  /** Assistants in the folder or with the label. */
  assistants_count: z.int(),
  created_at: isoMicrosecondsField,
  updated_at: isoMicrosecondsField,
});

const name = requiredText({ maximum: 255 });
const color = nullable(choice(groupColors)).optional();
const newGroupBody = shape({ name, color });
/** Omitted fields stay unchanged; null removes the colour. */
const groupChangesBody = shape({ name: name.optional(), color });

/** A folder or a label. */
export type AssistantGroupRecord = z.output<typeof groupRecord>;
/** The body that creates a folder or a label. */
export type NewAssistantGroup = z.output<typeof newGroupBody>;
/** What of a folder or a label changes. */
export type AssistantGroupChanges = z.output<typeof groupChangesBody>;

/** The endpoints of one kind. @param noun - in texts; capitalised in the names of schemas */
function groupRoutes(path: string, noun: 'folder' | 'label') {
  const title = noun === 'folder' ? 'Folder' : 'Label';
  const record = groupRecord.meta({ id: `Assistant${title}` });
  const writtenRecord = written(record).meta({ id: `Assistant${title}Written` });
  const one = metadata({ scope: 'write', notFoundMessage: `${title} not found` });
  return c.router({
    list: {
      method: 'GET',
      path,
      summary: `List the ${noun}s of your assistants`,
      query: z.object(pageQuery(DEFAULT_PER_PAGE)),
      responses: { 200: envelope(record).meta({ id: `Assistant${title}Page` }), ...queryErrors },
      metadata: metadata({ scope: 'read' }),
    },
    create: {
      method: 'POST',
      path,
      summary: `Create a ${noun}`,
      body: newGroupBody,
      responses: { 201: writtenRecord, ...bodyErrors },
      metadata: metadata({ scope: 'write' }),
    },
    update: {
      method: 'PUT',
      path: `${path}/:id`,
      pathParams: idParameter,
      summary: `Rename a ${noun} or change its colour`,
      body: groupChangesBody,
      responses: { 200: writtenRecord, ...bodyErrors, ...singleErrors },
      metadata: one,
    },
    remove: {
      method: 'DELETE',
      path: `${path}/:id`,
      pathParams: idParameter,
      summary: `Delete a ${noun}; its assistants stay`,
      responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
      metadata: one,
    },
  });
}

/** The endpoints of folders. */
export const folders = groupRoutes('/api/user/folders', 'folder');

/** The endpoints of labels. */
export const labels = groupRoutes('/api/user/labels', 'label');
