import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isExecutable } from './is-executable';

export interface SdkDownloadRequest {
  readonly server: 'dev-server' | 'time-skipping';
  readonly title: string;
  readonly cacheDir: string;
  readonly onProgress: (line: string) => void;
}

/**
 * The path of a server program that Temporal's SDK downloads. The SDK can only download by starting a server, so one is
 * started and stopped once; it runs in memory and on a free port. Throws with the reason.
 */
export async function sdkDownload({ server, title, cacheDir, onProgress }: SdkDownloadRequest): Promise<string> {
  const downloadDir = join(cacheDir, `temporal-sdk-${server}`);
  mkdirSync(downloadDir, { recursive: true });
  const downloaded = findProgram(downloadDir);
  if (downloaded !== null) return downloaded;
  onProgress(`fetching ${title} by Temporal's SDK`);
  try {
    // A development dependency, and large: loaded only here.
    const { TestWorkflowEnvironment } = await import('@temporalio/testing');
    const executable = { type: 'cached-download', downloadDir } as const;
    const environment =
      server === 'dev-server'
        ? await TestWorkflowEnvironment.createLocal({ server: { executable } })
        : await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
    await environment.teardown();
  } catch (error) {
    // It repeats the address twice.
    const reason = error instanceof Error ? error.message.replace(/ for url .*/s, '') : String(error);
    throw new Error(`download by Temporal's SDK: ${reason}`, { cause: error });
  }
  const program = findProgram(downloadDir);
  if (program === null) throw new Error("download by Temporal's SDK: it left no program");
  return program;
}

/** The SDK names the file after itself; it downloads to another name first. */
function findProgram(folder: string): string | null {
  const programs = readdirSync(folder)
    .filter((name) => !name.includes('.downloading'))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && isExecutable(path));
  return programs[0] ?? null;
}
