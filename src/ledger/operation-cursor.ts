import { z } from 'zod';
import type { Instant } from '../operations/time';
import { FilterInvalidError } from './filter-invalid-error';
import type { OperationRef } from './ledger';

/** The place in the list after one operation: nothing that is added later moves it. */
export interface OperationCursor extends OperationRef {
  readonly createdAt: Instant;
}

const CURSOR = z.tuple([z.int(), z.string(), z.string()]);

export function cursorAfter({ createdAt, tenant, operationId }: OperationCursor): string {
  return Buffer.from(JSON.stringify([createdAt, tenant, operationId])).toString('base64url');
}

/** Throws FilterInvalidError for what no page gave. */
export function readCursor(text: string): OperationCursor {
  try {
    const [createdAt, tenant, operationId] = CURSOR.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { createdAt, tenant, operationId };
  } catch {
    throw new FilterInvalidError('after', text, 'what the page before gave as "next"');
  }
}
