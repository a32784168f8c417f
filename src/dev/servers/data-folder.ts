import { accessSync, constants, mkdirSync } from 'node:fs';
import { DevServerError } from './dev-server-error';

/** Makes sure that a server's data folder is there and can be written. Throws `SENDONCE_FOLDER_UNUSABLE`. */
export function prepareDataFolder(folder: string, setting: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new DevServerError(
      'SENDONCE_FOLDER_UNUSABLE',
      `The folder ${folder} cannot be created or written (${code}): give this user the right to, or set ${setting} to another folder.`,
      { cause },
    );
  }
}
