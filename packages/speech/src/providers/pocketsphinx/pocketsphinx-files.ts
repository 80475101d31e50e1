/**
 * Where Debian's packages `pocketsphinx` and `pocketsphinx-en-us` put things, and whether they are there. English only;
 * the program and its model are under BSD licences and stay packages of the system.
 */
import { accessSync, constants } from 'node:fs';

/** What is needed to recognise phrases. */
export interface PocketSphinxFiles {
  program: string;
  /** Folder of the acoustic model. */
  model: string;
  /** Words and how they sound, one pronunciation a line. */
  dictionary: string;
}

const DEBIAN: PocketSphinxFiles = {
  program: '/usr/bin/pocketsphinx_batch',
  model: '/usr/share/pocketsphinx/model/en-us/en-us',
  dictionary: '/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict',
};

/** @returns null where they are not installed */
export function findPocketSphinx(): PocketSphinxFiles | null {
  try {
    accessSync(DEBIAN.program, constants.X_OK);
    accessSync(DEBIAN.model, constants.R_OK);
    accessSync(DEBIAN.dictionary, constants.R_OK);
    return DEBIAN;
  } catch {
    return null;
  }
}
